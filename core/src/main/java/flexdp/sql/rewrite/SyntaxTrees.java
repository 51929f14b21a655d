package flexdp.sql.rewrite;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWindow;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.util.Litmus;

/** Trees of the grammar, taken apart and made. */
final class SyntaxTrees {
  private SyntaxTrees() {}

  static boolean isEmpty(SqlNodeList list) {
    return list == null || list.isEmpty();
  }

  /** An item of a select list without its alias. */
  static SqlNode bare(SqlNode item) {
    return item.getKind() == SqlKind.AS ? ((SqlCall) item).operand(0) : item;
  }

  /** The name that a select item was given, or that a column has by itself. */
  static Optional<String> name(SqlNode item) {
    SqlNode named = item.getKind() == SqlKind.AS ? ((SqlCall) item).operand(1) : item;
    return named instanceof SqlIdentifier id && !id.isStar()
        ? Optional.of(id.names.get(id.names.size() - 1))
        : Optional.empty();
  }

  static SqlNode as(SqlNode node, String name) {
    SqlParserPos at = node.getParserPosition();
    return SqlStdOperatorTable.AS.createCall(at, node, new SqlIdentifier(name, at));
  }

  static boolean same(SqlNode one, SqlNode other) {
    return one.equalsDeep(other, Litmus.IGNORE);
  }

  static SqlNode copy(SqlNode node) {
    return node == null ? null : node.clone(node.getParserPosition());
  }

  static SqlNode countStar(SqlParserPos at) {
    return SqlStdOperatorTable.COUNT.createCall(at, SqlIdentifier.star(at));
  }

  static SqlNode both(SqlNode one, SqlNode other) {
    return one == null
        ? other
        : SqlStdOperatorTable.AND.createCall(other.getParserPosition(), one, other);
  }

  static SqlNode scalar(SqlSelect select) {
    return SqlStdOperatorTable.SCALAR_QUERY.createCall(select.getParserPosition(), select);
  }

  /** SELECT … FROM … WHERE … GROUP BY …. */
  static SqlSelect select(
      List<SqlNode> items, SqlNode from, SqlNode where, List<SqlNode> keys, SqlParserPos at) {
    return select(items, from, where, keys, null, at);
  }

  static SqlSelect select(
      List<SqlNode> items,
      SqlNode from,
      SqlNode where,
      List<SqlNode> keys,
      SqlNode qualify,
      SqlParserPos at) {
    SqlNodeList group = keys.isEmpty() ? null : new SqlNodeList(keys, at);
    SqlNodeList list = new SqlNodeList(items, at);
    return new SqlSelect(
        at, null, list, from, where, group, null, null, qualify, null, null, null, null);
  }

  /** A function OVER (PARTITION BY … ORDER BY …). */
  static SqlNode over(
      SqlNode function, List<SqlNode> partition, List<SqlNode> order, SqlParserPos at) {
    SqlNode window =
        SqlWindow.create(
            null,
            null,
            new SqlNodeList(partition, at),
            new SqlNodeList(order, at),
            SqlLiteral.createBoolean(false, at),
            null,
            null,
            null,
            SqlWindow.createExcludeNoOthers(at),
            at);
    return SqlStdOperatorTable.OVER.createCall(at, function, window);
  }

  /** Whether a select is one of rows, or of groups, and of nothing more. */
  static boolean isPlain(SqlSelect select) {
    return select.getHaving() == null
        && select.getQualify() == null
        && isEmpty(select.getWindowList())
        && isEmpty(select.getOrderList())
        && select.getFetch() == null
        && select.getOffset() == null;
  }

  static List<SqlNode> copies(List<SqlNode> nodes) {
    List<SqlNode> all = new ArrayList<>();
    nodes.forEach(node -> all.add(copy(node)));
    return all;
  }
}
