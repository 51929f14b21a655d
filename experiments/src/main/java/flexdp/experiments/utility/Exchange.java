package flexdp.experiments.utility;

import flexdp.experiments.Run;
import flexdp.experiments.measure.Medians;
import flexdp.experiments.measure.Rides;
import flexdp.experiments.measure.Setting;
import flexdp.experiments.measure.TrueAnswers;
import flexdp.experiments.measure.Way;
import flexdp.experiments.utility.Answers.Answered;
import flexdp.experiments.utility.Answers.Choice;
import flexdp.experiments.workload.Trait;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Scale-ε exchangeability (Hay et al., SIGMOD 2016): a database four times as small, asked with
 * four times the ε, should err as much.
 *
 * @param without the median over queries without joins of error here / error there
 * @param with the same for queries with joins
 */
record Exchange(Way way, int queries, double without, double with) {
  private static final int TIMES = 4;

  static List<Exchange> of(Run run, Arena field, int trips) throws IOException, SQLException {
    List<Truth> sample =
        field.truths().stream()
            .filter(t -> t.population() >= 400 && !t.query().is(Trait.INDIVIDUAL))
            .limit(run.scale().of(15, 150, 600))
            .toList();
    List<Truth> smaller = new ArrayList<>();
    Answers answers;
    Rides rides = new Rides(run.scratch(), trips / TIMES);
    try (Connection connection = rides.open()) {
      for (Truth truth : sample) {
        double[] cells = TrueAnswers.cells(connection, truth.query().sql());
        smaller.add(new Truth(truth.query(), truth.population() / TIMES, cells, 0));
      }
      Setting.Cost release = Setting.Cost.of(Arena.RELEASE_EPSILON * TIMES, Arena.RELEASE_DELTA);
      Setting setting =
          new Setting(
              Rides.policy(),
              Rides.released(Rides.measure(connection, Rides.policy()), Rides.policy(), release));
      answers = new Answers(setting, Arena.drivers(connection));
    }
    List<Way> ways = List.of(Way.LETTER, Way.DEFAULT);
    List<Answered> large = field.answers().of(sample, choices(ways, 0.1));
    List<Answered> small = answers.of(smaller, choices(ways, 0.1 * TIMES));
    List<Exchange> exchanges = new ArrayList<>();
    for (int way = 0; way < ways.size(); way++) {
      exchanges.add(
          new Exchange(
              ways.get(way),
              sample.size(),
              ratio(large, small, way, false),
              ratio(large, small, way, true)));
    }
    return exchanges;
  }

  /** Choices with one δ on both sides, so that only size and ε differ. */
  private static List<Choice> choices(List<Way> ways, double epsilon) {
    return ways.stream().map(w -> new Choice(w, Setting.Cost.of(epsilon, 1e-9))).toList();
  }

  private static double ratio(List<Answered> large, List<Answered> small, int way, boolean join) {
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < large.size(); i++) {
      Optional<Double> here = large.get(i).error(way);
      Optional<Double> there = small.get(i).error(way);
      boolean fits = large.get(i).truth().query().is(Trait.JOIN) == join;
      if (fits && here.isPresent() && there.isPresent()) {
        ratios.add(here.get() / there.get());
      }
    }
    return Medians.of(ratios.stream().mapToDouble(r -> r).toArray());
  }
}
