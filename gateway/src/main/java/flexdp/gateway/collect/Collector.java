package flexdp.gateway.collect;

import flexdp.ConfigurationError;
import flexdp.DatabaseError;
import flexdp.gateway.catalog.PhysicalCatalog;
import flexdp.gateway.catalog.Statements;
import flexdp.gateway.catalog.Vendor;
import flexdp.metrics.Frequency;
import flexdp.metrics.Metrics;
import flexdp.metrics.TableMetrics;
import flexdp.policy.Policy;
import flexdp.policy.Range;
import flexdp.policy.Table;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Measures the tables of a policy in one read-only transaction, so that every number belongs to the
 * same state of the data. Each table is read once to count it and once more for every batch of
 * column sets.
 */
public final class Collector {
  private final Policy policy;
  private final Wanted wanted;
  private final Progress progress;
  private final Clock clock;

  public Collector(Policy policy, Wanted wanted, Progress progress, Clock clock) {
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
  public Collected collect(Connection connection) {
    try {
      boolean before = connection.getAutoCommit();
      Vendor vendor = Vendor.of(connection);
      vendor.beginSnapshot(connection);
      try {
        return measure(connection, vendor);
      } finally {
        vendor.endSnapshot(connection);
        connection.setAutoCommit(before);
      }
    } catch (SQLException e) {
      throw DatabaseError.of(
          "The database failed while it was being measured.",
          "Try again; if it fails again, measure one table at a time to find the one that fails.");
    }
  }

  private Collected measure(Connection connection, Vendor vendor) throws SQLException {
    Instant now = clock.instant();
    String mark = vendor.snapshot(connection);
    PhysicalCatalog catalog = PhysicalCatalog.of(policy, vendor, vendor.tables(connection));
    Map<Table, Totals> totals = new LinkedHashMap<>();
    Map<Table, FrequencyPlan> plans = new LinkedHashMap<>();
    long work = 0;
    for (Table table : policy.tables().values()) {
      Totals total = Totals.measure(connection, vendor, catalog, table);
      FrequencyPlan plan = FrequencyPlan.of(table, wanted.of(table.name()), vendor, catalog);
      totals.put(table, total);
      plans.put(table, plan);
      work += total.rows() * plan.sets();
    }
    progress.begin(work);
    Map<String, TableMetrics> metrics = new LinkedHashMap<>();
    Map<String, Map<String, Range>> ranges = new LinkedHashMap<>();
    for (Table table : policy.tables().values()) {
      Totals total = totals.get(table);
      Map<Set<String>, Frequency> frequencies =
          plans.get(table).measure(Statements.over(connection), total.rows(), progress);
      TableMetrics measured =
          new TableMetrics(Optional.of(BigInteger.valueOf(total.rows())), frequencies);
      List<String> broken = Declarations.broken(table, total, measured);
      if (!broken.isEmpty()) {
        throw ConfigurationError.of(
            ConfigurationError.Code.BAD_POLICY,
            "the data contradict the policy: " + String.join("; ", broken),
            "Take the declaration out of the policy, or repair the data; no answer given under a"
                + " false declaration is private.");
      }
      metrics.put(table.name(), measured);
      ranges.put(table.name(), total.ranges());
    }
    String snapshot = mark.isEmpty() ? now.toString() : now + " " + mark;
    return new Collected(
        new Metrics(metrics, Map.of()), ranges, now, snapshot, logs(connection, vendor, catalog));
  }

  /** What notes changes from this state on; read in it, so that nothing falls between. */
  private Map<String, String> logs(Connection connection, Vendor vendor, PhysicalCatalog catalog)
      throws SQLException {
    Map<String, String> logs = new LinkedHashMap<>();
    if (vendor.changeLog().isPresent()) {
      Watched watched = new Watched(vendor, catalog, vendor.changeLog().get());
      for (Table table : policy.tables().values()) {
        watched
            .stamp(table, wanted.of(table.name()), Statements.over(connection))
            .ifPresent(stamp -> logs.put(table.name(), stamp));
      }
    }
    return logs;
  }
}
