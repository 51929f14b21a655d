package flexdp.sensitivity;

import flexdp.algebra.Column;
import flexdp.algebra.Conversions;
import flexdp.algebra.Expr;
import flexdp.algebra.Relation;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;

/** Which columns an expression reads and a relation has. */
final class References {
  private References() {}

  static Set<Integer> of(Expr expr) {
    Set<Integer> columns = new TreeSet<>();
    collect(expr, columns);
    return columns;
  }

  private static void collect(Expr expr, Set<Integer> into) {
    switch (expr) {
      case Expr.Ref ref -> into.add(ref.column());
      case Expr.Literal ignored -> {}
      case Expr.Call call -> call.arguments().forEach(argument -> collect(argument, into));
      case Expr.Cast cast -> collect(cast.operand(), into);
      case Expr.Case cases -> {
        for (Expr.Case.Branch branch : cases.branches()) {
          collect(branch.condition(), into);
          collect(branch.value(), into);
        }
        cases.otherwise().ifPresent(other -> collect(other, into));
      }
    }
  }

  static Set<Integer> ids(Relation relation) {
    return ids(relation.columns());
  }

  static Set<Integer> ids(Collection<Column> columns) {
    Set<Integer> ids = new TreeSet<>();
    columns.forEach(column -> ids.add(column.id()));
    return ids;
  }

  /** The columns among expressions that are nothing but columns, converted without loss or not. */
  static Set<Integer> bare(Collection<Expr> exprs) {
    Set<Integer> ids = new TreeSet<>();
    for (Expr expr : exprs) {
      Conversions.column(expr).ifPresent(ref -> ids.add(ref.column()));
    }
    return ids;
  }
}
