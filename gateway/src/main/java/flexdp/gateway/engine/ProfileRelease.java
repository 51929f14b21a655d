package flexdp.gateway.engine;

import flexdp.budget.ChargedPartitions;
import flexdp.budget.Cost;
import flexdp.failure.ConfigurationError;
import flexdp.failure.Rejection;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.livedata.SnapshotGuard;
import flexdp.gateway.prepare.Planning;
import flexdp.gateway.prepare.PreparedQuery;
import flexdp.gateway.prepare.QueryPartitions;
import flexdp.metrics.ContributionProfile;
import flexdp.partition.PartitionPruning;
import flexdp.plan.Plan;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import flexdp.release.PeopleProfile;
import flexdp.release.ReleasePlan;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Releases profiles of people: of every table with one owner how many rows each person has, and of
 * its numbers with a declared range what they add up to for each. One person is in one bucket of
 * every histogram, so q of them, each by its share of ε, cost ε together, which is charged to the
 * people of the kind before any is drawn.
 */
final class ProfileRelease {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
  private static final MathContext SHARE = new MathContext(20, RoundingMode.FLOOR);
  private static final MathContext ROOT = new MathContext(20, RoundingMode.CEILING);

  private final Policy policy;
  private final Planning planning;
  private final Preparation preparation;
  private final ReleaseLoop releaseLoop;
  private final Charging charging;

  ProfileRelease(
      Policy policy,
      Planning planning,
      Preparation preparation,
      ReleaseLoop releaseLoop,
      Charging charging) {
    this.policy = policy;
    this.planning = planning;
    this.preparation = preparation;
    this.releaseLoop = releaseLoop;
    this.charging = charging;
  }

  /** One number of what people have, as a question. */
  private record Wish(String table, Optional<String> column, String kind, String sql) {}

  private List<Wish> wishes() {
    List<Wish> wishes = new ArrayList<>();
    for (Table table : policy.tables().values()) {
      if (table.ownership().owners().size() != 1
          || table.isClosed()
          || !PLAIN.matcher(table.name()).matches()) {
        continue;
      }
      String kind = table.ownership().owners().getFirst().kind();
      wishes.add(
          new Wish(table.name(), Optional.empty(), kind, "SELECT COUNT(*) FROM " + table.name()));
      for (ColumnSpec column : table.columns()) {
        if (isMeasure(table, column)) {
          boolean signed = column.range().orElseThrow().low().signum() < 0;
          String value = signed ? "ABS(" + column.name() + ")" : column.name();
          wishes.add(
              new Wish(
                  table.name(),
                  Optional.of(column.name()),
                  kind,
                  "SELECT SUM(" + value + ") FROM " + table.name()));
        }
      }
    }
    return wishes;
  }

  /** A number that is added up, and no key or label. */
  private static boolean isMeasure(Table table, ColumnSpec column) {
    return column.type().isNumeric()
        && column.range().isPresent()
        && column.domain().isEmpty()
        && column.references().isEmpty()
        && !column.individual()
        && PLAIN.matcher(column.name()).matches()
        && table.uniqueKeys().stream().noneMatch(key -> key.contains(column.name()));
  }

  /**
   * The kinds of people of whom there is something to release.
   *
   * @throws ConfigurationError when there is none
   */
  Set<String> kinds(QueryRequest ask) {
    Set<String> kinds =
        answered(ask).map(Wish::kind).collect(Collectors.toCollection(TreeSet::new));
    if (kinds.isEmpty()) {
      throw ConfigurationError.of(
          ConfigurationError.Code.BAD_USAGE,
          "no table has rows of one owner each, whose profile could be released",
          "Say whose the rows are: people and owners in the policy.");
    }
    return kinds;
  }

  private Stream<Wish> answered(QueryRequest ask) {
    return wishes().stream().filter(w -> isAnswered(ask.about(w.sql())));
  }

  /**
   * @param kind of people whose they are
   * @param ask by whom, at the ε of all of them
   * @param keep has kept them when it returns
   * @throws ConfigurationError when there is nothing to release
   */
  List<ContributionProfile> release(
      String kind,
      QueryRequest ask,
      SnapshotGuard guard,
      Consumer<List<ContributionProfile>> keep) {
    List<Wish> wishes = answered(ask).filter(w -> w.kind().equals(kind)).toList();
    BigDecimal parts = BigDecimal.valueOf(wishes.size());
    BigDecimal each =
        planning.epsilon(ask).divide(planning.bySquares(ask) ? parts.sqrt(ROOT) : parts, SHARE);
    List<Plan> plans = new ArrayList<>();
    for (Wish wish : wishes) {
      Plan plan = planning.alone(ask.about(wish.sql()).at(each));
      plans.add(plan);
      guard.needs(plan);
    }
    List<PreparedQuery> prepared =
        guard.steady(
            () -> {
              StatementExecution execution = releaseLoop.execution(guard);
              return plans.stream()
                  .map(plan -> preparation.prepare(ask.at(each), plan, execution))
                  .toList();
            });
    prepared.forEach(releaseLoop::rehearse);
    guard.require();
    Set<String> tables = new HashSet<>();
    Set<String> meanings = new HashSet<>();
    prepared.forEach(
        p -> {
          tables.addAll(p.tables());
          meanings.addAll(Preparation.meanings(p.plan().query()).values());
        });
    String text =
        "release of profiles: " + String.join("; ", wishes.stream().map(Wish::sql).toList());
    Cost cost = Cost.pure(wishes.stream().map(w -> each).toList(), BigDecimal.ZERO);
    return charging.charged(
        preparation
            .request(ask.about(text), "profiles", tables, cost)
            .measuring(meanings)
            .reading(read(plans)),
        course -> {
          List<ContributionProfile> drawn =
              guard.steady(() -> drawn(wishes, prepared, guard, each));
          keep.accept(drawn);
          return drawn;
        });
  }

  private static SortedMap<String, ChargedPartitions> read(List<Plan> plans) {
    PartitionPruning all = new PartitionPruning();
    plans.forEach(plan -> QueryPartitions.add(plan, all));
    return all.parts();
  }

  private List<ContributionProfile> drawn(
      List<Wish> wishes, List<PreparedQuery> prepared, SnapshotGuard guard, BigDecimal each) {
    List<ContributionProfile> profiles = new ArrayList<>();
    for (int i = 0; i < wishes.size(); i++) {
      Wish wish = wishes.get(i);
      profiles.add(
          PeopleProfile.publish(
              prepared.get(i).releases().getFirst(),
              releaseLoop.rows(guard),
              wish.table(),
              wish.column(),
              wish.kind(),
              each,
              releaseLoop.noise()));
    }
    return profiles;
  }

  /** Whether the number is one of people, each by herself: a sum of one row each is none. */
  private boolean isAnswered(QueryRequest ask) {
    try {
      Plan plan = planning.alone(ask.at(BigDecimal.ONE)); // which does not matter to its shape
      if (!plan.isAnswerable() || plan.query().releases().size() != 1) {
        return false;
      }
      ReleasePlan release =
          ReleasePlan.of(plan, plan.query().releases().getFirst(), releaseLoop.means());
      return plan.isByPeople(plan.query().releases().getFirst()) && PeopleProfile.isOf(release);
    } catch (Rejection e) {
      return false; // in a way that no rule protects, and so not of one person each
    }
  }
}
