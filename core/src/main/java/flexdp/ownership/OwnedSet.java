package flexdp.ownership;

import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.algebra.Relation.Project.Output;
import flexdp.algebra.Relation.SetKind;
import flexdp.policy.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * O-UNION-ALL: both sides owned; positions tagged alike stay tagged.
 *
 * <p>O-SET: UNION, INTERSECT and EXCEPT of two owned sides with a position that is tagged alike and
 * never NULL: rows that are compared as equal are one person's.
 *
 * <p>O-SET-FREE: INTERSECT and EXCEPT with a free right side, the left having a column that keeps
 * people's rows apart.
 */
final class OwnedSet {
  private final OwnedRelations rules;
  private final Relation.SetOperation set;
  private final OwnedRelation left;
  private final OwnedRelation right;

  private OwnedSet(OwnedRelations rules, Relation.SetOperation set) {
    this.rules = rules;
    this.set = set;
    this.left = rules.part(set.left());
    this.right = rules.part(set.right());
  }

  static OwnedRelation of(OwnedRelations rules, Relation.SetOperation set) {
    OwnedSet rule = new OwnedSet(rules, set);
    return rule.both().or(rule::besideFree).orElseGet(rule::nobodys);
  }

  private Optional<OwnedRelation> both() {
    if (left.owned().isEmpty() || right.owned().isEmpty()) {
      return Optional.empty();
    }
    Map<Integer, OwnerDeterminant> tags = new HashMap<>();
    for (int i = 0; i < set.columns().size(); i++) {
      OwnerDeterminant one = left.owned().get().tags().get(set.left().columns().get(i).id());
      OwnerDeterminant two = right.owned().get().tags().get(set.right().columns().get(i).id());
      if (one != null && two != null && one.isAlike(two) && isSameType(i)) {
        tags.put(set.columns().get(i).id(), one.orNull(two.nullable()));
      }
    }
    boolean unionAll = set.kind() == SetKind.UNION && set.all();
    boolean alike = tags.values().stream().anyMatch(determinant -> !determinant.nullable());
    if (!unionAll && !rules.require("O-SET.ALIKE", alike)) {
      return Optional.empty();
    }
    Column one = left.owned().get().owner();
    Column two = right.owned().get().owner();
    for (int i = 0; i < set.columns().size(); i++) {
      boolean here = set.left().columns().get(i).id() == one.id();
      if (here && set.right().columns().get(i).id() == two.id()) {
        return Optional.of(
            OwnedRelation.of(
                combined(rules.bare(set.left()), rules.bare(set.right()), set.columns()),
                new RelationOwner(set.columns().get(i), tags)));
      }
    }
    Column owner = rules.ids().column("owner", one.type(), false);
    List<Column> columns = new ArrayList<>(set.columns());
    columns.add(owner);
    return Optional.of(
        OwnedRelation.of(
            combined(shown(left, set.left(), one), shown(right, set.right(), two), columns),
            new RelationOwner(owner, tags)));
  }

  private boolean isSameType(int position) {
    return set.left()
        .columns()
        .get(position)
        .type()
        .equals(set.right().columns().get(position).type());
  }

  /** The columns in their places, the owner last. */
  private Relation shown(OwnedRelation part, Relation side, Column owner) {
    List<Output> outputs = new ArrayList<>();
    side.columns().forEach(c -> outputs.add(new Output(c, c.ref())));
    Column last = rules.ids().column("owner", owner.type(), false);
    outputs.add(new Output(last, owner.ref()));
    return new Relation.Project(part.relation(), outputs);
  }

  private Relation combined(Relation one, Relation other, List<Column> columns) {
    return new Relation.SetOperation(set.kind(), set.all(), one, other, columns, set.at());
  }

  /** The owner is looked up again by the column that fixes it. */
  private Optional<OwnedRelation> besideFree() {
    if (set.kind() == SetKind.UNION
        || left.owned().isEmpty()
        || !rules.require("O-SET-FREE", rules.isFree(set.right()))) {
      return Optional.empty();
    }
    RelationOwner owned = left.owned().get();
    Map<Integer, OwnerDeterminant> tags = new HashMap<>();
    int fixing = -1;
    for (int i = 0; i < set.columns().size(); i++) {
      Column from = set.left().columns().get(i);
      OwnerDeterminant determinant = owned.tags().get(from.id());
      // The result has the type of both sides; where it is another, values were converted.
      if (determinant != null && from.type().equals(set.columns().get(i).type())) {
        tags.put(set.columns().get(i).id(), determinant);
        boolean sure = rules.require("O-APART.NOT-NULL", !determinant.nullable());
        fixing = sure && fixing < 0 ? i : fixing;
      }
    }
    if (fixing < 0) {
      return Optional.empty();
    }
    Column from = set.left().columns().get(fixing);
    Column value = rules.ids().column("key", from.type(), false);
    Column owner = rules.ids().column("owner", owned.owner().type(), false);
    Relation owners =
        new Relation.Distinct(
            new Relation.Project(
                left.relation(),
                List.of(new Output(value, from.ref()), new Output(owner, owned.owner().ref()))));
    Expr same =
        new Expr.Call(
            Function.EQ, List.of(set.columns().get(fixing).ref(), value.ref()), Type.BOOLEAN);
    Relation kept = combined(rules.bare(set.left()), rules.bare(set.right()), set.columns());
    return Optional.of(
        OwnedRelation.of(
            new Relation.Join(Relation.JoinKind.INNER, kept, owners, same, set.at()),
            new RelationOwner(owner, tags)));
  }

  private OwnedRelation nobodys() {
    return OwnedRelation.nobodys(
        combined(rules.bare(set.left()), rules.bare(set.right()), set.columns()));
  }
}
