package flexdp.owned;

import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntPredicate;

/**
 * Whose each row of a relation is.
 *
 * @param owner a column of the relation, never NULL
 * @param tags columns whose values fix the owner, by id
 * @param kinships columns whose equal values are said to stand in rows of one person, by id
 */
record Owned(Column owner, Map<Integer, Tag> tags, Map<Integer, Kinship> kinships) {
  Owned {
    tags = Map.copyOf(tags);
    kinships = Map.copyOf(kinships);
    // Whatever an operator says of its type: somebody owns every row.
    owner = new Column(owner.id(), owner.name(), owner.type(), false);
  }

  /** Nothing is said beside tags. */
  Owned(Column owner, Map<Integer, Tag> tags) {
    this(owner, tags, Map.of());
  }

  /** Without the tags of columns that are gone. */
  Owned keeping(IntPredicate kept) {
    Map<Integer, Tag> some = new HashMap<>(tags);
    some.keySet().removeIf(id -> !kept.test(id));
    Map<Integer, Kinship> others = new HashMap<>(kinships);
    others.keySet().removeIf(id -> !kept.test(id));
    return new Owned(owner, some, others);
  }

  /** Tags of a side that a join may pad. */
  Map<Integer, Tag> padded(boolean may) {
    Map<Integer, Tag> all = new HashMap<>();
    tags.forEach((id, tag) -> all.put(id, tag.orNull(may)));
    return all;
  }

  /** The column that an expression is, as it is: what is converted may merge people. */
  static Optional<Integer> column(Expr expr) {
    return expr instanceof Expr.Ref ref ? Optional.of(ref.column()) : Optional.empty();
  }
}
