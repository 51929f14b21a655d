package flexdp.sql.anatomy;

import flexdp.sql.function.AggregateNames;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSelect;

/** Which calls are aggregates, and which queries return nothing but those. */
final class AnatomyAggregates {
  private AnatomyAggregates() {}

  static String name(SqlCall call) {
    return call.getOperator() instanceof SqlFunction function
        ? function.getName().toUpperCase(Locale.ROOT)
        : "";
  }

  static boolean isAggregate(SqlCall call) {
    String name = name(call);
    return !name.isEmpty() && AggregateNames.isAggregate(name, call);
  }

  /** Whether the result is of aggregates, their grouping keys and constants alone. */
  static boolean isStatistical(SqlSelect select, AnatomySource.Scope scope) {
    Set<String> keys = new HashSet<>();
    if (select.getGroup() != null) {
      select.getGroup().forEach(g -> keys.add(text(g)));
    }
    int position = 0;
    boolean any = false;
    boolean raw = false;
    for (SqlNode item : select.getSelectList()) {
      position++;
      SqlNode expr = item;
      String alias = "";
      if (item instanceof SqlBasicCall call && call.getKind() == SqlKind.AS) {
        expr = call.operand(0);
        alias = text(call.operand(1));
      }
      if (hasAggregate(expr)) {
        any = true;
      } else if (!(expr instanceof SqlLiteral)
          && !keys.contains("all")
          && !keys.contains(alias)
          && !keys.contains(String.valueOf(position))
          && !keys.contains(text(expr))) {
        raw = true;
      }
    }
    // Rows of a query that is statistical itself are statistics, whatever is done to them.
    return any && !raw || scope.isStatistical();
  }

  private static boolean hasAggregate(SqlNode root) {
    Deque<SqlNode> open = new ArrayDeque<>();
    open.push(root);
    while (!open.isEmpty()) {
      if (open.pop() instanceof SqlCall call
          && !(call instanceof SqlSelect)
          && call.getKind() != SqlKind.OVER) {
        if (isAggregate(call)) {
          return true;
        }
        for (SqlNode operand : call.getOperandList()) {
          if (operand != null) {
            open.push(operand);
          }
        }
      }
    }
    return false;
  }

  /** Names without dots in front are compared by their last part: t.city is city. */
  private static String text(SqlNode node) {
    String text = node instanceof SqlIdentifier id ? id.names.getLast() : node.toString();
    return text.toLowerCase(Locale.ROOT);
  }
}
