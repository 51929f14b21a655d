package flexdp.sql.bind;

import flexdp.sql.function.AggregateNames;
import flexdp.sql.function.FunctionFinder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlUtil;
import org.apache.calcite.sql.fun.SqlQuantifyOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlBasicVisitor;

/**
 * {@code x > ALL (…)} and its kin, not negated: NOT (x &gt; ALL s) is x &lt;= ANY s, with NULL too.
 *
 * @param some whether one element is enough
 */
record QuantifiedComparison(
    SqlNode left, SqlKind comparison, boolean some, SqlNode right, SqlParserPos at) {
  private static final String ROWS = "quantified";
  private static final String VALUE = "element";

  static QuantifiedComparison of(SqlCall call, boolean negated) {
    SqlKind comparison = ((SqlQuantifyOperator) call.getOperator()).comparisonKind;
    boolean some = call.getKind() == SqlKind.SOME;
    return new QuantifiedComparison(
        call.operand(0),
        negated ? comparison.negateNullSafe() : comparison,
        some != negated,
        call.operand(1),
        call.getParserPosition());
  }

  /** The subquery; null of a list. */
  SqlNode query() {
    SqlNode only = right instanceof SqlNodeList list && list.size() == 1 ? list.get(0) : right;
    return only.isA(SqlKind.QUERY) ? only : null;
  }

  /** x = ANY (SELECT …) is IN, x &lt;&gt; ALL (SELECT …) is NOT IN. */
  boolean isMembership() {
    return some ? comparison == SqlKind.EQUALS : comparison == SqlKind.NOT_EQUALS;
  }

  /** One comparison for each element of a list, or IN. */
  SqlNode listed() {
    SqlNode only = right instanceof SqlNodeList list && list.size() == 1 ? list.get(0) : right;
    List<SqlNode> elements = DialectMeanings.elements(only);
    if (elements == null) {
      elements = right instanceof SqlNodeList list ? list : List.of(right);
    }
    if (isMembership()) {
      SqlOperator in = some ? SqlStdOperatorTable.IN : SqlStdOperatorTable.NOT_IN;
      return in.createCall(at, left, new SqlNodeList(elements, at));
    }
    if (elements.isEmpty()) {
      return SqlLiteral.createBoolean(!some, at);
    }
    List<SqlNode> comparisons = new ArrayList<>();
    elements.forEach(element -> comparisons.add(compared(comparison, element)));
    return joined(comparisons, some);
  }

  /**
   * What is true where the comparison is: with the least or the greatest element, which are of one
   * row each. Of no rows ALL is true; one NULL among them keeps it from being so.
   */
  SqlNode byExtremes() {
    if (isOneRow()) {
      return compared(comparison, SqlStdOperatorTable.SCALAR_QUERY.createCall(at, query()));
    }
    SqlNode least = scalar(SqlStdOperatorTable.MIN.createCall(at, element()));
    SqlNode greatest = scalar(SqlStdOperatorTable.MAX.createCall(at, element()));
    boolean up = comparison == SqlKind.GREATER_THAN || comparison == SqlKind.GREATER_THAN_OR_EQUAL;
    boolean either = comparison == SqlKind.EQUALS || comparison == SqlKind.NOT_EQUALS;
    SqlNode holds =
        either
            ? joined(List.of(compared(comparison, least), compared(comparison, greatest)), some)
            : compared(comparison, up == some ? least : greatest);
    if (some) {
      return holds;
    }
    SqlNode rows = SqlStdOperatorTable.COUNT.createCall(at, SqlIdentifier.star(at));
    SqlNode known = SqlStdOperatorTable.COUNT.createCall(at, element());
    SqlNode missing = SqlStdOperatorTable.MINUS.createCall(at, rows, known);
    SqlNode zero = SqlLiteral.createExactNumeric("0", at);
    SqlNode none = SqlStdOperatorTable.EQUALS.createCall(at, scalar(rows), zero);
    SqlNode complete = SqlStdOperatorTable.EQUALS.createCall(at, scalar(missing), zero);
    return joined(List.of(none, joined(List.of(complete, holds), false)), true);
  }

  /** What stands for an element: the item of a plain SELECT, which may read the query around. */
  private SqlNode element() {
    return isPlain()
        ? SqlUtil.stripAs(((SqlSelect) query()).getSelectList().get(0)).clone(at)
        : new SqlIdentifier(List.of(ROWS, VALUE), at);
  }

  /** An aggregate of all rows. */
  private boolean isOneRow() {
    return query() instanceof SqlSelect select
        && select.getSelectList().size() == 1
        && select.getGroup() == null
        && select.getHaving() == null
        && select.getQualify() == null
        && select.getFetch() == null
        && select.getOffset() == null
        && has(select.getSelectList().get(0), QuantifiedComparison::isAggregate)
        && !has(select.getSelectList().get(0), call -> call.getKind() == SqlKind.OVER);
  }

  private boolean isPlain() {
    return query() instanceof SqlSelect select
        && select.getSelectList().size() == 1
        && !isAggregated(select.getSelectList().get(0))
        && select.getGroup() == null
        && select.getHaving() == null
        && select.getQualify() == null
        && select.getFetch() == null
        && select.getOffset() == null;
  }

  private static boolean isAggregated(SqlNode item) {
    return item instanceof SqlIdentifier id && id.isStar()
        || has(item, call -> call.getKind() == SqlKind.OVER || isAggregate(call));
  }

  private static boolean isAggregate(SqlCall call) {
    return AggregateNames.isAggregate(FunctionFinder.nameOf(call), call);
  }

  private static boolean has(SqlNode item, Predicate<SqlCall> what) {
    boolean[] found = {false};
    item.accept(
        new SqlBasicVisitor<Void>() {
          @Override
          public Void visit(SqlCall call) {
            found[0] |= what.test(call);
            return super.visit(call);
          }
        });
    return found[0];
  }

  private SqlNode scalar(SqlNode aggregate) {
    SqlNode rows =
        SqlStdOperatorTable.AS.createCall(
            at, query().clone(at), new SqlIdentifier(ROWS, at), new SqlIdentifier(VALUE, at));
    SqlSelect plain = isPlain() ? (SqlSelect) query() : null;
    SqlSelect select =
        new SqlSelect(
            at,
            null,
            new SqlNodeList(List.of(aggregate), at),
            plain == null ? rows : plain.getFrom(),
            plain == null ? null : plain.getWhere(),
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null);
    return SqlStdOperatorTable.SCALAR_QUERY.createCall(at, select);
  }

  private SqlNode compared(SqlKind by, SqlNode element) {
    SqlOperator operator =
        switch (by) {
          case EQUALS -> SqlStdOperatorTable.EQUALS;
          case NOT_EQUALS -> SqlStdOperatorTable.NOT_EQUALS;
          case LESS_THAN -> SqlStdOperatorTable.LESS_THAN;
          case LESS_THAN_OR_EQUAL -> SqlStdOperatorTable.LESS_THAN_OR_EQUAL;
          case GREATER_THAN -> SqlStdOperatorTable.GREATER_THAN;
          case GREATER_THAN_OR_EQUAL -> SqlStdOperatorTable.GREATER_THAN_OR_EQUAL;
          default -> throw new IllegalArgumentException("not a comparison: " + by);
        };
    return operator.createCall(at, left, element);
  }

  private SqlNode joined(List<SqlNode> terms, boolean or) {
    SqlOperator operator = or ? SqlStdOperatorTable.OR : SqlStdOperatorTable.AND;
    return terms.stream().reduce((a, b) -> operator.createCall(at, a, b)).orElseThrow();
  }
}
