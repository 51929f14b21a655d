package flexdp.gateway.hostile;

import flexdp.Analyzer;
import flexdp.cells.ExactHistogram;
import flexdp.failure.Failure;
import flexdp.failure.Rejection;
import flexdp.gateway.api.ProgramRequest;
import flexdp.gateway.database.Database;
import flexdp.gateway.database.Session;
import flexdp.gateway.prepare.Planning;
import flexdp.gateway.prepare.RenderedStatements;
import flexdp.gateway.program.ProgramMachine;
import flexdp.gateway.program.ProgramPlanning;
import flexdp.gateway.program.ProgramPlanning.PlannedProgram;
import flexdp.metrics.Metrics;
import flexdp.plan.Plan;
import flexdp.policy.Policy;
import flexdp.query.NoisyAggregate;
import flexdp.release.Reading;
import flexdp.wasm.Moved;
import java.time.LocalDateTime;
import java.util.Optional;

/** What programs say of databases before there is noise. */
final class ExactReading {
  private static final LocalDateTime NOW = LocalDateTime.of(2024, 7, 1, 12, 0);

  /** Cells, or the failure that came in their place. */
  record Cells(Optional<ExactHistogram> histogram, String failure) {}

  private final ProgramPlanning planning;

  /**
   * @param metrics of which programs use those of public tables only
   */
  ExactReading(Policy policy, Metrics metrics, ProgramMachine machine) {
    planning =
        new ProgramPlanning(
            policy,
            metrics,
            new Planning(policy, metrics, new Analyzer(policy, metrics, () -> NOW)),
            () -> NOW,
            () -> machine);
  }

  /** Nothing when it is refused, be it for what this database cannot do. */
  Optional<PlannedProgram> planned(ProgramRequest asked, Database database) {
    try {
      PlannedProgram program = planning.plan(asked);
      Plan plan = program.plan();
      RenderedStatements rendered = new RenderedStatements(database);
      for (NoisyAggregate point : plan.query().releases()) {
        rendered.check(new Reading.Cells(plan.read(point), Reading.Cells.Use.AGGREGATE));
      }
      return Optional.of(program);
    } catch (Rejection e) {
      return Optional.empty();
    }
  }

  static Cells read(PlannedProgram program, Database database) {
    Plan plan = program.plan();
    NoisyAggregate point = plan.query().releases().getFirst();
    ExactHistogram bins = ExactHistogram.open(point);
    try (Session session = database.session()) {
      program
          .reading()
          .fill(plan.read(point), session, new RenderedStatements(database).renderer(), bins);
      return new Cells(Optional.of(bins), "");
    } catch (Failure e) {
      return new Cells(Optional.empty(), e.codeName() + " " + e.message());
    } catch (RuntimeException | StackOverflowError e) {
      return new Cells(Optional.empty(), e.toString());
    }
  }

  /** What two readings tell apart; nothing when they keep the promise. */
  static Optional<String> leak(PlannedProgram program, Cells one, Cells other) {
    if (one.histogram().isEmpty() || other.histogram().isEmpty()) {
      return Optional.of("fails: " + one.failure() + " and " + other.failure());
    }
    double worst = Moved.worst(program.plan(), one.histogram().get(), other.histogram().get());
    return worst <= 1 ? Optional.empty() : Optional.of("moves " + worst + " of its bound");
  }
}
