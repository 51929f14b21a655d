package flexdp.sql.text;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/** {@code SELECT name = value} of T-SQL, which selects no truths: a value and its name. */
final class SqlAliases {
  private SqlAliases() {}

  static SqlNode of(SqlNode tree) {
    List<SqlNode> stack = new ArrayList<>(List.of(tree));
    while (!stack.isEmpty()) {
      SqlNode next = stack.removeLast();
      if (next instanceof SqlSelect select) {
        select.setSelectList(named(select.getSelectList()));
      }
      Iterable<SqlNode> parts =
          switch (next) {
            case SqlCall call -> call.getOperandList();
            case SqlNodeList list -> list;
            default -> List.of();
          };
      for (SqlNode part : parts) {
        if (part != null) {
          stack.add(part);
        }
      }
    }
    return tree;
  }

  private static SqlNodeList named(SqlNodeList items) {
    SqlNodeList named = new SqlNodeList(items.getParserPosition());
    for (SqlNode item : items) {
      named.add(
          item.getKind() == SqlKind.EQUALS
                  && ((SqlCall) item).operand(0) instanceof SqlIdentifier name
                  && name.isSimple()
              ? SqlStdOperatorTable.AS.createCall(
                  item.getParserPosition(), ((SqlCall) item).operand(1), name)
              : item);
    }
    return named;
  }
}
