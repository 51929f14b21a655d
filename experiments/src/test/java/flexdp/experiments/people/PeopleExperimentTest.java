package flexdp.experiments.people;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.experiments.Run;
import flexdp.experiments.Scale;
import flexdp.experiments.measure.TrueAnswers;
import flexdp.experiments.report.Passage;
import flexdp.experiments.report.Section;
import flexdp.gateway.engine.InstalledSolver;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The experiment answers every question, and its rival races as published. */
class PeopleExperimentTest {
  @TempDir Path folder;

  @Test
  @Tag("slow")
  void everyQuestionIsAnsweredByPeople() throws Exception {
    Run run = new Run(Scale.TINY, folder, folder, Run.DEFAULT_SEED, line -> {});
    Section section = new PeopleExperiment().run(run);
    Passage.Table table =
        section.blocks().stream()
            .filter(p -> p instanceof Passage.Table t && t.name().equals("people-0.8"))
            .map(Passage.Table.class::cast)
            .findFirst()
            .orElseThrow();
    List<String> names = table.rows().stream().map(r -> (String) r.getFirst()).toList();
    assertEquals(
        List.of("Q3", "Q12", "Q20", "Q11", "Q18", "Q10", "Q5", "Q8", "Q21", "Q7", "edges"),
        names.subList(0, 11));
    assertEquals(InstalledSolver.find().isPresent() ? 13 : 11, names.size());
    for (List<Object> row : table.rows().subList(0, 10)) {
      String mechanism = ((String) row.get(1)).contains(",") ? "descent" : "clip";
      assertEquals(mechanism, row.get(2), row::toString);
      boolean useful = (double) row.get(3) < 10;
      assertTrue(!useful || (double) row.get(3) < (double) row.get(5), row::toString);
    }
  }

  /** Nobody has more than 5, so the lowest level wins, and is off by its penalty of 8τ·ln(80)/ε. */
  @Test
  void theRaceIsAsPublished() {
    Degrees degrees = new Degrees(List.of(5.0), List.of(200_000L));
    assertEquals(200_000, degrees.clipped(1));
    assertEquals(1_000_000, degrees.clipped(5.5));
    Race race = new Race(degrees::clipped);
    SplittableRandom random = new SplittableRandom(1);
    DrawnErrors errors = DrawnErrors.of(1_000_000, 2_000, () -> race.draw(0.8, random));
    double penalty = 100 * 8 * 5.5 * Math.log(80) / 0.8 / 1_000_000;
    assertEquals(penalty, errors.trimmed(), 0.1 * penalty);
  }

  /** Of a part of the graph: above everybody's degree all counts, below the less the lower. */
  @Test
  void theRaceSolvesItsPrograms() throws Exception {
    try (Connection connection = Authors.open(8)) {
      for (Authors.Shape shape : Authors.SHAPES) {
        if (shape.owners().size() > 2 && InstalledSolver.find().isEmpty()) {
          continue;
        }
        Race.Truncated value = Authors.truncated(connection, shape);
        double truth = TrueAnswers.number(connection, shape.sql());
        assertEquals(truth, value.at(1e6), 1e-6, shape.name());
        double before = truth;
        for (double level : new double[] {30.25, 5.5, 1}) {
          double now = value.at(level);
          assertTrue(0 <= now && now <= before + 1e-6, shape.name() + " at " + level);
          before = now;
        }
      }
    }
  }

  @Test
  void theBestLevelKnowsTheData() {
    Degrees degrees = new Degrees(List.of(1.0, 60.0), List.of(10_000L, 10L));
    DrawnErrors best =
        Fixed.best(10, i -> Math.pow(2, i), i -> degrees.clipped(Math.pow(2, i)), 10_600, 1);
    assertEquals(100 * 0.761 * 64 / 10_600, best.trimmed(), 1e-9);
  }
}
