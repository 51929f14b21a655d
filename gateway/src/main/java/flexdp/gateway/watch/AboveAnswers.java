package flexdp.gateway.watch;

import flexdp.budget.ChargedPartitions;
import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.failure.Rejection;
import flexdp.gateway.answer.Charging;
import flexdp.gateway.answer.Listed;
import flexdp.gateway.ask.Above;
import flexdp.gateway.ask.Above.AboveView;
import flexdp.gateway.ask.Ask;
import flexdp.gateway.ask.Workload;
import flexdp.gateway.database.Session;
import flexdp.gateway.database.Session.DatabaseTimeout;
import flexdp.gateway.ledger.entry.Request;
import flexdp.gateway.live.Footing;
import flexdp.gateway.plan.QuestionParts;
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
public final class AboveAnswers {
  private final Lookout lookout;
  private final Charging charging;
  private final Supplier<BitSource> bits;

  public AboveAnswers(Lookout lookout, Charging charging, Supplier<BitSource> bits) {
    this.lookout = lookout;
    this.charging = charging;
    this.bits = bits;
  }

  /**
   * @throws Rejection when a statement is refused, at no cost
   * @throws flexdp.failure.BudgetError when the budget does not cover it, at no cost
   * @throws flexdp.failure.DatabaseError when the database fails; it stays charged
   */
  public AboveView ask(Workload workload, Ask ask, Above above) {
    Listed.require(lookout.policy(), ask.analyst());
    List<BareNumber> numbers = new ArrayList<>();
    for (int i = 0; i < workload.statements().size(); i++) {
      Workload.Statement statement = workload.statements().get(i);
      try {
        numbers.add(lookout.number(ask.about(statement.sql()), false));
      } catch (Rejection e) {
        throw statement.placed(e, i + 1);
      }
    }
    BigDecimal epsilon = vector(numbers, lookout.epsilon(ask), above.hits()).epsilon();
    String text =
        workload.statements().stream().map(s -> s.sql().strip()).collect(Collectors.joining(";\n"));
    Set<String> tables = new HashSet<>();
    Set<String> meanings = new HashSet<>();
    numbers.forEach(
        number -> {
          tables.addAll(number.tables());
          meanings.add(number.meaning());
        });
    Request request = lookout.request(ask.about(text), SparseVector.NAME, tables, epsilon);
    try (Footing footing = lookout.footing()) {
      numbers.forEach(number -> footing.needs(number.plan()));
      footing.require();
      return charging.charged(
          request.measuring(meanings),
          course -> footing.steady(() -> compared(numbers, epsilon, above, footing, course)));
    } catch (DatabaseTimeout e) {
      throw Charging.timeout();
    }
  }

  /** For all of them together: the finest grid, the largest sensitivity. */
  static SparseVector vector(List<BareNumber> numbers, BigDecimal epsilon, int hits) {
    BigDecimal grid =
        numbers.stream().map(BareNumber::grid).min(BigDecimal::compareTo).orElseThrow();
    BigDecimal most = BigDecimal.ZERO;
    MonotoneDirection direction = MonotoneDirection.STILL;
    for (BareNumber number : numbers) {
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

  private AboveView compared(
      List<BareNumber> asked,
      BigDecimal epsilon,
      Above above,
      Session session,
      Charging.Course course) {
    List<BareNumber> numbers = asked.stream().map(number -> number.in(session)).toList();
    SparseVector vector = vector(numbers, epsilon, above.hits());
    BitSource source = bits.get();
    BigInteger threshold = vector.steps(above.threshold());
    SparseVector.Comparison comparison = vector.comparison(vector.threshold(source), source);
    List<AboveView.Line> lines = new ArrayList<>();
    int hits = 0;
    for (BareNumber number : numbers) {
      if (hits == above.hits()) {
        lines.add(new AboveView.Line(Optional.empty(), Optional.empty()));
        continue;
      }
      course.measures(number.meaning());
      BigInteger exact = lookout.exact(number, session, vector.grid());
      Optional<BigInteger> gap = comparison.gap(exact, threshold);
      hits += gap.isPresent() ? 1 : 0;
      lines.add(
          new AboveView.Line(
              Optional.of(gap.isPresent()),
              gap.map(steps -> vector.grid().multiply(new BigDecimal(steps)))));
    }
    return new AboveView(lines, vector.epsilon(), DisjointParts.note(numbers));
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
    static String note(List<BareNumber> numbers) {
      Set<String> seen = new HashSet<>();
      for (BareNumber number : numbers) {
        Map<String, ChargedPartitions> parts = QuestionParts.of(number.plan());
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
