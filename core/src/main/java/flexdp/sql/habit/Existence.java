package flexdp.sql.habit;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlShuttle;

/**
 * Whether there are such rows, as the answer: {@code SELECT EXISTS (SELECT … FROM t)} is {@code
 * SELECT (SELECT COUNT(*) FROM (SELECT … FROM t)) > 0}. The count is noisy, and so is what follows.
 */
final class Existence extends SqlShuttle {
  private Existence() {}

  /** Only without FROM: there a subquery reads nothing around it. */
  static SqlSelect rewritten(SqlSelect select) {
    boolean asked =
        select.getFrom() == null
            && select.getWhere() == null
            && Nodes.isPlain(select)
            && Nodes.isEmpty(select.getGroup());
    if (!asked) {
      return select;
    }
    List<SqlNode> items = new ArrayList<>();
    boolean found = false;
    for (SqlNode item : select.getSelectList()) {
      SqlNode made = item.accept(new Existence());
      found |= made != item;
      items.add(item.getKind() == SqlKind.EXISTS ? Nodes.as(made, "exists") : made);
    }
    return found ? Nodes.select(items, null, null, List.of(), select.getParserPosition()) : select;
  }

  @Override
  public SqlNode visit(SqlCall call) {
    if (call.getKind() == SqlKind.EXISTS) {
      SqlParserPos at = call.getParserPosition();
      SqlNode rows = Nodes.as(call.operand(0), "rows_found");
      SqlSelect count = Nodes.select(List.of(Nodes.countStar(at)), rows, null, List.of(), at);
      return SqlStdOperatorTable.GREATER_THAN.createCall(
          at, Nodes.scalar(count), SqlLiteral.createExactNumeric("0", at));
    }
    return call.isA(SqlKind.QUERY) ? call : super.visit(call);
  }
}
