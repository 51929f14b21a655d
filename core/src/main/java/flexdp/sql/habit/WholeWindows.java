package flexdp.sql.habit;

import flexdp.sql.function.AggregateNames;
import flexdp.sql.function.FunctionFinder;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWindow;

/**
 * Aggregates written as windows over whole partitions, of which one row each is kept: {@code SELECT
 * DISTINCT g, PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY x) OVER (PARTITION BY g) FROM t} is
 * {@code SELECT g, PERCENTILE_CONT(…) … FROM t GROUP BY g}. Every row of a partition shows the
 * same, so DISTINCT, or the first row where there is one partition, leaves what GROUP BY gives.
 */
final class WholeWindows {
  private final SqlSelect select;
  private final List<SqlNode> items = new ArrayList<>();
  private final List<SqlNode> plain = new ArrayList<>();
  private SqlNodeList partition;
  private boolean other;

  private WholeWindows(SqlSelect select) {
    this.select = select;
  }

  /**
   * @param one whether only the first row is wanted
   */
  static SqlSelect rewritten(SqlSelect select, boolean one) {
    boolean rows =
        Nodes.isPlain(select) && Nodes.isEmpty(select.getGroup()) && select.getFrom() != null;
    return rows && (one || select.isDistinct())
        ? new WholeWindows(select).grouped(one && !select.isDistinct())
        : select;
  }

  private SqlSelect grouped(boolean one) {
    for (SqlNode item : select.getSelectList()) {
      SqlNode bare = Nodes.bare(item);
      if (bare.getKind() == SqlKind.OVER) {
        window((SqlCall) bare, item);
      } else {
        plain.add(bare);
        items.add(item);
      }
    }
    boolean keys =
        partition != null
            && partition.size() == plain.size()
            && plain.stream().allMatch(p -> partition.stream().anyMatch(k -> Nodes.same(k, p)));
    if (other || !keys || one && !plain.isEmpty()) {
      return select;
    }
    return Nodes.select(
        items,
        select.getFrom(),
        select.getWhere(),
        Nodes.copies(plain),
        select.getParserPosition());
  }

  private void window(SqlCall over, SqlNode item) {
    SqlNode of = over.operand(0);
    boolean whole =
        over.operand(1) instanceof SqlWindow window
            && window.getRefName() == null
            && Nodes.isEmpty(window.getOrderList())
            && window.getLowerBound() == null
            && window.getUpperBound() == null
            && isAggregate(of)
            && isSame(window.getPartitionList());
    other |= !whole;
    items.add(item.getKind() == SqlKind.AS ? Nodes.as(of, Nodes.name(item).orElseThrow()) : of);
  }

  private static boolean isAggregate(SqlNode node) {
    SqlNode inner = node;
    while (inner.getKind() == SqlKind.WITHIN_GROUP || inner.getKind() == SqlKind.FILTER) {
      inner = ((SqlCall) inner).operand(0);
    }
    return inner instanceof SqlCall call
        && AggregateNames.isAggregate(FunctionFinder.nameOf(call), call);
  }

  private boolean isSame(SqlNodeList keys) {
    if (partition == null) {
      partition = keys;
    }
    return keys.size() == partition.size()
        && keys.stream().allMatch(k -> partition.stream().anyMatch(p -> Nodes.same(k, p)));
  }
}
