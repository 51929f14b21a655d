package flexdp.sql.bind;

import flexdp.algebra.Expr;
import flexdp.algebra.Relation;
import flexdp.algebra.SortKey;
import flexdp.failure.RejectionCode;
import flexdp.policy.DialectSpelling;
import flexdp.policy.InputDialect;
import flexdp.policy.Type;
import flexdp.sql.function.LiteralBinder;
import flexdp.sql.function.Rejections;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;

/** The terms of ORDER BY. NULL sorts as the dialect has it unless the text says otherwise. */
final class OrderByBinder {
  private OrderByBinder() {}

  /**
   * Reads the terms.
   *
   * @param listed what a term names in the select list, or null
   * @param other binds the other terms
   */
  static List<SortKey> keys(
      List<SqlNode> order,
      Function<SqlNode, Expr> listed,
      Function<SqlNode, Expr> other,
      InputDialect dialect) {
    List<SortKey> keys = new ArrayList<>(order.size());
    for (SqlNode term : order) {
      SqlNode node = term;
      boolean descending = false;
      Boolean nullsFirst = null;
      while (true) {
        if (node.getKind() == SqlKind.NULLS_FIRST) {
          nullsFirst = true;
        } else if (node.getKind() == SqlKind.NULLS_LAST) {
          nullsFirst = false;
        } else if (node.getKind() == SqlKind.DESCENDING) {
          descending = true;
        } else {
          break;
        }
        node = ((SqlCall) node).operand(0);
      }
      Expr expr = listed.apply(node);
      if (expr == null) {
        expr = other.apply(node);
      }
      if (expr.type().kind() == Type.Kind.OPAQUE) {
        throw Rejections.types(
            "Values of this type have no order.",
            "Sort by another column, or declare a type for this one in the policy.",
            Rejections.at(node));
      }
      boolean usual = isNullFirst(descending, dialect);
      keys.add(new SortKey(expr, descending, nullsFirst == null ? usual : nullsFirst));
    }
    return keys;
  }

  /** Whether NULL comes before all values where nothing is said of it. */
  private static boolean isNullFirst(boolean descending, InputDialect dialect) {
    return switch (DialectSpelling.NULL_ORDER.in(dialect)) {
      case NULL_LAST -> false;
      case NULL_SMALLEST -> !descending;
      default -> descending;
    };
  }

  static List<SortKey> map(List<SortKey> keys, UnaryOperator<Expr> rule) {
    List<SortKey> mapped = new ArrayList<>(keys.size());
    for (SortKey key : keys) {
      mapped.add(new SortKey(rule.apply(key.expr()), key.descending(), key.nullsFirst()));
    }
    return mapped;
  }

  /** The keys over the outputs of SELECT DISTINCT, which must contain them. */
  static List<SortKey> over(Relation.Project list, List<SortKey> keys, SqlNode at) {
    return map(
        keys,
        expr -> {
          for (Relation.Project.Output output : list.outputs()) {
            if (output.expr().equals(expr)) {
              return output.column().ref();
            }
          }
          throw Rejections.of(
              RejectionCode.INVALID_GROUPING,
              "ORDER BY of a SELECT DISTINCT names something that is not selected.",
              "Select it too, or leave DISTINCT out.",
              at);
        });
  }

  /** The item that a number refers to, 0 if the node is no number. */
  static int ordinal(SqlNode node, int items) {
    BigDecimal number = LiteralBinder.whole(node);
    if (number == null) {
      return 0;
    }
    if (number.signum() <= 0 || number.compareTo(BigDecimal.valueOf(items)) > 0) {
      throw Rejections.of(
          RejectionCode.INVALID_GROUPING,
          "The select list has no item " + number.toPlainString() + ".",
          "It has " + items + ".",
          node);
    }
    return number.intValueExact();
  }
}
