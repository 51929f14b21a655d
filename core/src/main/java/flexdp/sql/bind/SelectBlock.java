package flexdp.sql.bind;

import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.Relation;
import flexdp.algebra.Subquery;
import flexdp.sql.function.ColumnIdSequence;
import flexdp.sql.join.FromTree;
import flexdp.sql.join.JoinTreeBuilder;
import java.util.List;

/**
 * FROM and WHERE of one SELECT.
 *
 * @param conjuncts conditions on its own rows
 * @param subqueries what {@code filters} ask about
 * @param filters conditions with subqueries in them
 * @param correlated conditions that read the query around
 * @param first the first column id made by FROM
 * @param end one more than the last
 */
record SelectBlock(
    Scope scope,
    FromTree tree,
    List<Expr> conjuncts,
    List<Subquery> subqueries,
    List<Expr> filters,
    List<Expr> correlated,
    int first,
    int end) {

  Relation relation(ColumnIdSequence ids) {
    Relation rows = new JoinTreeBuilder(ids).arrange(tree, conjuncts);
    return subqueries.isEmpty() ? rows : new Relation.Where(rows, subqueries, Exprs.and(filters));
  }

  /** Whether a column comes from this FROM. */
  boolean owns(int column) {
    return first <= column && column < end;
  }
}
