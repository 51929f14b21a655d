package flexdp.sensitivity;

import flexdp.algebra.Column;
import flexdp.algebra.Conversions;
import flexdp.algebra.Expr;
import flexdp.algebra.Relation;
import java.util.BitSet;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;

/** Which columns a relation has, and which of some expressions are columns. */
final class ColumnReferences {
  private ColumnReferences() {}

  static Set<Integer> ids(Relation relation) {
    return ids(relation.columns());
  }

  static Set<Integer> ids(Collection<Column> columns) {
    Set<Integer> ids = new TreeSet<>();
    columns.forEach(column -> ids.add(column.id()));
    return ids;
  }

  static Set<Integer> of(BitSet columns) {
    Set<Integer> ids = new TreeSet<>();
    columns.stream().forEach(ids::add);
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
