package flexdp.sql.bind;

import flexdp.algebra.Expr;
import java.util.Optional;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;

/**
 * Where an expression stands: what its names mean and what it may contain.
 *
 * @param clause for messages: WHERE, ON, GROUP BY ...
 * @param sink takes the subqueries
 * @param aggregation takes the aggregate functions, where they are allowed
 * @param windows takes the window functions, where they are allowed
 * @param aliases names of the select list, where they may be used
 * @param selected results of this SELECT by name, where error bars may be asked for
 * @param mayCorrelate whether columns of the query around may be read
 */
record ExpressionContext(
    Scope scope,
    TableExpressions ctes,
    String clause,
    ExpressionInputs sink,
    Optional<SelectAggregates> aggregation,
    Optional<WindowBinder> windows,
    Optional<Aliases> aliases,
    Optional<Selected> selected,
    boolean mayCorrelate) {

  /** Finds what an alias of the select list stands for; null when there is none. */
  interface Aliases {
    SqlNode find(String name);
  }

  /** Finds a result of the select list; null when there is none of that name. */
  interface Selected {
    Expr find(SqlIdentifier name);
  }

  static ExpressionContext of(
      Scope scope, TableExpressions ctes, String clause, ExpressionInputs sink) {
    return new ExpressionContext(
        scope,
        ctes,
        clause,
        sink,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        false);
  }

  ExpressionContext correlating() {
    return new ExpressionContext(
        scope, ctes, clause, sink, aggregation, windows, aliases, selected, true);
  }

  ExpressionContext aggregating(SelectAggregates into) {
    return new ExpressionContext(
        scope, ctes, clause, sink, Optional.of(into), windows, aliases, selected, mayCorrelate);
  }

  ExpressionContext windowing(WindowBinder into) {
    return new ExpressionContext(
        scope, ctes, clause, sink, aggregation, Optional.of(into), aliases, selected, mayCorrelate);
  }

  ExpressionContext into(ExpressionInputs other, String newClause) {
    return new ExpressionContext(
        scope, ctes, newClause, other, aggregation, windows, aliases, selected, mayCorrelate);
  }

  ExpressionContext withoutWindows() {
    return new ExpressionContext(
        scope, ctes, clause, sink, aggregation, Optional.empty(), aliases, selected, mayCorrelate);
  }

  ExpressionContext knowing(Aliases names) {
    return new ExpressionContext(
        scope,
        ctes,
        clause,
        sink,
        aggregation,
        windows,
        Optional.of(names),
        selected,
        mayCorrelate);
  }

  /** This place, where error bars of results may be asked for. */
  ExpressionContext selecting(Selected results) {
    return new ExpressionContext(
        scope,
        ctes,
        clause,
        sink,
        aggregation,
        windows,
        aliases,
        Optional.of(results),
        mayCorrelate);
  }

  /** This place without aliases, for what an alias stands for. */
  ExpressionContext withoutAliases() {
    return new ExpressionContext(
        scope, ctes, clause, sink, aggregation, windows, Optional.empty(), selected, mayCorrelate);
  }

  /** The arguments of an aggregate function: plain rows again. */
  ExpressionContext insideAggregate(ExpressionInputs below) {
    return new ExpressionContext(
        scope,
        ctes,
        "an aggregate function",
        below,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        false);
  }

  /** The arguments of a window function. */
  ExpressionContext insideWindow() {
    return new ExpressionContext(
        scope,
        ctes,
        "a window function",
        sink,
        aggregation,
        Optional.empty(),
        aliases,
        Optional.empty(),
        false);
  }
}
