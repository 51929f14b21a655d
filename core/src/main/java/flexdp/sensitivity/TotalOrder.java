package flexdp.sensitivity;

import flexdp.algebra.Expr;
import flexdp.algebra.Relation;
import flexdp.algebra.SortKey;
import flexdp.algebra.WindowCall;
import flexdp.failure.Position;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Which rows come first must follow from their values, or else a database may choose them by
 * anything. It does when the order contains columns that no two rows share, NULL counting as a
 * value, or when it contains all columns, so that rows that tie are equal. Whether it does is
 * decided without measured values.
 */
final class TotalOrder {
  private TotalOrder() {}

  static void requireTotal(SensitivityAnalysis analysis, Relation relation) {
    switch (relation) {
      case Relation.Limit limit -> {
        if (limit.count().isPresent() || limit.offset() > 0) {
          check(analysis, limit.input(), List.of(), limit.order(), limit.at());
        }
      }
      case Relation.TopRows top ->
          check(analysis, top.input(), top.partition(), top.order(), top.at());
      case Relation.Window window -> {
        for (WindowCall call : window.calls()) {
          if (dependsOnTies(call)) {
            check(analysis, window.input(), call.partition(), call.order(), call.at());
          }
        }
      }
      case Relation.Scan ignored -> {}
      case Relation.Values ignored -> {}
      case Relation.Filter ignored -> {}
      case Relation.Project ignored -> {}
      case Relation.Join ignored -> {}
      case Relation.Where ignored -> {}
      case Relation.Attach ignored -> {}
      case Relation.Distinct ignored -> {}
      case Relation.Aggregate ignored -> {}
      case Relation.SetOperation ignored -> {}
      case Relation.Released ignored -> {}
    }
    relation.children().forEach(input -> requireTotal(analysis, input));
  }

  private static void check(
      SensitivityAnalysis analysis,
      Relation input,
      List<Expr> partition,
      List<SortKey> order,
      Position at) {
    List<Expr> exprs = new ArrayList<>(partition);
    order.forEach(key -> exprs.add(key.expr()));
    Set<Integer> columns = ColumnReferences.bare(exprs);
    boolean total =
        analysis.facts(input).determinedBy(columns).containsAll(analysis.ids(input))
            || analysis
                .structure()
                .frequency(FrequencyKey.grouping(columns), input)
                .ceiling()
                .filter(most -> most.compareTo(BigInteger.ONE) <= 0)
                .isPresent();
    if (!total) {
      throw Rejection.of(
          RejectionCode.ORDER_NOT_TOTAL,
          "Which rows come first is not determined: the ORDER BY can tie.",
          "Order by a unique key that is declared NOT NULL, or by all columns.",
          at);
    }
  }

  /** Whether rows that tie in the order may get different values. */
  private static boolean dependsOnTies(WindowCall call) {
    return call.rank()
        .map(
            rank ->
                switch (rank) {
                  case ROW_NUMBER, NTILE, LAG, LEAD, FIRST_VALUE, LAST_VALUE, NTH_VALUE -> true;
                  case RANK, DENSE_RANK, PERCENT_RANK, CUME_DIST -> false;
                })
        .orElse(false);
  }
}
