package flexdp.sql.function;

import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import java.util.Locale;
import java.util.Set;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;

/** The names of aggregate functions, and what to say of those without a private answer. */
public final class AggregateNames {
  private static final Set<String> REFUSED =
      Set.of(
          "SOME",
          "ARRAY_AGG",
          "COLLECT",
          "COLLECT_LIST",
          "COLLECT_SET",
          "FIRST",
          "LAST",
          "MAX_BY",
          "MIN_BY",
          "ARG_MAX",
          "ARG_MIN",
          "BIT_AND",
          "BIT_OR",
          "BIT_XOR",
          "JSON_AGG",
          "JSON_ARRAYAGG",
          "JSON_OBJECTAGG",
          "KURTOSIS",
          "HISTOGRAM",
          "PRODUCT",
          "ENTROPY",
          "LIST");

  private AggregateNames() {}

  public static boolean isAggregate(String name, SqlCall call) {
    return AggregateWord.of(name).isPresent()
        || REFUSED.contains(name)
        || call.getFunctionQuantifier() != null;
  }

  /** Whether an aggregate stands in an expression. */
  static boolean isOver(SqlNode node) {
    return switch (node) {
      case SqlCall call ->
          isAggregate(FunctionFinder.nameOf(call), call)
              || call.getOperandList().stream().anyMatch(AggregateNames::isOver);
      case SqlNodeList list -> list.stream().anyMatch(AggregateNames::isOver);
      case null, default -> false;
    };
  }

  public static Rejection refused(String name, SqlCall call) {
    String shown = name.toLowerCase(Locale.ROOT);
    if (REFUSED.contains(name)) {
      String hint =
          switch (name) {
            case "SOME" -> "Use BOOL_OR(x).";
            case "FIRST", "LAST" -> "Use MIN or MAX, or add the column to GROUP BY.";
            default -> "Use COUNT, SUM, AVG, VAR, STDDEV, MIN, MAX, MEDIAN or PERCENTILE_CONT.";
          };
      return Rejections.of(
          RejectionCode.UNSUPPORTED,
          "The aggregate function " + shown + " has no private answer.",
          hint,
          call);
    }
    return Rejections.of(
        RejectionCode.UNKNOWN_FUNCTION,
        "The aggregate function '" + TextLiterals.shown(shown) + "' is not on the list.",
        "Use COUNT, SUM, AVG, VAR, STDDEV, MIN, MAX, MEDIAN or PERCENTILE_CONT.",
        call);
  }
}
