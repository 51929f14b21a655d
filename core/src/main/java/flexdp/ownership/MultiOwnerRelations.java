package flexdp.ownership;

import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Column;
import flexdp.algebra.Equalities;
import flexdp.algebra.Expr;
import flexdp.algebra.FreshColumns;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.algebra.Relation.JoinKind;
import flexdp.algebra.Relation.Project.Output;
import flexdp.algebra.Relation.SetKind;
import flexdp.failure.Position;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.policy.ColumnSpec;
import flexdp.policy.OwnerPath;
import flexdp.policy.Policy;
import flexdp.policy.PrivacyUnit;
import flexdp.policy.Table;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which relations have rows with sets of owners, of all kinds and tables together: r(x without p)
 * is the rows of r(x) whose set lacks p (guarantee §10).
 *
 * <p>Q-TABLE: tables with owners, and tables whose rows stand for themselves and have a key.
 *
 * <p>Q-FILTER, Q-PROJECT: each row by itself.
 *
 * <p>Q-INNER: any two such relations; the set of a joined row is the union. Also with public rows.
 *
 * <p>Q-SAME: owners of two sides are one where the condition has at its top level an equality of
 * columns that fix them by the same function: equal owners count once, and further joins know both.
 *
 * <p>Q-LEFT: with public rows on the right.
 *
 * <p>Q-UNION-ALL: of two such relations.
 *
 * <p>Q-ATOM: anything that is owned by one kind of people and reads nothing else that is protected.
 */
public final class MultiOwnerRelations {
  private final Policy policy;
  private final FreshColumns ids;
  private final OwnedTableRows tables;

  /** By the column of an owner, the columns whose values fix it. */
  private final Map<Integer, Map<Integer, OwnerDeterminant>> fixed = new HashMap<>();

  public MultiOwnerRelations(Policy policy, FreshColumns ids) {
    this.policy = policy;
    this.ids = ids;
    this.tables = new OwnedTableRows(policy, ids);
  }

  /**
   * @throws Rejection where there is no rule
   */
  public MultiOwnerRelation of(Relation relation) {
    if (AlgebraWalker.isPublic(relation)) {
      return new MultiOwnerRelation(relation, List.of());
    }
    return switch (relation) {
      case Relation.Scan scan -> table(scan);
      case Relation.Filter filter -> {
        MultiOwnerRelation input = of(filter.input());
        yield new MultiOwnerRelation(
            new Relation.Filter(input.relation(), filter.predicate()), input.owners());
      }
      case Relation.Project project -> project(project);
      case Relation.Join join -> join(join);
      case Relation.SetOperation set ->
          set.kind() == SetKind.UNION && set.all()
              ? unionAll(set)
              : atom(set, Optional.of(set.at()), set.kind().name());
      case Relation.Where where -> atom(where, Optional.empty(), "a subquery");
      case Relation.Attach attach -> atom(attach, Optional.empty(), "a subquery");
      case Relation.Distinct distinct -> atom(distinct, Optional.empty(), "DISTINCT");
      case Relation.Aggregate aggregate -> atom(aggregate, Optional.of(aggregate.at()), "GROUP BY");
      case Relation.Limit limit -> atom(limit, Optional.of(limit.at()), "LIMIT");
      case Relation.TopRows top -> atom(top, Optional.of(top.at()), "ROW_NUMBER");
      case Relation.Window window -> atom(window, Optional.empty(), "a window function");
      case Relation.Values values -> new MultiOwnerRelation(values, List.of());
      case Relation.Released ignored -> throw new IllegalStateException("above a release point");
    };
  }

  private MultiOwnerRelation table(Relation.Scan scan) {
    if (!scan.table().ownership().owners().isEmpty()) {
      List<OwnedTableRows.OwnerColumn> found = new ArrayList<>();
      Relation rows = tables.shared(scan, found);
      List<OwnerPath> paths = scan.table().ownership().owners();
      for (int i = 0; i < paths.size(); i++) {
        fixed.put(found.get(i).column().id(), tags(scan, paths.get(i), found.get(i).column()));
      }
      return new MultiOwnerRelation(
          rows,
          found.stream()
              .map(o -> new MultiOwnerRelation.Owner(o.kind().unit(), o.column()))
              .toList());
    }
    Column key =
        key(scan)
            .orElseThrow(
                () ->
                    refused(
                        "The rows of " + scan.table().name() + " have no name of their own.",
                        "The owner can declare a unique key of one column that is NOT NULL.",
                        Optional.of(scan.at())));
    // A row whose key is NULL all the same would be nobody's, and count for any number.
    Relation named = new Relation.Filter(scan, OwnedTableRows.isThere(key.ref()));
    return new MultiOwnerRelation(
        named,
        List.of(new MultiOwnerRelation.Owner(new PrivacyUnit.Row(scan.table().name()), key)));
  }

  private static Map<Integer, OwnerDeterminant> tags(
      Relation.Scan scan, OwnerPath path, Column owner) {
    Column named =
        path.hops().isEmpty()
            ? scan.columns().stream()
                .filter(c -> c.name().equals(path.column()))
                .findFirst()
                .orElseThrow()
            : owner;
    return new HashMap<>(OwnedScans.tags(scan.table(), scan.columns(), path, Optional.of(named)));
  }

  private static Optional<Column> key(Relation.Scan scan) {
    Table table = scan.table();
    return scan.columns().stream()
        .filter(c -> table.uniqueKeys().contains(Set.of(c.name())))
        .filter(c -> table.column(c.name()).map(ColumnSpec::nullable).orElse(true).equals(false))
        .findFirst();
  }

  private MultiOwnerRelation project(Relation.Project project) {
    MultiOwnerRelation input = of(project.input());
    List<Output> outputs = new ArrayList<>(project.outputs());
    for (MultiOwnerRelation.Owner owner : input.owners()) {
      if (outputs.stream().noneMatch(o -> o.column().id() == owner.column().id())) {
        outputs.add(new Output(owner.column(), owner.column().ref()));
      }
      Map<Integer, OwnerDeterminant> tags =
          fixed.getOrDefault(owner.column().id(), new HashMap<>());
      for (Output output : project.outputs()) {
        RelationOwner.column(output.expr())
            .map(tags::get)
            .ifPresent(determinant -> tags.put(output.column().id(), determinant));
      }
    }
    return new MultiOwnerRelation(new Relation.Project(input.relation(), outputs), input.owners());
  }

  private MultiOwnerRelation join(Relation.Join join) {
    boolean keeps =
        join.kind() == JoinKind.INNER
            || join.kind() == JoinKind.LEFT && AlgebraWalker.isPublic(join.right());
    if (!keeps) {
      return atom(join, Optional.of(join.at()), join.kind() + " JOIN");
    }
    MultiOwnerRelation left = of(join.left());
    MultiOwnerRelation right = of(join.right());
    List<MultiOwnerRelation.Owner> owners = new ArrayList<>(left.owners());
    for (MultiOwnerRelation.Owner owner : right.owners()) {
      Optional<MultiOwnerRelation.Owner> same =
          left.owners().stream().filter(other -> isSame(join, other, owner)).findFirst();
      if (same.isPresent()) {
        // Whatever fixes one of them fixes the other in the rows of the join.
        tags(same.get()).putAll(fixed.getOrDefault(owner.column().id(), Map.of()));
      } else {
        owners.add(owner);
      }
    }
    return new MultiOwnerRelation(
        new Relation.Join(
            join.kind(), left.relation(), right.relation(), join.condition(), join.at()),
        owners);
  }

  private Map<Integer, OwnerDeterminant> tags(MultiOwnerRelation.Owner owner) {
    return fixed.computeIfAbsent(owner.column().id(), id -> new HashMap<>());
  }

  private boolean isSame(
      Relation.Join join, MultiOwnerRelation.Owner one, MultiOwnerRelation.Owner other) {
    Map<Integer, OwnerDeterminant> mine = fixed.getOrDefault(one.column().id(), Map.of());
    Map<Integer, OwnerDeterminant> theirs = fixed.getOrDefault(other.column().id(), Map.of());
    return join.kind() == JoinKind.INNER
        && one.unit().equals(other.unit())
        && Equalities.conjuncts(join.condition()).stream()
            .anyMatch(
                c ->
                    c instanceof Expr.Call call
                        && call.function() == Function.EQ
                        && call.arguments().get(0) instanceof Expr.Ref a
                        && call.arguments().get(1) instanceof Expr.Ref b
                        && a.type().equals(b.type())
                        && (isAlike(mine.get(a.column()), theirs.get(b.column()))
                            || isAlike(mine.get(b.column()), theirs.get(a.column()))));
  }

  private static boolean isAlike(OwnerDeterminant one, OwnerDeterminant other) {
    return one != null && other != null && one.isAlike(other);
  }

  /** Each owner of one side stands beside as many NULLs of the other. */
  private MultiOwnerRelation unionAll(Relation.SetOperation set) {
    MultiOwnerRelation left = of(set.left());
    MultiOwnerRelation right = of(set.right());
    List<Column> columns = new ArrayList<>(set.columns());
    List<MultiOwnerRelation.Owner> owners = new ArrayList<>();
    List<Output> ones = shown(set.left());
    List<Output> others = shown(set.right());
    for (MultiOwnerRelation.Owner owner : left.owners()) {
      stand(owner, owner.column().ref(), nobody(owner), columns, owners, ones, others);
    }
    for (MultiOwnerRelation.Owner owner : right.owners()) {
      stand(owner, nobody(owner), owner.column().ref(), columns, owners, ones, others);
    }
    return new MultiOwnerRelation(
        new Relation.SetOperation(
            SetKind.UNION,
            true,
            new Relation.Project(left.relation(), ones),
            new Relation.Project(right.relation(), others),
            columns,
            set.at()),
        owners);
  }

  private static List<Output> shown(Relation relation) {
    List<Output> outputs = new ArrayList<>();
    relation.columns().forEach(c -> outputs.add(new Output(c, c.ref())));
    return outputs;
  }

  private static Expr nobody(MultiOwnerRelation.Owner owner) {
    return new Expr.Literal(null, owner.column().type());
  }

  private void stand(
      MultiOwnerRelation.Owner owner,
      Expr one,
      Expr other,
      List<Column> columns,
      List<MultiOwnerRelation.Owner> owners,
      List<Output> ones,
      List<Output> others) {
    Column column = fresh(owner);
    columns.add(column);
    owners.add(new MultiOwnerRelation.Owner(owner.unit(), column));
    ones.add(new Output(fresh(owner), one));
    others.add(new Output(fresh(owner), other));
  }

  private Column fresh(MultiOwnerRelation.Owner owner) {
    return ids.column("owner", owner.column().type(), true);
  }

  private MultiOwnerRelation atom(Relation relation, Optional<Position> at, String what) {
    Set<PrivacyUnit> units = AlgebraWalker.units(relation);
    if (units.size() == 1 && units.iterator().next() instanceof PrivacyUnit.Person person) {
      OwnedScans scans = new OwnedScans(person, false, ids);
      OwnedRelations owned = new OwnedRelations(person, scans, ids);
      Relation rewritten = owned.rewritten(relation);
      Optional<Column> owner = owned.owner(rewritten);
      if (owner.isPresent()) {
        return new MultiOwnerRelation(
            new OwnedTableExpansion(policy, scans, ids).of(rewritten),
            List.of(new MultiOwnerRelation.Owner(person, owner.get())));
      }
    }
    throw refused(
        "Rows with several owners stand under "
            + what
            + ", where one person's leaving can change others' rows.",
        "Use inner joins, filters and UNION ALL there, or group by the owner of the rows before"
            + " joining them.",
        at);
  }

  private static Rejection refused(String message, String hint, Optional<Position> at) {
    Rejection rejection = Rejection.of(RejectionCode.PEOPLE_UNSUPPORTED, message, hint);
    return at.map(rejection::orAt).orElse(rejection);
  }
}
