package flexdp.forecast;

import flexdp.algebra.Equalities;
import flexdp.algebra.Equality;
import flexdp.algebra.Expr;
import flexdp.algebra.Relation;
import flexdp.algebra.Subquery;
import flexdp.metrics.ContributionProfile;
import flexdp.metrics.Metrics;
import flexdp.policy.Table;
import flexdp.properties.Lineage;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** About which rows there are, from released numbers and the structure of a question. */
final class CardinalityEstimator {
  private final Metrics metrics;

  /**
   * @param metrics of which the released ones are read, and those of public tables
   */
  CardinalityEstimator(Metrics metrics) {
    this.metrics = metrics;
  }

  CardinalityEstimate of(Relation relation) {
    return switch (relation) {
      case Relation.Scan scan -> table(scan.table());
      case Relation.Values values ->
          new CardinalityEstimate(values.rows().size(), 1, List.of(), List.of());
      case Relation.Filter filter ->
          of(filter.input()).kept(new Selectivity(filter.input()).of(filter.predicate()));
      case Relation.Where where -> asked(where);
      case Relation.Project project -> of(project.input());
      case Relation.Attach attach -> of(attach.input());
      case Relation.Window window -> of(window.input());
      case Relation.Distinct distinct -> of(distinct.input());
      case Relation.TopRows top -> of(top.input());
      case Relation.Limit limit -> limited(limit);
      case Relation.Join join -> joined(join);
      case Relation.Aggregate aggregate -> grouped(aggregate);
      case Relation.SetOperation set -> together(set);
      case Relation.Released ignored -> CardinalityEstimate.UNKNOWN;
    };
  }

  private CardinalityEstimate table(Table table) {
    Optional<ContributionProfile> profile = metrics.profile(table.name(), Optional.empty());
    if (profile.isPresent()) {
      ContributionProfile people = profile.get();
      return new CardinalityEstimate(
          people.total(), 1, people.groupsAndTail(), List.of(table.name()));
    }
    Optional<BigInteger> rows =
        table.isPublic()
            ? metrics.table(table.name()).rows()
            : metrics.released(table.name()).flatMap(r -> r.values().rows());
    return rows.map(
            n -> new CardinalityEstimate(n.doubleValue(), 1, List.of(), List.of(table.name())))
        .orElse(CardinalityEstimate.UNKNOWN);
  }

  /** Of its people, those who are in what a row is asked about; or who are not. */
  private CardinalityEstimate asked(Relation.Where where) {
    CardinalityEstimate cardinality =
        of(where.input()).kept(new Selectivity(where.input()).of(where.predicate()));
    for (Subquery subquery : where.subqueries()) {
      double share = of(subquery.relation()).count() / of(where.input()).count();
      boolean conjunct =
          Equalities.conjuncts(where.predicate()).stream()
              .anyMatch(c -> c instanceof Expr.Ref r && r.column() == subquery.output().id());
      if (subquery instanceof Subquery.Exists exists && conjunct && share < 1) {
        cardinality = cardinality.ofPeople(exists.negated() ? 1 - share : share);
      }
    }
    return cardinality;
  }

  private CardinalityEstimate limited(Relation.Limit limit) {
    CardinalityEstimate all = of(limit.input());
    boolean fewer = limit.count().isPresent() && limit.count().getAsLong() < all.rows();
    return fewer ? all.kept(limit.count().getAsLong() / all.rows()) : all;
  }

  /** A row that finds at most one partner stays one row, and some find none. */
  private CardinalityEstimate joined(Relation.Join join) {
    CardinalityEstimate left = of(join.left());
    CardinalityEstimate right = of(join.right());
    CardinalityEstimate joined;
    if (isUnique(join, join.right(), false)) {
      joined = matched(left, right, join.kind() == Relation.JoinKind.INNER);
    } else if (isUnique(join, join.left(), true)) {
      joined = matched(right, left, true);
    } else {
      return CardinalityEstimate.UNKNOWN;
    }
    return joined;
  }

  private static CardinalityEstimate matched(
      CardinalityEstimate rows, CardinalityEstimate partners, boolean inner) {
    CardinalityEstimate known =
        rows.isKnown() || !partners.isKnown() ? rows : CardinalityEstimate.UNKNOWN;
    if (!inner || partners.share() == 1) {
      return known;
    }
    return partners.hasOneRowEach()
        ? known.ofPeople(partners.share())
        : known.kept(partners.share());
  }

  /** Whether each row of the other side finds at most one of this. */
  private static boolean isUnique(Relation.Join join, Relation side, boolean left) {
    Set<Integer> one = ids(join.left());
    Set<Integer> two = ids(join.right());
    List<List<Equality>> equal = Equalities.of(join.condition(), one, two);
    if (equal.size() != 1) {
      return false;
    }
    Set<Relation> scans = new HashSet<>();
    Set<String> names = new HashSet<>();
    for (Equality equality : equal.getFirst()) {
      Lineage column = Lineage.of(side, left ? equality.left() : equality.right());
      Relation made = column.relation();
      while (made instanceof Relation.Filter filter) {
        made = filter.input();
      }
      if (made instanceof Relation.Aggregate) {
        return false;
      }
      if (made instanceof Relation.Scan scan) {
        scans.add(scan);
        names.add(column.column().name());
      }
    }
    return scans.size() == 1
        && rowsOf(side, scans.iterator().next())
        && ((Relation.Scan) scans.iterator().next())
            .table().uniqueKeys().stream().anyMatch(names::containsAll);
  }

  /** Whether no row of the scan stands in several rows of the relation. */
  private static boolean rowsOf(Relation relation, Relation scan) {
    return switch (relation) {
      case Relation.Scan s -> s.equals(scan);
      case Relation.Filter r -> rowsOf(r.input(), scan);
      case Relation.Where r -> rowsOf(r.input(), scan);
      case Relation.Project r -> rowsOf(r.input(), scan);
      case Relation.Limit r -> rowsOf(r.input(), scan);
      case Relation.Distinct r -> rowsOf(r.input(), scan);
      case Relation.TopRows r -> rowsOf(r.input(), scan);
      case Relation.Window r -> rowsOf(r.input(), scan);
      case Relation.Attach r -> rowsOf(r.input(), scan);
      case Relation.Join r ->
          isUnique(r, r.right(), false) && rowsOf(r.left(), scan)
              || isUnique(r, r.left(), true) && rowsOf(r.right(), scan);
      case Relation.Aggregate ignored -> false;
      case Relation.SetOperation ignored -> false;
      case Relation.Values ignored -> false;
      case Relation.Released ignored -> false;
    };
  }

  private static Set<Integer> ids(Relation relation) {
    return relation.columns().stream().map(c -> c.id()).collect(Collectors.toSet());
  }

  /** A group for each person where people are among the keys, or one for each of few labels. */
  private CardinalityEstimate grouped(Relation.Aggregate aggregate) {
    CardinalityEstimate rows = of(aggregate.input());
    double labels = 1;
    for (int i = 0; i < aggregate.keys().size(); i++) {
      Lineage key = Lineage.of(aggregate.input(), aggregate.keys().get(i).id());
      if (isOwner(key)) {
        return aggregate.keys().size() == 1 ? rows.eachOnce() : rows;
      }
      if (isOfOne(key)) {
        return rows.fewer();
      }
      labels *= key.domain().map(d -> (double) d.size()).orElse(Double.POSITIVE_INFINITY);
    }
    return labels < rows.rows()
        ? new CardinalityEstimate(labels, rows.share(), List.of(), rows.from())
        : rows;
  }

  /** Whether the owner says that each value stands in rows of one person, as a session does. */
  private static boolean isOfOne(Lineage key) {
    return key.relation() instanceof Relation.Scan scan
        && scan.table().ownership().sameOwner().contains(key.column().name());
  }

  private static boolean isOwner(Lineage key) {
    return key.relation() instanceof Relation.Scan scan
        && scan.table().ownership().owners().stream()
            .anyMatch(o -> o.hops().isEmpty() && o.column().equals(key.column().name()));
  }

  private CardinalityEstimate together(Relation.SetOperation set) {
    CardinalityEstimate left = of(set.left());
    if (set.kind() != Relation.SetKind.UNION) {
      return left;
    }
    CardinalityEstimate right = of(set.right());
    List<String> from = new ArrayList<>(left.from());
    right.from().stream().filter(t -> !from.contains(t)).forEach(from::add);
    return new CardinalityEstimate(left.rows() + right.rows(), 1, List.of(), from);
  }

  /** The column that an expression shows as it is, but for its type. */
  static Optional<Expr.Ref> ref(Expr expr) {
    Expr bare = expr;
    while (bare instanceof Expr.Cast cast) {
      bare = cast.operand();
    }
    return bare instanceof Expr.Ref ref ? Optional.of(ref) : Optional.empty();
  }

  /** The table and column that an expression shows as they are. */
  static Optional<Lineage> column(Relation over, Expr expr) {
    return ref(expr).map(ref -> Lineage.of(over, ref.column()));
  }
}
