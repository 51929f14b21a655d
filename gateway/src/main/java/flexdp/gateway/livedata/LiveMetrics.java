package flexdp.gateway.livedata;

import flexdp.failure.ConfigurationError;
import flexdp.failure.Rejection;
import flexdp.gateway.catalog.Connector;
import flexdp.gateway.catalog.PhysicalCatalog;
import flexdp.gateway.catalog.StatementRunner;
import flexdp.gateway.catalog.TableIdentities;
import flexdp.gateway.collect.EnforcedKeys;
import flexdp.gateway.collect.MetricsFile;
import flexdp.gateway.collect.Remeasurement;
import flexdp.gateway.collect.TrackedSnapshot;
import flexdp.gateway.database.CancellationToken;
import flexdp.gateway.database.Database;
import flexdp.gateway.database.Session;
import flexdp.gateway.livedata.SnapshotGuard.ChargedTablesCheck;
import flexdp.gateway.livedata.SnapshotGuard.ConstraintCheck;
import flexdp.metrics.MaxFrequency;
import flexdp.metrics.Metrics;
import flexdp.metrics.TableMetrics;
import flexdp.metrics.TruncatedTables;
import flexdp.noise.ProposeTestRelease;
import flexdp.plan.CalibratedMechanism;
import flexdp.plan.Plan;
import flexdp.plan.PlannedMeasurement;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import java.math.BigInteger;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The metrics of data that may have changed since they were measured. A bound needs a function of
 * the very state that the question reads, one that moves by one at most when a row does (guarantee
 * sections 1 and 4); numbers of an older state are none. What nobody vouches for is measured again
 * in the question's own state. Nothing is refused because the data changed: such a refusal would
 * tell that they did (guarantee §8).
 */
public final class LiveMetrics {
  private final Policy policy;
  private final Map<String, Trust> standings;
  private final Metrics metrics;
  private final Set<String> outdated;
  private final Optional<Remeasurement> remeasurement;
  private final Optional<ConstraintCheck> enforced;
  private final boolean fixed;
  private final List<ChargedTablesCheck> followed = new CopyOnWriteArrayList<>();
  private final Map<String, Map<TableMetrics, TableMetrics>> again = new ConcurrentHashMap<>();

  private LiveMetrics(
      Policy policy,
      Map<String, Trust> standings,
      Metrics measured,
      Optional<Remeasurement> remeasurement,
      Optional<ConstraintCheck> enforced,
      boolean fixed) {
    this.policy = policy;
    this.standings = standings;
    this.metrics = grown(measured);
    Set<String> before = new TreeSet<>(measured.released().keySet());
    before.removeAll(metrics.released().keySet());
    this.outdated = Set.copyOf(before);
    this.remeasurement = remeasurement;
    this.enforced = enforced;
    this.fixed = fixed;
  }

  /** Metrics of data that do not change, as the caller vouches. */
  public static LiveMetrics vouched(Policy policy, Metrics metrics) {
    Map<String, Trust> standings = new HashMap<>();
    policy.tables().keySet().forEach(t -> standings.put(t, Trust.AsMeasured.UNCHANGED));
    return new LiveMetrics(policy, standings, metrics, Optional.empty(), Optional.empty(), true);
  }

  /**
   * Metrics of a database as a file has them.
   *
   * @param version names the state of all the data, where that cannot change while they are asked
   * @throws ConfigurationError when a declared key was enforced when it was measured, and is not
   */
  public static LiveMetrics of(
      Policy policy,
      MetricsFile.Content file,
      Connector connector,
      PhysicalCatalog catalog,
      Optional<String> version) {
    EnforcedKeys.require(policy, file.enforced(), catalog);
    Map<String, Trust> standings = new HashMap<>();
    for (Table table : policy.tables().values()) {
      String snapshot = file.snapshots().getOrDefault(table.name(), "");
      Trust standing;
      if (table.insertsAtMost().isPresent()
          && (!isCut(table) || TruncatedTables.isStatic(table, policy))) {
        standing = new Trust.AsMeasured(table.insertsAtMost().get());
      } else if (version.isPresent() && snapshot.endsWith(" " + version.get())) {
        standing = Trust.AsMeasured.UNCHANGED;
      } else if (connector.readsOneState()) {
        standing =
            TrackedSnapshot.of(snapshot)
                .filter(tracked -> !isCut(table) && connector.changeLog().isPresent())
                .<Trust>map(Trust.Counted::new)
                .orElse(new Trust.Again());
      } else {
        standing = new Trust.Unknown(connector.title());
      }
      standings.put(table.name(), standing);
    }
    return new LiveMetrics(
        policy,
        standings,
        file.metrics(),
        Optional.of(new Remeasurement(policy, connector, catalog)),
        connector.definitions().map(d -> new ConstraintCheck(policy, catalog, d)),
        version.isPresent());
  }

  private static boolean isCut(Table table) {
    return TruncatedTables.rows(table).isPresent();
  }

  /**
   * What decides whether and how a question is answered: which metrics there are, and those that
   * are public. The private values may be old; {@link #refresh} replaces them.
   */
  public Metrics metrics() {
    return metrics;
  }

  /**
   * These metrics without what was measured of public tables that may have changed since: what is
   * decided once, and not again in the state that is read, must not rest on it.
   */
  public Metrics settled() {
    Map<String, TableMetrics> tables = new HashMap<>(metrics.tables());
    tables
        .keySet()
        .removeIf(
            name ->
                policy.table(name).filter(Table::isPublic).isPresent()
                    && !(standings.get(name) instanceof Trust.AsMeasured));
    return new Metrics(tables, metrics.released(), metrics.profiles(), metrics.found());
  }

  /** Whether tables are as they were when they were measured: vouched for, or proven. */
  public boolean areUnchanged(Set<String> tables) {
    return tables.stream().allMatch(t -> Trust.AsMeasured.UNCHANGED.equals(standings.get(t)));
  }

  /** Why the metrics of a table are believed, in words for its owner. */
  public String freshness(String table) {
    return switch (standings.get(table)) {
      case Trust.AsMeasured(BigInteger inserts) ->
          inserts.signum() == 0
              ? "as measured"
              : "as measured, with at most " + inserts + " more rows";
      case Trust.Counted ignored -> "changes since are counted with each question";
      case Trust.Again ignored -> "measured again with each question that needs it";
      case Trust.Unknown(String database) ->
          "may have changed, and "
              + database
              + " cannot tell: questions that need it are refused until it is declared static";
    };
  }

  /** Whether questions that need what was measured of a table are refused. */
  public boolean isUnknown(String table) {
    return standings.get(table) instanceof Trust.Unknown;
  }

  /**
   * Tables whose released metrics are not used, since nothing says that their data are those that
   * were released from. That a file was written to is the owner's act and shows.
   */
  public Set<String> outdated() {
    return outdated;
  }

  /** Declared inserts are added; released metrics of a table that may change promise nothing. */
  private Metrics grown(Metrics measured) {
    Map<String, TableMetrics> tables = new HashMap<>(measured.tables());
    Map<String, Metrics.Release> released = new HashMap<>();
    standings.forEach(
        (name, standing) -> {
          if (standing instanceof Trust.AsMeasured(BigInteger inserts)) {
            tables.computeIfPresent(name, (n, values) -> Growth.plus(values, inserts));
            measured
                .released(name)
                .ifPresent(
                    r ->
                        released.put(
                            name,
                            new Metrics.Release(
                                Growth.plus(r.values(), inserts), r.epsilon(), r.delta())));
          }
        });
    return new Metrics(tables, released, measured.profiles(), measured.found());
  }

  /**
   * How a plan becomes one that holds in the state a session reads.
   *
   * @param planner plans the same question with other metrics
   * @throws ConfigurationError when that is impossible, whatever the data
   */
  public Refresh refresh(Plan plan, Function<Metrics, Plan> planner) {
    Set<String> doubtful = new TreeSet<>(tables(plan));
    doubtful.removeIf(name -> standings.get(name) instanceof Trust.AsMeasured);
    doubtful.retainAll(metrics.tables().keySet());
    if (doubtful.isEmpty() || plan.measurements().isEmpty()) {
      return session -> plan;
    }
    Metrics needed =
        NeededMetrics.of(
            metrics,
            doubtful,
            name -> policy.table(name).filter(Table::isPublic).isPresent(),
            (one, two) -> isSame(one, two, planner));
    doubtful.retainAll(needed.tables().keySet());
    doubtful.forEach(this::refuseUnknown);
    if (doubtful.isEmpty()) {
      Plan independent = planner.apply(needed);
      return session -> independent;
    }
    return session -> {
      Map<String, TableMetrics> current = new HashMap<>(needed.tables());
      for (String name : doubtful) {
        current.put(name, current(name, needed.table(name), session));
      }
      return planner.apply(new Metrics(current, metrics.released()));
    };
  }

  /**
   * From here on every footing looks whether its tables are still those that were described.
   *
   * @param accounts is told when they are not, before anything is charged
   */
  public void follow(
      Connector connector, TableIdentities tables, Consumer<TableIdentities> accounts) {
    followed.add(new ChargedTablesCheck(connector, tables, accounts));
  }

  /** What a question's answer is to rest on. */
  public SnapshotGuard footing(Database database, CancellationToken cancellation) {
    return new SnapshotGuard(database, policy, enforced, followed, cancellation);
  }

  private TableMetrics current(String name, TableMetrics earlier, Session session) {
    Table table = policy.table(name).orElseThrow();
    StatementRunner statements = (sql, reader) -> session.run(sql, reader::read);
    try {
      return switch (standings.get(name)) {
        case Trust.AsMeasured ignored -> earlier;
        case Trust.Counted(TrackedSnapshot tracked) -> {
          Optional<TableMetrics> added =
              remeasurement
                  .orElseThrow()
                  .added(table, metrics.table(name), earlier, tracked, statements);
          yield added.isPresent()
              ? Growth.sum(earlier, added.get())
              : remeasurement.orElseThrow().of(table, earlier, statements);
        }
        case Trust.Again ignored -> again(table, earlier, statements);
        case Trust.Unknown ignored ->
            throw new IllegalStateException("refused before it is charged");
      };
    } catch (SQLException e) {
      throw new IllegalStateException("sessions report failures of their own kind", e);
    }
  }

  /** Measured again, but once only where the state cannot change. */
  private TableMetrics again(Table table, TableMetrics earlier, StatementRunner statements)
      throws SQLException {
    Map<TableMetrics, TableMetrics> known =
        fixed
            ? again.computeIfAbsent(table.name(), n -> new ConcurrentHashMap<>())
            : new HashMap<>();
    TableMetrics found = known.get(earlier);
    if (found == null) {
      found = remeasurement.orElseThrow().of(table, earlier, statements);
      known.put(earlier, found);
    }
    return found;
  }

  private static Set<String> tables(Plan plan) {
    Set<String> names = new TreeSet<>();
    plan.query()
        .releases()
        .forEach(point -> SnapshotGuard.scans(point.input()).forEach(t -> names.add(t.name())));
    return names;
  }

  private void refuseUnknown(String name) {
    if (standings.get(name) instanceof Trust.Unknown(String database)) {
      throw ConfigurationError.of(
          ConfigurationError.Code.BAD_POLICY,
          "the table '"
              + name
              + "' may change after it is measured, and "
              + database
              + " cannot measure and answer in one state of the data",
          "If it does not change between two runs of collect, the owner writes static: true under"
              + " the table, or insertsAtMost: N when at most N rows are added.");
    }
  }

  private static boolean isSame(Metrics one, Metrics two, Function<Metrics, Plan> planner) {
    Optional<Plan> first = planned(one, planner);
    Optional<Plan> second = planned(two, planner);
    if (first.isEmpty() || second.isEmpty()) {
      return first.isEmpty() && second.isEmpty();
    }
    List<PlannedMeasurement> measurements = first.get().measurements();
    for (int i = 0; i < measurements.size(); i++) {
      if (!isSame(measurements.get(i), second.get().measurements().get(i))) {
        return false;
      }
    }
    return true;
  }

  /** Empty when a metric is missing without which the question cannot be planned. */
  private static Optional<Plan> planned(Metrics some, Function<Metrics, Plan> planner) {
    try {
      return Optional.of(planner.apply(some));
    } catch (Rejection e) {
      return Optional.empty();
    }
  }

  private static boolean isSame(PlannedMeasurement one, PlannedMeasurement two) {
    if (one.noise().isEmpty() || two.noise().isEmpty()) {
      return one.noise().isEmpty() && two.noise().isEmpty();
    }
    CalibratedMechanism a = one.noise().get();
    CalibratedMechanism b = two.noise().get();
    return a.mechanism().name().equals(b.mechanism().name())
        && a.sensitivity().compareTo(b.sensitivity()) == 0
        // What is proposed is the same whatever the data; its test looks at the bound.
        && (!(a.mechanism() instanceof ProposeTestRelease)
            || one.bound().atZero().equals(two.bound().atZero()));
  }

  /** Metrics of rows with more of them. */
  private static final class Growth {
    private Growth() {}

    /** With so many more rows at most, whatever they hold. */
    static TableMetrics plus(TableMetrics values, BigInteger inserts) {
      Map<Set<String>, MaxFrequency> frequencies = new HashMap<>();
      values
          .frequencies()
          .forEach(
              (columns, f) ->
                  frequencies.put(
                      columns,
                      new MaxFrequency(
                          f.max().map(inserts::add), f.maxWithNull().map(inserts::add))));
      return new TableMetrics(values.rows().map(inserts::add), frequencies, values.rowsPerPerson());
    }

    /** No value is more frequent in two sets of rows together than in each of them added up. */
    static TableMetrics sum(TableMetrics one, TableMetrics two) {
      Map<Set<String>, MaxFrequency> frequencies = new HashMap<>();
      one.frequencies()
          .forEach(
              (columns, f) -> {
                MaxFrequency g = two.frequencies().get(columns);
                frequencies.put(
                    columns,
                    new MaxFrequency(
                        f.max().map(n -> n.add(g.max().orElseThrow())),
                        f.maxWithNull().map(n -> n.add(g.maxWithNull().orElseThrow()))));
              });
      return new TableMetrics(one.rows().map(n -> n.add(two.rows().orElseThrow())), frequencies);
    }
  }

  /** Why the metrics of a table may be believed when a question reads it. */
  private sealed interface Trust {
    /**
     * Metrics that hold as they were measured: the owner vouches for it, or the database proves it.
     *
     * @param inserts so many more rows at most, as the policy declares
     */
    record AsMeasured(BigInteger inserts) implements Trust {
      static final AsMeasured UNCHANGED = new AsMeasured(BigInteger.ZERO);
    }

    /** What was added since was noted, if the notes are still kept; otherwise as {@link Again}. */
    record Counted(TrackedSnapshot tracked) implements Trust {}

    /** Nothing says that they hold: what a question needs is measured in the state it reads. */
    record Again() implements Trust {}

    /**
     * Nothing says that they hold, and measuring and asking cannot read one state.
     *
     * @param database its kind, as people write it
     */
    record Unknown(String database) implements Trust {}
  }

  /**
   * Finds the few metrics that a plan may rest on, so that no others are measured again. Leaving a
   * metric out never makes a bound smaller, so any choice gives an upper bound; but the choice must
   * not look at private values, or neighbours would choose differently and their bounds be far
   * apart (guarantee §1). So plans are compared with made-up numbers in place of all private ones:
   * small for the metrics in question, large for the others.
   */
  static final class NeededMetrics {
    private static final BigInteger SMALL = BigInteger.TWO;
    private static final BigInteger LARGE = BigInteger.valueOf(1_000_000);

    /** One metric of a table: the max frequency of columns, or the rows when there are none. */
    private record Item(String table, Set<String> columns) {}

    private final Metrics all;
    private final Predicate<String> isPublic;
    private final BiPredicate<Metrics, Metrics> isSame;

    private NeededMetrics(
        Metrics all, Predicate<String> isPublic, BiPredicate<Metrics, Metrics> isSame) {
      this.all = all;
      this.isPublic = isPublic;
      this.isSame = isSame;
    }

    /**
     * All metrics, but of the doubtful tables only those that may be needed.
     *
     * @param isSame whether the question is planned alike with two sets of metrics
     */
    static Metrics of(
        Metrics all,
        Set<String> doubtful,
        Predicate<String> isPublic,
        BiPredicate<Metrics, Metrics> isSame) {
      NeededMetrics search = new NeededMetrics(all, isPublic, isSame);
      List<Item> items = new ArrayList<>();
      for (String table : doubtful) {
        TableMetrics known = all.table(table);
        known.frequencies().keySet().forEach(columns -> items.add(new Item(table, columns)));
        known.rows().ifPresent(rows -> items.add(new Item(table, Set.of())));
      }
      Set<Item> needed = new HashSet<>(search.needed(items));
      return search.kept(item -> !doubtful.contains(item.table()) || needed.contains(item));
    }

    /** Of some metrics those that can make a difference; found by halving. */
    private List<Item> needed(List<Item> items) {
      Set<Item> asked = new HashSet<>(items);
      if (items.isEmpty()
          || isSame.test(
              madeUp(item -> true, asked), madeUp(item -> !asked.contains(item), Set.of()))) {
        return List.of();
      }
      if (items.size() == 1) {
        return items;
      }
      List<Item> needed = new ArrayList<>(needed(items.subList(0, items.size() / 2)));
      needed.addAll(needed(items.subList(items.size() / 2, items.size())));
      return needed;
    }

    /** Metrics without a private value in them. */
    private Metrics madeUp(Predicate<Item> isThere, Set<Item> small) {
      Map<String, TableMetrics> tables = new HashMap<>();
      kept(isThere)
          .tables()
          .forEach(
              (name, known) ->
                  tables.put(name, isPublic.test(name) ? known : madeUp(name, known, small)));
      return new Metrics(tables, all.released());
    }

    private static TableMetrics madeUp(String name, TableMetrics known, Set<Item> small) {
      Map<Set<String>, MaxFrequency> frequencies = new HashMap<>();
      known
          .frequencies()
          .forEach(
              (columns, f) -> {
                BigInteger value = small.contains(new Item(name, columns)) ? SMALL : LARGE;
                frequencies.put(
                    columns,
                    new MaxFrequency(f.max().map(n -> value), f.maxWithNull().map(n -> value)));
              });
      BigInteger rows = small.contains(new Item(name, Set.of())) ? SMALL : LARGE;
      return new TableMetrics(known.rows().map(n -> rows), frequencies, known.rowsPerPerson());
    }

    private Metrics kept(Predicate<Item> isThere) {
      Map<String, TableMetrics> tables = new HashMap<>();
      all.tables()
          .forEach(
              (name, known) -> {
                Map<Set<String>, MaxFrequency> frequencies = new HashMap<>(known.frequencies());
                frequencies.keySet().removeIf(columns -> !isThere.test(new Item(name, columns)));
                Optional<BigInteger> rows =
                    known.rows().filter(n -> isThere.test(new Item(name, Set.of())));
                if (rows.isPresent() || !frequencies.isEmpty()) {
                  tables.put(name, new TableMetrics(rows, frequencies, known.rowsPerPerson()));
                }
              });
      return new Metrics(tables, all.released());
    }
  }

  /** Makes a plan hold in the state that a session reads. */
  @FunctionalInterface
  public interface Refresh {
    /** The plan whose private bounds are those of the session's state. */
    Plan in(Session session);
  }
}
