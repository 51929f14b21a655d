package flexdp.ownership;

import flexdp.algebra.Column;
import flexdp.algebra.Equalities;
import flexdp.algebra.Expr;
import flexdp.algebra.FreshColumns;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.policy.PrivacyUnit;
import flexdp.policy.Type;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which relations of a question are owned by one kind of people: r(x without p) is the rows of r(x)
 * whose owner is not p (guarantee §10). Why, throughout: every row that an operator looks at to
 * decide about a row of p is p's, or of no person of the kind.
 *
 * <p>O-FREE: a relation that reads no table of the kind does not change with its people.
 */
public final class OwnedRelations {
  private final PrivacyUnit.Person kind;
  private final FreshColumns ids;
  private final OwnershipConditions conditions;
  private final OwnedScans scans;
  private final Map<Relation, OwnedRelation> parts = new IdentityHashMap<>();
  private final Map<Relation, RelationOwner> owned = new IdentityHashMap<>();
  private final Map<Relation, Boolean> free = new IdentityHashMap<>();

  /**
   * @param scans what the tables are read as
   * @param ids of columns that are not in use
   */
  public OwnedRelations(PrivacyUnit.Person kind, OwnedScans scans, FreshColumns ids) {
    this(kind, scans, ids, OwnershipConditions.EXACT);
  }

  public OwnedRelations(
      PrivacyUnit.Person kind, OwnedScans scans, FreshColumns ids, OwnershipConditions conditions) {
    this.kind = kind;
    this.scans = scans;
    this.ids = ids;
    this.conditions = conditions;
  }

  /**
   * The relation in a form that shows owners where there are any. Its columns are among those of
   * the result, under the ids that they had.
   */
  public Relation rewritten(Relation relation) {
    return part(relation).relation();
  }

  /** The column that shows whose the rows of a rewritten relation are, if it is owned. */
  public Optional<Column> owner(Relation rewritten) {
    return Optional.ofNullable(owned.get(rewritten)).map(RelationOwner::owner);
  }

  /** Whether the value of a column, or NULL, fixes the owner of a row of a rewritten relation. */
  public boolean fixesOwner(Relation rewritten, int column) {
    RelationOwner known = owned.get(rewritten);
    return known != null && known.tags().containsKey(column);
  }

  /** Whether a column of a rewritten relation names the owner of its row, always. */
  public boolean isOwner(Relation rewritten, int column) {
    RelationOwner known = owned.get(rewritten);
    OwnerDeterminant determinant = known == null ? null : known.tags().get(column);
    return determinant != null && determinant.key().isEmpty() && !determinant.nullable();
  }

  /**
   * P-KEYS: whether equal values of a column of a rewritten relation stand in rows of one person,
   * or are said to. Counted for each person apart, she adds what she has, whatever others do.
   */
  public boolean isKey(Relation rewritten, int column) {
    RelationOwner known = owned.get(rewritten);
    return known != null
        && (known.tags().containsKey(column) || known.kinships().containsKey(column));
  }

  public PrivacyUnit.Person kind() {
    return kind;
  }

  OwnedRelation part(Relation relation) {
    OwnedRelation before = parts.get(relation);
    if (before == null) {
      before = isFree(relation) ? OwnedRelation.nobodys(relation) : ruled(relation);
      parts.put(relation, before);
      Relation made = before.relation();
      before.owned().ifPresent(o -> owned.put(made, o));
    }
    return before;
  }

  private OwnedRelation ruled(Relation relation) {
    return switch (relation) {
      case Relation.Scan scan -> scans.of(scan);
      case Relation.Values values -> OwnedRelation.nobodys(values);
      case Relation.Released released -> OwnedRelation.nobodys(released);
      case Relation.Filter filter -> OwnedFilter.of(this, filter);
      case Relation.Project project -> OwnedProject.of(this, project);
      case Relation.Join join -> OwnedJoin.of(this, join);
      case Relation.Where where -> OwnedSubquery.of(this, where);
      case Relation.Attach attach -> OwnedSubquery.of(this, attach);
      case Relation.Distinct distinct -> OwnedDistinct.of(this, distinct);
      case Relation.Aggregate aggregate -> OwnedGroup.of(this, aggregate);
      case Relation.SetOperation set -> OwnedSet.of(this, set);
      case Relation.Limit limit -> OwnedLimit.of(this, limit);
      case Relation.TopRows top -> OwnedWindow.of(this, top);
      case Relation.Window window -> OwnedWindow.of(this, window);
    };
  }

  boolean isFree(Relation relation) {
    Boolean before = free.get(relation);
    if (before == null) {
      before =
          relation instanceof Relation.Scan scan
              ? !scan.table().units().contains(kind)
              : relation.children().stream().allMatch(this::isFree);
      free.put(relation, before);
    }
    return before;
  }

  FreshColumns ids() {
    return ids;
  }

  boolean require(String name, boolean holds) {
    return conditions.require(name, holds);
  }

  /** Whether these columns keep people's rows apart: one fixes the owner and is never NULL. */
  boolean separates(String rule, Optional<RelationOwner> owned, Collection<Integer> columns) {
    return owned.isPresent()
        && require(
            rule,
            columns.stream()
                .map(owned.get().tags()::get)
                .anyMatch(
                    determinant ->
                        determinant != null
                            && require("O-APART.NOT-NULL", !determinant.nullable())));
  }

  /**
   * O-KIN: whether one of these columns, never NULL, is said to stand for rows of one person; then
   * the owner has to be added to them.
   */
  static boolean isKin(Optional<RelationOwner> owned, Collection<Integer> columns) {
    return owned
        .map(RelationOwner::kinships)
        .filter(
            all -> columns.stream().map(all::get).anyMatch(kin -> kin != null && !kin.nullable()))
        .isPresent();
  }

  /** The columns that expressions are, as they are: what is converted may merge people. */
  static List<Integer> columns(Collection<Expr> exprs) {
    return exprs.stream().flatMap(e -> RelationOwner.column(e).stream()).toList();
  }

  /** A relation without any owner to show: its own columns and no others. */
  Relation bare(Relation relation) {
    return OwnedRelation.only(rewritten(relation), relation.columns());
  }

  /**
   * O-ALIGNED: at the top level of the condition stands an equality, which NULL never meets, of two
   * columns that fix their owners by the same function. Rows that meet are then one person's.
   */
  boolean isAligned(Expr condition, Optional<RelationOwner> one, Optional<RelationOwner> other) {
    if (one.isEmpty() || other.isEmpty()) {
      return false;
    }
    for (Expr conjunct : Equalities.conjuncts(condition)) {
      if (conjunct instanceof Expr.Call call
          && (call.function() == Function.EQ || call.function() == Function.IS_NOT_DISTINCT)
          && conditions.require("O-ALIGNED.EQUAL", call.function() == Function.EQ)
          && call.arguments().get(0) instanceof Expr.Ref a
          && call.arguments().get(1) instanceof Expr.Ref b
          && a.type().equals(b.type())
          && (isAlike(one.get(), a, other.get(), b)
              || isAlike(one.get(), b, other.get(), a)
              || isKin(one.get(), a, other.get(), b)
              || isKin(one.get(), b, other.get(), a))) {
        return true;
      }
    }
    return false;
  }

  /** O-KIN of a join, to whose condition the owners are added: rows that meet are one person's. */
  private static boolean isKin(RelationOwner one, Expr.Ref a, RelationOwner other, Expr.Ref b) {
    SameOwner mine = one.kinships().get(a.column());
    SameOwner theirs = other.kinships().get(b.column());
    OwnerDeterminant determinant = one.tags().get(a.column());
    OwnerDeterminant key = other.tags().get(b.column());
    return mine != null && theirs != null && mine.isAlike(theirs)
        || mine != null && key != null && mine.isOf(key)
        || theirs != null && determinant != null && theirs.isOf(determinant);
  }

  private boolean isAlike(RelationOwner one, Expr.Ref a, RelationOwner other, Expr.Ref b) {
    OwnerDeterminant mine = one.tags().get(a.column());
    OwnerDeterminant theirs = other.tags().get(b.column());
    return conditions.require(
        "O-ALIGNED.TAG", mine != null && theirs != null && mine.isAlike(theirs));
  }

  /** The condition, and what follows from it: that both rows are one person's. */
  static Expr withOwners(Expr condition, RelationOwner one, RelationOwner other) {
    Expr same =
        new Expr.Call(Function.EQ, List.of(one.owner().ref(), other.owner().ref()), Type.BOOLEAN);
    return new Expr.Call(Function.AND, List.of(condition, same), Type.BOOLEAN);
  }

  static Set<Integer> idsOf(Collection<Column> columns) {
    Set<Integer> all = new TreeSet<>();
    columns.forEach(c -> all.add(c.id()));
    return all;
  }
}
