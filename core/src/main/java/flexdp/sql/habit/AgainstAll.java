package flexdp.sql.habit;

import java.util.List;
import java.util.Optional;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.fun.SqlQuantifyOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlBasicVisitor;

/**
 * The largest of all groups: {@code GROUP BY g HAVING COUNT(*) >= ALL (SELECT COUNT(*) … GROUP BY
 * g)} over the same rows is {@code QUALIFY COUNT(*) >= MAX(COUNT(*)) OVER ()}, and {@code WHERE n
 * >= ALL (SELECT n FROM t)} over all of t likewise. With ALL no value may be NULL.
 */
final class AgainstAll {
  private AgainstAll() {}

  static SqlSelect rewritten(SqlSelect select) {
    boolean grouped = select.getHaving() != null;
    if (select.getQualify() != null
        || select.isDistinct()
        || !select.getSelectList().stream().allMatch(item -> isSimple(item, grouped))) {
      return select;
    }
    SqlNode condition = grouped ? select.getHaving() : select.getWhere();
    Optional<SqlNode> said = said(select, grouped, condition);
    return said.isEmpty()
        ? select
        : new SqlSelect(
            select.getParserPosition(),
            null,
            select.getSelectList(),
            select.getFrom(),
            grouped ? select.getWhere() : null,
            select.getGroup(),
            null,
            select.getWindowList(),
            said.get(),
            select.getOrderList(),
            select.getOffset(),
            select.getFetch(),
            null);
  }

  /** Windows would see other rows, and so would aggregates of rows that are not grouped. */
  private static boolean isSimple(SqlNode item, boolean grouped) {
    SqlNode bare = Nodes.bare(item);
    boolean[] windows = {false};
    bare.accept(
        new SqlBasicVisitor<Void>() {
          @Override
          public Void visit(SqlCall call) {
            windows[0] |= call.getKind() == SqlKind.OVER;
            return super.visit(call);
          }
        });
    return grouped ? !windows[0] : bare instanceof SqlIdentifier;
  }

  private static Optional<SqlNode> said(SqlSelect select, boolean grouped, SqlNode condition) {
    if (condition == null
        || condition.getKind() != SqlKind.ALL && condition.getKind() != SqlKind.SOME
        || !grouped && !Nodes.isEmpty(select.getGroup())) {
      return Optional.empty();
    }
    SqlCall call = (SqlCall) condition;
    SqlNode right = call.operand(1);
    SqlNode query = right instanceof SqlNodeList list && list.size() == 1 ? list.get(0) : right;
    if (!(query instanceof SqlSelect of) || !isOfSameRows(select, of, grouped)) {
      return Optional.empty();
    }
    SqlNode element = Nodes.bare(of.getSelectList().get(0));
    boolean all = call.getKind() == SqlKind.ALL;
    return switch (((SqlQuantifyOperator) call.getOperator()).comparisonKind) {
      case GREATER_THAN -> said(call, SqlStdOperatorTable.GREATER_THAN, element, all, all);
      case GREATER_THAN_OR_EQUAL ->
          said(call, SqlStdOperatorTable.GREATER_THAN_OR_EQUAL, element, all, all);
      case LESS_THAN -> said(call, SqlStdOperatorTable.LESS_THAN, element, all, !all);
      case LESS_THAN_OR_EQUAL ->
          said(call, SqlStdOperatorTable.LESS_THAN_OR_EQUAL, element, all, !all);
      default -> Optional.empty();
    };
  }

  private static boolean isOfSameRows(SqlSelect select, SqlSelect of, boolean grouped) {
    return Nodes.isPlain(of)
        && !of.isDistinct()
        && of.getSelectList().size() == 1
        && same(select.getFrom(), of.getFrom())
        && (grouped
            ? same(select.getWhere(), of.getWhere()) && same(select.getGroup(), of.getGroup())
            : of.getWhere() == null && Nodes.isEmpty(of.getGroup()));
  }

  private static boolean same(SqlNode one, SqlNode other) {
    return one == null || other == null ? one == other : Nodes.same(one, other);
  }

  /**
   * @param greatest whether it is compared with the greatest
   */
  private static Optional<SqlNode> said(
      SqlCall call, SqlOperator comparison, SqlNode element, boolean all, boolean greatest) {
    SqlParserPos at = call.getParserPosition();
    SqlOperator extreme = greatest ? SqlStdOperatorTable.MAX : SqlStdOperatorTable.MIN;
    SqlNode holds =
        comparison.createCall(
            at, call.operand(0), overAll(extreme.createCall(at, Nodes.copy(element)), at));
    if (!all) {
      return Optional.of(holds);
    }
    SqlNode known = overAll(SqlStdOperatorTable.COUNT.createCall(at, Nodes.copy(element)), at);
    SqlNode complete =
        SqlStdOperatorTable.EQUALS.createCall(at, known, overAll(Nodes.countStar(at), at));
    return Optional.of(Nodes.both(complete, holds));
  }

  private static SqlNode overAll(SqlNode function, SqlParserPos at) {
    return Nodes.over(function, List.of(), List.of(), at);
  }
}
