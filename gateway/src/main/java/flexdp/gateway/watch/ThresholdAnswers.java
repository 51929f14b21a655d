package flexdp.gateway.watch;

import flexdp.budget.ChargedPartitions;
import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.failure.Rejection;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.api.ThresholdQuery;
import flexdp.gateway.api.ThresholdQuery.ThresholdView;
import flexdp.gateway.api.Workload;
import flexdp.gateway.database.Session;
import flexdp.gateway.database.Session.DatabaseTimeout;
import flexdp.gateway.engine.AnalystAccess;
import flexdp.gateway.engine.Charging;
import flexdp.gateway.ledger.entry.ChargeRequest;
import flexdp.gateway.livedata.SnapshotGuard;
import flexdp.gateway.prepare.QueryPartitions;
import flexdp.noise.BitSource;
import flexdp.noise.SparseVector;
import flexdp.sensitivity.MonotoneDirection;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Which of many numbers are above a threshold, in the order in which they are asked, until as many
 * were as may be: one price for all of them, by sparse vector. All are read in one state of the
 * data.
 */
public final class ThresholdAnswers {
  private final WatchEvaluation evaluation;
  private final Charging charging;
  private final Supplier<BitSource> bits;

  public ThresholdAnswers(WatchEvaluation evaluation, Charging charging, Supplier<BitSource> bits) {
    this.evaluation = evaluation;
    this.charging = charging;
    this.bits = bits;
  }

  /**
   * @throws Rejection when a statement is refused, at no cost
   * @throws flexdp.failure.BudgetError when the budget does not cover it, at no cost
   * @throws flexdp.failure.DatabaseError when the database fails; it stays charged
   */
  public ThresholdView ask(Workload workload, QueryRequest ask, ThresholdQuery above) {
    AnalystAccess.require(evaluation.policy(), ask.analyst());
    List<SingleNumberQuery> numbers = new ArrayList<>();
    for (int i = 0; i < workload.statements().size(); i++) {
      Workload.Statement statement = workload.statements().get(i);
      try {
        numbers.add(evaluation.number(ask.about(statement.sql()), false));
      } catch (Rejection e) {
        throw statement.placed(e, i + 1);
      }
    }
    BigDecimal epsilon = vector(numbers, evaluation.epsilon(ask), above.hits()).epsilon();
    String text =
        workload.statements().stream().map(s -> s.sql().strip()).collect(Collectors.joining(";\n"));
    Set<String> tables = new HashSet<>();
    Set<String> meanings = new HashSet<>();
    numbers.forEach(
        number -> {
          tables.addAll(number.tables());
          meanings.add(number.meaning());
        });
    ChargeRequest request = evaluation.request(ask.about(text), SparseVector.NAME, tables, epsilon);
    try (SnapshotGuard guard = evaluation.footing()) {
      numbers.forEach(number -> guard.needs(number.plan()));
      guard.require();
      return charging.charged(
          request.measuring(meanings),
          course -> guard.steady(() -> compared(numbers, epsilon, above, guard, course)));
    } catch (DatabaseTimeout e) {
      throw Charging.timeout();
    }
  }

  /** For all of them together: the finest grid, the largest sensitivity. */
  static SparseVector vector(List<SingleNumberQuery> numbers, BigDecimal epsilon, int hits) {
    BigDecimal grid =
        numbers.stream().map(SingleNumberQuery::grid).min(BigDecimal::compareTo).orElseThrow();
    BigDecimal most = BigDecimal.ZERO;
    MonotoneDirection direction = MonotoneDirection.STILL;
    for (SingleNumberQuery number : numbers) {
      if (number.grid().remainder(grid).signum() != 0) {
        throw ConfigurationError.of(
            Code.BAD_REQUEST,
            "the statements count in steps that do not fit each other",
            "Compare counts with counts and sums with sums, in workloads of their own.");
      }
      most = most.max(number.sensitivity());
      direction = direction.and(number.direction());
    }
    BigDecimal whole = most.divide(grid, 0, RoundingMode.CEILING).multiply(grid);
    return new SparseVector(epsilon, hits, direction.isOneWay(), whole, grid);
  }

  private ThresholdView compared(
      List<SingleNumberQuery> asked,
      BigDecimal epsilon,
      ThresholdQuery above,
      Session session,
      Charging.Course course) {
    List<SingleNumberQuery> numbers = asked.stream().map(number -> number.in(session)).toList();
    SparseVector vector = vector(numbers, epsilon, above.hits());
    BitSource source = bits.get();
    BigInteger threshold = vector.steps(above.threshold());
    SparseVector.Comparison comparison = vector.comparison(vector.threshold(source), source);
    List<ThresholdView.Line> lines = new ArrayList<>();
    int hits = 0;
    for (SingleNumberQuery number : numbers) {
      if (hits == above.hits()) {
        lines.add(new ThresholdView.Line(Optional.empty(), Optional.empty()));
        continue;
      }
      course.measures(number.meaning());
      BigInteger exact = evaluation.exact(number, session, vector.grid());
      Optional<BigInteger> gap = comparison.gap(exact, threshold);
      hits += gap.isPresent() ? 1 : 0;
      lines.add(
          new ThresholdView.Line(
              Optional.of(gap.isPresent()),
              gap.map(steps -> vector.grid().multiply(new BigDecimal(steps)))));
    }
    return new ThresholdView(lines, vector.epsilon(), DisjointParts.note(numbers));
  }

  /**
   * Numbers that read different parts of partitioned tables: each part pays for itself, so that
   * asking every one plainly costs no more than comparing them all, and is sharper.
   */
  static final class DisjointParts {
    private static final String PLAINLY =
        "Each of these numbers reads parts of its own, which pay for themselves: asked plainly, one"
            + " by one, they cost no more, and are 2 to 12 times sharper.";

    private DisjointParts() {}

    /** What to say of such numbers; empty of others. It follows from the questions alone. */
    static String note(List<SingleNumberQuery> numbers) {
      Set<String> seen = new HashSet<>();
      for (SingleNumberQuery number : numbers) {
        Map<String, ChargedPartitions> parts = QueryPartitions.of(number.plan());
        for (String table : number.tables()) {
          if (!parts.containsKey(table)) {
            return "";
          }
          for (String part : parts.get(table).names()) {
            if (!seen.add(table + " " + part)) {
              return "";
            }
          }
        }
      }
      return numbers.size() < 2 ? "" : PLAINLY;
    }
  }
}
