package flexdp.ownership;

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
record RelationOwner(
    Column owner, Map<Integer, OwnerDeterminant> tags, Map<Integer, SameOwner> kinships) {
  RelationOwner {
    tags = Map.copyOf(tags);
    kinships = Map.copyOf(kinships);
    // Whatever an operator says of its type: somebody owns every row.
    owner = new Column(owner.id(), owner.name(), owner.type(), false);
  }

  /** Nothing is said beside tags. */
  RelationOwner(Column owner, Map<Integer, OwnerDeterminant> tags) {
    this(owner, tags, Map.of());
  }

  /** Without the tags of columns that are gone. */
  RelationOwner keeping(IntPredicate kept) {
    Map<Integer, OwnerDeterminant> some = new HashMap<>(tags);
    some.keySet().removeIf(id -> !kept.test(id));
    Map<Integer, SameOwner> others = new HashMap<>(kinships);
    others.keySet().removeIf(id -> !kept.test(id));
    return new RelationOwner(owner, some, others);
  }

  /** Tags of a side that a join may pad. */
  Map<Integer, OwnerDeterminant> padded(boolean may) {
    Map<Integer, OwnerDeterminant> all = new HashMap<>();
    tags.forEach((id, determinant) -> all.put(id, determinant.orNull(may)));
    return all;
  }

  /** The column that an expression is, as it is: what is converted may merge people. */
  static Optional<Integer> column(Expr expr) {
    return expr instanceof Expr.Ref ref ? Optional.of(ref.column()) : Optional.empty();
  }
}
