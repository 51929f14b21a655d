package flexdp.plan;

import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.FreshColumns;
import flexdp.algebra.Relation;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.ownership.MultiOwnerRelation;
import flexdp.ownership.MultiOwnerRelations;
import flexdp.ownership.OwnedRelations;
import flexdp.ownership.OwnedScans;
import flexdp.ownership.OwnedTableExpansion;
import flexdp.ownership.ParentJoinElimination;
import flexdp.policy.Policy;
import flexdp.policy.PrivacyUnit;
import flexdp.policy.Table;
import flexdp.policy.Type;
import flexdp.query.Measurement;
import flexdp.query.NoisyAggregate;
import flexdp.sensitivity.PaddingElimination;
import flexdp.sensitivity.PublicBound;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Chooses how a release point is answered (guarantee §10): where a table has several owners, by
 * sets of owners; else by one kind of people who own every row, if all else that is protected has a
 * public bound; else by reading so many rows of each person.
 */
public final class ContributionBoundingChoice {
  private final NoisyAggregate point;
  private final Policy policy;
  private final FreshColumns ids;
  private final Set<Table> tables = new LinkedHashSet<>();

  private ContributionBoundingChoice(NoisyAggregate point, Policy policy) {
    this.point = point;
    this.policy = policy;
    List<Column> columns = new ArrayList<>(point.keys());
    point.measurements().forEach(m -> columns.add(m.output()));
    point.groupingIds().forEach(g -> columns.add(g.output()));
    this.ids = new FreshColumns(List.of(point.input()), columns);
    AlgebraWalker.visit(
        point.input(),
        r -> {
          if (r instanceof Relation.Scan scan && !scan.table().ownership().owners().isEmpty()) {
            tables.add(scan.table());
          }
        });
  }

  /**
   * @throws Rejection where no rule protects people
   */
  public static ContributionBounding of(NoisyAggregate point, Policy policy) {
    return new ContributionBoundingChoice(point, policy).route();
  }

  private ContributionBounding route() {
    if (tables.isEmpty()) {
      return new ContributionBounding.None();
    }
    PublicBound.requireTotalOrders(point.input());
    if (tables.stream().anyMatch(table -> table.ownership().isShared())) {
      return shared();
    }
    for (PrivacyUnit unit : AlgebraWalker.units(point.input())) {
      if (unit instanceof PrivacyUnit.Person person) {
        Optional<ContributionBounding> owned =
            owned(person, point.input()).or(() -> owned(person, PaddingElimination.of(point)));
        if (owned.isPresent()) {
          return owned.get();
        }
      }
    }
    return truncated();
  }

  /** A row that is its own person has a name of another kind than its neighbours' owners. */
  private void refuseKept() {
    for (Table table : tables) {
      if (table.ownership().keepsUnowned()) {
        throw refused(
            "Rows of "
                + table.name()
                + " are kept without an owner, and the question joins them with rows that have"
                + " several.",
            "Ask about each by itself. Or the owner leaves out unowned: keep; such rows are then"
                + " not there.");
      }
    }
  }

  private ContributionBounding shared() {
    refuseKept();
    for (Measurement measurement : point.measurements()) {
      if (!measurement.onlyGrows()) {
        throw refused(
                "Rows with several owners are counted, or summed where no value is below 0; "
                    + measurement.origin().aggregate()
                    + " needs more.",
                "Ask for COUNT, or for the SUM of the part that is not below 0.")
            .orAt(measurement.origin().at());
      }
    }
    MultiOwnerRelation rows = new MultiOwnerRelations(policy, ids).of(point.input());
    return new ContributionBounding.Packed(
        ParentJoinElimination.of(rows.relation()), rows.owners());
  }

  /**
   * @param input the rows of the release point, those that no measurement looks at there or not
   */
  private Optional<ContributionBounding> owned(PrivacyUnit.Person person, Relation input) {
    OwnedScans scans = OwnedScans.adding(person, ids, input);
    OwnedRelations rules = new OwnedRelations(person, scans, ids);
    Relation rewritten = rules.rewritten(input);
    Optional<Column> owner = rules.owner(rewritten);
    if (owner.isEmpty()) {
      return Optional.empty();
    }
    Set<Integer> keys = new LinkedHashSet<>();
    for (Measurement measurement : point.measurements()) {
      if (measurement instanceof Measurement.CountDistinct count) {
        Optional<Integer> counted = column(count.value());
        if (counted.filter(id -> rules.isOwner(rewritten, id)).isPresent()) {
          continue;
        }
        if (counted.filter(id -> rules.isKey(rewritten, id)).isEmpty()) {
          return Optional.empty();
        }
        keys.add(count.output().id());
      }
    }
    List<PublicBound> besides = new ArrayList<>();
    for (PrivacyUnit unit : AlgebraWalker.units(point.input())) {
      if (!unit.equals(person)) {
        Optional<PublicBound> bound = PublicBound.of(rules, rewritten, unit);
        if (bound.isEmpty()) {
          return Optional.empty();
        }
        besides.add(bound.get());
      }
    }
    return Optional.of(
        new ContributionBounding.Clipped(
            person,
            ParentJoinElimination.of(new OwnedTableExpansion(policy, scans, ids).of(rewritten)),
            owner.get(),
            keys,
            PublicBound.rowsOfOne(rules, rewritten),
            besides));
  }

  /** The column that an expression is, as it is. */
  private static Optional<Integer> column(Expr expr) {
    return expr instanceof Expr.Ref ref ? Optional.of(ref.column()) : Optional.empty();
  }

  private ContributionBounding truncated() {
    for (Table table : tables) {
      if (table.ownership().rowsPerPerson().isEmpty()) {
        throw refused(
            "One person may own any number of rows of "
                + table.name()
                + ", and the question mixes them with those of others.",
            SameOwnerHint.hint(point)
                .orElse(
                    "Keep each person's rows apart: join and group by their owner. Or the"
                        + " owner says how many are read: rowsPerPerson."));
      }
      if (table.columns().stream().anyMatch(c -> c.type().kind() == Type.Kind.OPAQUE)) {
        throw refused(
            "Rows of " + table.name() + " cannot be put in order, so none can be left out.",
            "Leave the columns without operators out of the policy.");
      }
    }
    return new ContributionBounding.Truncated(
        OwnedTableExpansion.truncated(policy, ids).of(point.input()));
  }

  private Rejection refused(String message, String hint) {
    return Rejection.of(RejectionCode.PEOPLE_UNSUPPORTED, message, hint, point.at());
  }
}
