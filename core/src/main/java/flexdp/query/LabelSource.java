package flexdp.query;

import flexdp.algebra.Column;
import flexdp.algebra.Relation;
import java.util.List;

/** Where the values of some GROUP BY keys come from, without looking at protected rows. */
public sealed interface LabelSource {
  /** Indexes into the keys of the release point. */
  List<Integer> keys();

  /** A list that is known before any database is asked; values as in Expr.Literal, null allowed. */
  record Constants(List<Integer> keys, List<List<Object>> rows) implements LabelSource {}

  /**
   * The distinct rows of a relation over public tables only; its columns stand in the order of
   * {@code keys}. With {@code orNull} a row of NULLs is added, for labels above an outer join.
   */
  record FromPublic(List<Integer> keys, Relation relation, List<Column> columns, boolean orNull)
      implements LabelSource {}
}
