package flexdp.ownership;

import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.algebra.Relation.JoinKind;
import flexdp.algebra.Relation.Project.Output;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * O-INNER: aligned, or one side owned and the other free.
 *
 * <p>O-LEFT: aligned, or the left owned and the right free. Not a free left with an owned right:
 * rows without partner appear when a person leaves.
 *
 * <p>O-FULL: aligned; the owner is that of whichever side is there.
 */
final class OwnedJoin {
  private final OwnedRelations rules;
  private final Relation.Join join;
  private final OwnedRelation left;
  private final OwnedRelation right;

  private OwnedJoin(OwnedRelations rules, Relation.Join join) {
    this.rules = rules;
    this.join = join;
    this.left = rules.part(join.left());
    this.right = rules.part(join.right());
  }

  static OwnedRelation of(OwnedRelations rules, Relation.Join join) {
    OwnedJoin rule = new OwnedJoin(rules, join);
    return rules.isAligned(join.condition(), rule.left.owned(), rule.right.owned())
        ? rule.aligned()
        : rule.apart();
  }

  private OwnedRelation aligned() {
    RelationOwner one = left.owned().orElseThrow();
    RelationOwner two = right.owned().orElseThrow();
    Relation.Join both =
        new Relation.Join(
            join.kind(),
            left.relation(),
            right.relation(),
            OwnedRelations.withOwners(join.condition(), one, two),
            join.at());
    boolean leftSure = rules.require("O-FULL.PADDED", join.kind() != JoinKind.FULL);
    boolean rightSure = rules.require("O-LEFT.PADDED", join.kind() == JoinKind.INNER);
    Map<Integer, OwnerDeterminant> tags = new HashMap<>(one.padded(!leftSure));
    tags.putAll(two.padded(!rightSure));
    if (join.kind() != JoinKind.FULL) {
      Map<Integer, SameOwner> kinships = new HashMap<>(one.kinships());
      if (join.kind() == JoinKind.INNER) {
        kinships.putAll(two.kinships());
      }
      return OwnedRelation.of(both, new RelationOwner(one.owner(), tags, kinships));
    }
    Column owner = rules.ids().column("owner", one.owner().type(), false);
    Expr either =
        new Expr.Call(
            Function.COALESCE, List.of(one.owner().ref(), two.owner().ref()), owner.type());
    List<Output> outputs = new ArrayList<>();
    both.columns().forEach(c -> outputs.add(new Output(c, c.ref())));
    outputs.add(new Output(owner, either));
    return OwnedRelation.of(new Relation.Project(both, outputs), new RelationOwner(owner, tags));
  }

  private OwnedRelation apart() {
    boolean rightFree =
        rules.require("O-INNER.FREE", rules.isFree(join.right()))
            && rules.require("O-FULL.ALIGNED", join.kind() != JoinKind.FULL);
    boolean leftFree =
        rules.isFree(join.left()) && rules.require("O-LEFT.SIDE", join.kind() == JoinKind.INNER);
    Optional<RelationOwner> owned =
        rightFree && left.owned().isPresent()
            ? left.owned()
            : leftFree ? right.owned() : Optional.empty();
    return new OwnedRelation(
        new Relation.Join(
            join.kind(), left.relation(), right.relation(), join.condition(), join.at()),
        owned);
  }
}
