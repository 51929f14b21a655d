package flexdp.sql.rewrite;

import flexdp.sql.function.AggregateNames;
import flexdp.sql.function.FunctionFinder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWindow;
import org.apache.calcite.sql.fun.SqlQuantifyOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.sql.util.SqlShuttle;

/** A select as it is bound: itself, or another that means the same and has a rule. */
public final class AstRewriter {
  private AstRewriter() {}

  /**
   * @param one whether only the first of its rows is wanted
   */
  public static SqlSelect of(SqlSelect select, boolean one) {
    return WholeWindows.rewritten(AgainstAll.rewritten(Existence.rewritten(select)), one);
  }

  /**
   * Whether there are such rows, as the answer: {@code SELECT EXISTS (SELECT … FROM t)} is {@code
   * SELECT (SELECT COUNT(*) FROM (SELECT … FROM t)) > 0}. The count is noisy, and so is what
   * follows.
   */
  private static final class Existence extends SqlShuttle {
    private Existence() {}

    /** Only without FROM: there a subquery reads nothing around it. */
    static SqlSelect rewritten(SqlSelect select) {
      boolean asked =
          select.getFrom() == null
              && select.getWhere() == null
              && SyntaxTrees.isPlain(select)
              && SyntaxTrees.isEmpty(select.getGroup());
      if (!asked) {
        return select;
      }
      List<SqlNode> items = new ArrayList<>();
      boolean found = false;
      for (SqlNode item : select.getSelectList()) {
        SqlNode made = item.accept(new Existence());
        found |= made != item;
        items.add(item.getKind() == SqlKind.EXISTS ? SyntaxTrees.as(made, "exists") : made);
      }
      return found
          ? SyntaxTrees.select(items, null, null, List.of(), select.getParserPosition())
          : select;
    }

    @Override
    public SqlNode visit(SqlCall call) {
      if (call.getKind() == SqlKind.EXISTS) {
        SqlParserPos at = call.getParserPosition();
        SqlNode rows = SyntaxTrees.as(call.operand(0), "rows_found");
        SqlSelect count =
            SyntaxTrees.select(List.of(SyntaxTrees.countStar(at)), rows, null, List.of(), at);
        return SqlStdOperatorTable.GREATER_THAN.createCall(
            at, SyntaxTrees.scalar(count), SqlLiteral.createExactNumeric("0", at));
      }
      return call.isA(SqlKind.QUERY) ? call : super.visit(call);
    }
  }

  /**
   * The largest of all groups: {@code GROUP BY g HAVING COUNT(*) >= ALL (SELECT COUNT(*) … GROUP BY
   * g)} over the same rows is {@code QUALIFY COUNT(*) >= MAX(COUNT(*)) OVER ()}, and {@code WHERE n
   * >= ALL (SELECT n FROM t)} over all of t likewise. With ALL no value may be NULL.
   */
  private static final class AgainstAll {
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
      SqlNode bare = SyntaxTrees.bare(item);
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
          || !grouped && !SyntaxTrees.isEmpty(select.getGroup())) {
        return Optional.empty();
      }
      SqlCall call = (SqlCall) condition;
      SqlNode right = call.operand(1);
      SqlNode query = right instanceof SqlNodeList list && list.size() == 1 ? list.get(0) : right;
      if (!(query instanceof SqlSelect of) || !isOfSameRows(select, of, grouped)) {
        return Optional.empty();
      }
      SqlNode element = SyntaxTrees.bare(of.getSelectList().get(0));
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
      return SyntaxTrees.isPlain(of)
          && !of.isDistinct()
          && of.getSelectList().size() == 1
          && same(select.getFrom(), of.getFrom())
          && (grouped
              ? same(select.getWhere(), of.getWhere()) && same(select.getGroup(), of.getGroup())
              : of.getWhere() == null && SyntaxTrees.isEmpty(of.getGroup()));
    }

    private static boolean same(SqlNode one, SqlNode other) {
      return one == null || other == null ? one == other : SyntaxTrees.same(one, other);
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
              at, call.operand(0), overAll(extreme.createCall(at, SyntaxTrees.copy(element)), at));
      if (!all) {
        return Optional.of(holds);
      }
      SqlNode known =
          overAll(SqlStdOperatorTable.COUNT.createCall(at, SyntaxTrees.copy(element)), at);
      SqlNode complete =
          SqlStdOperatorTable.EQUALS.createCall(at, known, overAll(SyntaxTrees.countStar(at), at));
      return Optional.of(SyntaxTrees.both(complete, holds));
    }

    private static SqlNode overAll(SqlNode function, SqlParserPos at) {
      return SyntaxTrees.over(function, List.of(), List.of(), at);
    }
  }

  /**
   * Aggregates written as windows over whole partitions, of which one row each is kept: {@code
   * SELECT DISTINCT g, PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY x) OVER (PARTITION BY g) FROM t}
   * is {@code SELECT g, PERCENTILE_CONT(…) … FROM t GROUP BY g}. Every row of a partition shows the
   * same, so DISTINCT, or the first row where there is one partition, leaves what GROUP BY gives.
   */
  private static final class WholeWindows {
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
          SyntaxTrees.isPlain(select)
              && SyntaxTrees.isEmpty(select.getGroup())
              && select.getFrom() != null;
      return rows && (one || select.isDistinct())
          ? new WholeWindows(select).grouped(one && !select.isDistinct())
          : select;
    }

    private SqlSelect grouped(boolean one) {
      for (SqlNode item : select.getSelectList()) {
        SqlNode bare = SyntaxTrees.bare(item);
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
              && plain.stream()
                  .allMatch(p -> partition.stream().anyMatch(k -> SyntaxTrees.same(k, p)));
      if (other || !keys || one && !plain.isEmpty()) {
        return select;
      }
      return SyntaxTrees.select(
          items,
          select.getFrom(),
          select.getWhere(),
          SyntaxTrees.copies(plain),
          select.getParserPosition());
    }

    private void window(SqlCall over, SqlNode item) {
      SqlNode of = over.operand(0);
      boolean whole =
          over.operand(1) instanceof SqlWindow window
              && window.getRefName() == null
              && SyntaxTrees.isEmpty(window.getOrderList())
              && window.getLowerBound() == null
              && window.getUpperBound() == null
              && isAggregate(of)
              && isSame(window.getPartitionList());
      other |= !whole;
      items.add(
          item.getKind() == SqlKind.AS
              ? SyntaxTrees.as(of, SyntaxTrees.name(item).orElseThrow())
              : of);
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
          && keys.stream().allMatch(k -> partition.stream().anyMatch(p -> SyntaxTrees.same(k, p)));
    }
  }
}
