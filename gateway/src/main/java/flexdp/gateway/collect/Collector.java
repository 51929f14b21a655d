package flexdp.gateway.collect;

import flexdp.algebra.Relation;
import flexdp.failure.ConfigurationError;
import flexdp.failure.DatabaseError;
import flexdp.gateway.catalog.ChangeLog;
import flexdp.gateway.catalog.Connector;
import flexdp.gateway.catalog.PhysicalCatalog;
import flexdp.gateway.catalog.PhysicalTable;
import flexdp.gateway.catalog.StatementRunner;
import flexdp.gateway.catalog.TableDefinitions;
import flexdp.gateway.catalog.TableDefinitions.TableRedefined;
import flexdp.gateway.collect.FrequencyPlan.FrequencyQuery;
import flexdp.gateway.collect.TableTotals.DeclarationCheck;
import flexdp.gateway.database.Connectors;
import flexdp.gateway.database.Databases;
import flexdp.gateway.render.SqlRenderer;
import flexdp.metrics.MaxFrequency;
import flexdp.metrics.TableMetrics;
import flexdp.metrics.TruncatedTables;
import flexdp.ownership.TruncatedTable;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Measures the tables of a policy in one read-only transaction, so that every number belongs to the
 * same state of the data. Each table is read once to count it and once more for every batch of
 * column sets.
 */
public final class Collector {
  /**
   * A server may count the milliseconds of a statement in 31 bits; measuring takes what it takes.
   */
  private static final Duration UNHURRIED = Duration.ofDays(20);

  private final Policy policy;
  private final RequiredFrequencies wanted;
  private final Progress progress;
  private final MeasuredParts parts;
  private final Clock clock;

  public Collector(Policy policy, RequiredFrequencies wanted, Progress progress, Clock clock) {
    this(policy, wanted, progress, MeasuredParts.NONE, clock);
  }

  /**
   * @param parts keeps what was measured, should the run be interrupted
   */
  public Collector(
      Policy policy,
      RequiredFrequencies wanted,
      Progress progress,
      MeasuredParts parts,
      Clock clock) {
    this.parts = parts;
    this.policy = policy;
    this.wanted = wanted;
    this.progress = progress;
    this.clock = clock;
  }

  /**
   * Measures. The connection is left as it was found.
   *
   * @throws ConfigurationError when the data contradict what the policy declares
   */
  public CollectedMetrics collect(Connection connection) {
    try {
      boolean before = connection.getAutoCommit();
      Connector connector = Connectors.of(connection);
      Optional<String> life = life(connection, connector);
      CollectedMetrics collected = held(connection, connector, life, before);
      mark(collected, connection, connector);
      connection.setAutoCommit(before);
      return collected;
    } catch (SQLException e) {
      throw Databases.failed(
          "it was being measured",
          e,
          "Try again; if it fails again, measure one table at a time to find the one that fails.");
    }
  }

  /**
   * As with a question, the tables are held before there is a state, looked at, read, and looked at
   * again: what was measured is of the tables that were described.
   */
  private CollectedMetrics held(
      Connection connection, Connector connector, Optional<String> life, boolean before)
      throws SQLException {
    connection.setAutoCommit(true);
    PhysicalCatalog found =
        PhysicalCatalog.of(policy, connector, connector.tables(connection, policy));
    List<PhysicalTable> tables = policy.tables().values().stream().map(found::physical).toList();
    try {
      connector.beginSnapshot(connection, tables, UNHURRIED);
    } catch (SQLException e) {
      connection.setAutoCommit(before);
      if (connector.isBusy(e)) {
        throw moved();
      }
      throw e;
    }
    try {
      Optional<TableDefinitions> definitions = connector.definitions();
      StatementRunner statements = StatementRunner.over(connection);
      Map<TableDefinitions.Name, List<String>> marks =
          definitions.isPresent() ? definitions.get().marks(statements, tables) : Map.of();
      CollectedMetrics collected = measure(connection, connector, life);
      if (definitions.isPresent() && !definitions.get().stands(statements, tables, marks)) {
        throw moved();
      }
      return collected;
    } catch (TableRedefined e) {
      throw moved();
    } finally {
      connector.endSnapshot(connection);
      connection.setAutoCommit(before);
    }
  }

  private static DatabaseError moved() {
    return DatabaseError.of(
        "A table was redefined while it was measured.", "Collect again when it is at rest.");
  }

  private static Optional<String> life(Connection connection, Connector connector)
      throws SQLException {
    if (connector.changeLog().isEmpty()) {
      return Optional.empty();
    }
    connection.setAutoCommit(true); // or that look would begin the snapshot
    return connector.changeLog().get().life(connection);
  }

  /** Whether the mark is there decides, so to fail here costs time only. */
  private void mark(CollectedMetrics collected, Connection connection, Connector connector)
      throws SQLException {
    Optional<String> mark =
        collected.snapshots().values().stream()
            .flatMap(s -> TrackedSnapshot.of(s).stream())
            .map(TrackedSnapshot::mark)
            .findFirst();
    if (mark.isPresent()) {
      try {
        connector.changeLog().orElseThrow().mark(connection, mark.get());
      } catch (SQLException e) {
        progress.note(
            "no mark could be left in the schema flexdp, so that questions measure again what they"
                + " need");
      }
    }
  }

  private static String randomMark() {
    return UUID.randomUUID().toString().replace("-", "");
  }

  private CollectedMetrics measure(
      Connection connection, Connector connector, Optional<String> life) throws SQLException {
    String left = randomMark();
    Instant now = clock.instant();
    String mark = connector.snapshot(connection);
    Optional<String> version = connector.version(connection);
    PhysicalCatalog catalog =
        PhysicalCatalog.of(policy, connector, connector.tables(connection, policy));
    String snapshot = mark.isEmpty() ? now.toString() : now + " " + mark;
    RequiredFrequencies all = wanted.andForeignKeys(policy, catalog);
    Map<String, MeasuredTable> done = new LinkedHashMap<>(kept(all, version));
    Map<Table, TableTotals> totals = new LinkedHashMap<>();
    Map<Table, FrequencyPlan> plans = new LinkedHashMap<>();
    long work = 0;
    for (Table table : policy.tables().values()) {
      if (!done.containsKey(table.name())) {
        TableTotals total = TableTotals.measure(connection, connector, catalog, table);
        FrequencyPlan plan = FrequencyPlan.of(table, all.of(table.name()), connector, catalog);
        totals.put(table, total);
        plans.put(table, plan);
        work += total.rows() * plan.sets();
      }
    }
    progress.begin(work);
    for (Table table : totals.keySet()) {
      TableTotals total = totals.get(table);
      Map<Set<String>, MaxFrequency> frequencies =
          plans.get(table).measure(StatementRunner.over(connection), total.rows(), progress);
      TableMetrics measured =
          new TableMetrics(Optional.of(BigInteger.valueOf(total.rows())), frequencies);
      refuseBroken(table, total, measured, catalog);
      String state = snapshot;
      if (TruncatedRows.isCut(table)) {
        measured =
            new TruncatedRows(policy, connector, catalog)
                .measure(
                    table, all.of(table.name()), StatementRunner.over(connection), Progress.NONE);
      } else {
        // Notes count rows that were added, which is not what one person more changes of a cut.
        state =
            noted(table, frequencies.keySet(), connection, connector, catalog, life, left)
                .map(tracked -> now + " " + tracked.text())
                .orElse(snapshot);
      }
      done.put(table.name(), new MeasuredTable(measured, total.ranges(), state));
      parts.keep(done);
    }
    if (!connector.ground(connection).stands() || !connector.version(connection).equals(version)) {
      throw DatabaseError.of(
          "The file of the database was replaced or written to while it was measured.",
          "Collect again when it is at rest.");
    }
    return CollectedMetrics.of(done, now, snapshot).enforcing(EnforcedKeys.of(policy, catalog));
  }

  private static void refuseBroken(
      Table table, TableTotals total, TableMetrics measured, PhysicalCatalog catalog) {
    List<String> broken = DeclarationCheck.broken(table, total, measured, catalog);
    if (!broken.isEmpty()) {
      throw ConfigurationError.of(
          ConfigurationError.Code.BAD_POLICY,
          "the data contradict the policy: " + String.join("; ", broken),
          "Take the declaration out of the policy, or repair the data; no answer given under a"
              + " false declaration is private. Answers go on being given under the earlier"
              + " metrics: until it is mended, close the table by flexdp policy close --policy FILE"
              + " "
              + table.name());
    }
  }

  /**
   * What an interrupted run had measured and is still worth keeping. Metrics of one table need not
   * be of the same state as those of another, since each has its own snapshot by which a question
   * judges it; only where the owner's word stands for that they must be new.
   */
  private Map<String, MeasuredTable> kept(RequiredFrequencies all, Optional<String> version) {
    Map<String, MeasuredTable> before = parts.before();
    if (before.isEmpty()) {
      return before;
    }
    Map<String, MeasuredTable> kept = new LinkedHashMap<>();
    before.forEach(
        (name, part) -> {
          Table table = policy.table(name).orElseThrow();
          Set<Set<String>> sets = new HashSet<>();
          all.of(name).forEach(set -> sets.add(Set.copyOf(set)));
          if (!part.metrics().frequencies().keySet().equals(sets)) {
            progress.note(name + " is measured anew: other columns are wanted now");
          } else if (table.insertsAtMost().isPresent()) {
            progress.note(
                name
                    + " is measured anew: the policy vouches that it does not change after"
                    + " this, not that it did not since the interruption");
          } else if (version.isPresent() && !part.snapshot().endsWith(" " + version.get())) {
            progress.note(name + " is measured anew: the file was written to");
          } else if (TrackedSnapshot.of(part.snapshot()).isPresent()) {
            progress.note(
                name + " is measured anew: its changes are noted, and no mark was left in time");
          } else {
            progress.note(name + " was measured before the interruption");
            kept.put(name, part);
          }
        });
    return kept;
  }

  /** What notes changes from this state on; read in it, so that nothing falls between. */
  private Optional<TrackedSnapshot> noted(
      Table table,
      Set<Set<String>> measured,
      Connection connection,
      Connector connector,
      PhysicalCatalog catalog,
      Optional<String> life,
      String mark)
      throws SQLException {
    Optional<ChangeLog> log = connector.changeLog();
    if (log.isEmpty()) {
      return Optional.empty();
    }
    TrackedTables trackedTables = new TrackedTables(connector, catalog, log.get());
    StatementRunner statements = StatementRunner.over(connection);
    if (life.isPresent()) {
      return trackedTables.noted(table, measured, statements, life.get(), mark);
    }
    if (trackedTables.stamp(table, measured, statements).isPresent()) {
      progress.note(
          table.name()
              + ": changes are noted, but no mark can be left here (a standby, or no right to"
              + " INSERT into flexdp.marks), so that questions measure again what they need");
    }
    return Optional.empty();
  }

  /**
   * The rows of a table that are read where a question mixes people: so many of each. What is
   * measured of them grows by no more than so many with one person, which nothing does that is
   * measured of all rows.
   */
  static final class TruncatedRows {
    private final Policy policy;
    private final Connector connector;
    private final PhysicalCatalog catalog;

    TruncatedRows(Policy policy, Connector connector, PhysicalCatalog catalog) {
      this.policy = policy;
      this.connector = connector;
      this.catalog = catalog;
    }

    /** Whether so many rows of each person are what is to be measured. */
    static boolean isCut(Table table) {
      return TruncatedTables.rows(table).isPresent();
    }

    TableMetrics measure(
        Table table, Set<Set<String>> sets, StatementRunner statements, Progress progress)
        throws SQLException {
      Relation rows = TruncatedTable.of(table, policy);
      String from = "(" + new SqlRenderer(connector.dialect(), catalog).rows(rows) + ") AS cut";
      Map<String, String> columns = new HashMap<>();
      for (int i = 0; i < table.columns().size(); i++) {
        columns.put(table.columns().get(i).name(), "r" + i);
      }
      BigInteger[] counted = {BigInteger.ZERO};
      statements.run(
          "SELECT COUNT(*) FROM " + from, row -> counted[0] = BigInteger.valueOf(row.getLong(1)));
      Map<Set<String>, MaxFrequency> frequencies = new HashMap<>();
      for (Set<String> set : sets) {
        progress.reading(table.name(), counted[0].longValue());
        frequencies.putAll(
            new FrequencyQuery(java.util.List.of(set), columns::get, from).run(statements));
        progress.read(table.name(), counted[0].longValue());
      }
      return new TableMetrics(Optional.of(counted[0]), frequencies, TruncatedTables.rows(table));
    }
  }

  /**
   * Keeps what was measured until everything is, so that an interrupted run can be taken up again.
   */
  public interface MeasuredParts {
    MeasuredParts NONE =
        new MeasuredParts() {
          @Override
          public Map<String, MeasuredTable> before() {
            return Map.of();
          }

          @Override
          public void keep(Map<String, MeasuredTable> parts) {}
        };

    /** What an interrupted run had measured, by table. */
    Map<String, MeasuredTable> before();

    /** Keeps what was measured so far. */
    void keep(Map<String, MeasuredTable> parts);
  }
}
