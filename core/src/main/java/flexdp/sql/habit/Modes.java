package flexdp.sql.habit;

import flexdp.sql.function.FunctionFinder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * The value that most rows have: {@code SELECT g, MODE(x) FROM t GROUP BY g} is the label of the
 * greatest count, {@code SELECT g, x FROM t WHERE x IS NOT NULL GROUP BY g, x QUALIFY ROW_NUMBER()
 * OVER (PARTITION BY g ORDER BY COUNT(*) DESC, x) = 1}. The counts are noisy, so what is shown is
 * chosen from a noisy histogram whose counts are thrown away: post-processing, whose choice is as
 * good as that of the exponential mechanism over the same counts.
 */
final class Modes {
  private Modes() {}

  static SqlSelect rewritten(SqlSelect select) {
    if (!Nodes.isPlain(select) || select.isDistinct() || select.getFrom() == null) {
      return select;
    }
    List<SqlNode> keys = new ArrayList<>();
    List<SqlNode> items = new ArrayList<>();
    Optional<SqlNode> of = Optional.empty();
    for (SqlNode item : select.getSelectList()) {
      Optional<SqlNode> here = of(Nodes.bare(item));
      if (here.isPresent() && of.isPresent()) {
        return select;
      }
      if (here.isPresent()) {
        of = here;
        String name = item.getKind() == SqlKind.AS ? Nodes.name(item).orElse("mode") : "mode";
        items.add(Nodes.as(Nodes.copy(here.get()), name));
      } else {
        keys.add(Nodes.bare(item));
        items.add(item);
      }
    }
    int grouped = Nodes.isEmpty(select.getGroup()) ? 0 : select.getGroup().size();
    return of.isEmpty() || grouped != keys.size() ? select : most(select, items, keys, of.get());
  }

  /** What the most frequent value is looked for of: MODE(x), MODE() WITHIN GROUP (ORDER BY x). */
  private static Optional<SqlNode> of(SqlNode node) {
    if (!(node instanceof SqlCall call)) {
      return Optional.empty();
    }
    if (call.getKind() == SqlKind.WITHIN_GROUP
        && call.operand(0) instanceof SqlCall mode
        && FunctionFinder.nameOf(mode).equals("MODE")
        && mode.operandCount() == 0
        && call.operand(1) instanceof SqlNodeList order
        && order.size() == 1) {
      SqlNode by = order.get(0);
      return Optional.of(by.getKind() == SqlKind.DESCENDING ? ((SqlCall) by).operand(0) : by);
    }
    return FunctionFinder.nameOf(call).equals("MODE")
            && call.operandCount() == 1
            && call.getFunctionQuantifier() == null
        ? Optional.of(call.operand(0))
        : Optional.empty();
  }

  private static SqlSelect most(
      SqlSelect select, List<SqlNode> items, List<SqlNode> keys, SqlNode of) {
    SqlParserPos at = of.getParserPosition();
    SqlNode known = SqlStdOperatorTable.IS_NOT_NULL.createCall(at, Nodes.copy(of));
    List<SqlNode> all = Nodes.copies(keys);
    all.add(Nodes.copy(of));
    SqlNode count = SqlStdOperatorTable.DESC.createCall(at, Nodes.countStar(at));
    return Nodes.select(
        items,
        select.getFrom(),
        Nodes.both(select.getWhere(), known),
        all,
        Nodes.first(Nodes.copies(keys), List.of(count, Nodes.copy(of)), at),
        select.getParserPosition());
  }
}
