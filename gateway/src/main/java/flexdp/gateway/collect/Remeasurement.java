package flexdp.gateway.collect;

import flexdp.gateway.catalog.ChangeLog;
import flexdp.gateway.catalog.Connector;
import flexdp.gateway.catalog.PhysicalCatalog;
import flexdp.gateway.catalog.StatementRunner;
import flexdp.gateway.collect.Collector.TruncatedRows;
import flexdp.metrics.MaxFrequency;
import flexdp.metrics.TableMetrics;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import java.math.BigInteger;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Measures one table again where a question is about to read it. */
public final class Remeasurement {
  private final Policy policy;
  private final Connector connector;
  private final PhysicalCatalog catalog;

  public Remeasurement(Policy policy, Connector connector, PhysicalCatalog catalog) {
    this.policy = policy;
    this.connector = connector;
    this.catalog = catalog;
  }

  /** What earlier metrics tell, told of the state that the statements read. */
  public TableMetrics of(Table table, TableMetrics earlier, StatementRunner statements)
      throws SQLException {
    if (earlier.rowsPerPerson().isPresent()) {
      return new TruncatedRows(policy, connector, catalog)
          .measure(table, earlier.frequencies().keySet(), statements, Progress.NONE);
    }
    return of(table, earlier, catalog.table(table), 1, statements);
  }

  /**
   * Measures the rows that were noted after a snapshot; empty when the notes are not those that
   * were kept when the snapshot was taken.
   *
   * @param all everything that was measured then
   * @param needed the part of it that matters
   */
  public Optional<TableMetrics> added(
      Table table,
      TableMetrics all,
      TableMetrics needed,
      TrackedSnapshot tracked,
      StatementRunner statements)
      throws SQLException {
    ChangeLog log = connector.changeLog().orElseThrow();
    if (!new TrackedTables(connector, catalog, log)
        .isWhole(table, all.frequencies().keySet(), tracked, statements)) {
      return Optional.empty();
    }
    String from = log.added(catalog.physical(table), tracked.snapshot());
    // A key that the database keeps unique counts one more: the table may have been empty then.
    return Optional.of(of(table, needed, from, 1, statements));
  }

  private TableMetrics of(
      Table table, TableMetrics earlier, String from, long unique, StatementRunner statements)
      throws SQLException {
    Optional<BigInteger> rows = Optional.empty();
    if (earlier.rows().isPresent()) {
      BigInteger[] counted = {BigInteger.ZERO};
      statements.run(
          "SELECT COUNT(*) FROM " + from, row -> counted[0] = BigInteger.valueOf(row.getLong(1)));
      rows = Optional.of(counted[0]);
    }
    Map<Set<String>, MaxFrequency> frequencies =
        FrequencyPlan.of(table, earlier.frequencies().keySet(), connector, catalog)
            .measure(statements, from, unique, Progress.NONE);
    return new TableMetrics(rows, frequencies);
  }
}
