package flexdp.gateway.collect;

import flexdp.gateway.catalog.ChangeLog;
import flexdp.gateway.catalog.Connector;
import flexdp.gateway.catalog.PhysicalCatalog;
import flexdp.gateway.catalog.StatementRunner;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The tables of a policy whose changes are noted by triggers. */
public final class TrackedTables {
  private final Connector connector;
  private final PhysicalCatalog catalog;
  private final ChangeLog log;

  public TrackedTables(Connector connector, PhysicalCatalog catalog, ChangeLog log) {
    this.connector = connector;
    this.catalog = catalog;
    this.log = log;
  }

  /**
   * Installs triggers on every table that the policy does not vouch for.
   *
   * @return by table: why it has none; the others have them
   */
  public Map<String, String> install(
      Policy policy, RequiredFrequencies wanted, Connection connection) throws SQLException {
    Map<String, String> without = new TreeMap<>();
    RequiredFrequencies all = wanted.andForeignKeys(policy, catalog);
    for (Table table : policy.tables().values()) {
      List<String> columns = columns(table, all.of(table.name()));
      Optional<String> obstacle =
          table.insertsAtMost().isPresent()
              ? Optional.of("the policy vouches for it")
              : log.obstacle(StatementRunner.over(connection), catalog.physical(table), columns);
      if (obstacle.isPresent()) {
        without.put(table.name(), obstacle.get());
      } else {
        log.install(connection, catalog.physical(table), columns);
      }
    }
    return without;
  }

  /** Removes the triggers of every table. */
  public void remove(Policy policy, Connection connection) throws SQLException {
    for (Table table : policy.tables().values()) {
      log.remove(connection, catalog.physical(table));
    }
  }

  /** Names what notes the changes of a table; empty when nothing does. */
  public Optional<String> stamp(Table table, Set<Set<String>> measured, StatementRunner statements)
      throws SQLException {
    return log.stamp(statements, catalog.physical(table), columns(table, measured));
  }

  /**
   * The state that is read, as the metrics file names it; empty when nothing notes changes.
   *
   * @param life see {@link ChangeLog#life}
   * @param mark what will be left after it
   */
  Optional<TrackedSnapshot> noted(
      Table table, Set<Set<String>> measured, StatementRunner statements, String life, String mark)
      throws SQLException {
    Optional<String> stamp = stamp(table, measured, statements);
    if (stamp.isEmpty()) {
      return Optional.empty();
    }
    return log.position(statements, catalog.physical(table))
        .map(position -> new TrackedSnapshot(position, stamp.get(), life, mark));
  }

  /** Whether the notes are those that were kept at a snapshot, and all that were made since. */
  boolean isWhole(
      Table table, Set<Set<String>> measured, TrackedSnapshot tracked, StatementRunner statements)
      throws SQLException {
    return stamp(table, measured, statements).equals(Optional.of(tracked.stamp()))
        && log.isAfter(
            statements, catalog.physical(table), columns(table, measured), tracked.where());
  }

  private List<String> columns(Table table, Set<Set<String>> measured) {
    return FrequencyPlan.of(table, measured, connector, catalog).columns();
  }
}
