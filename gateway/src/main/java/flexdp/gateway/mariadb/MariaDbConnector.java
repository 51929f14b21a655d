package flexdp.gateway.mariadb;

import flexdp.failure.DatabaseError;
import flexdp.gateway.catalog.ChangeLog;
import flexdp.gateway.catalog.Connector;
import flexdp.gateway.catalog.PhysicalColumn;
import flexdp.gateway.catalog.PhysicalTable;
import flexdp.gateway.catalog.StatementRunner;
import flexdp.gateway.catalog.TableDefinitions;
import flexdp.gateway.catalog.TableIdentities.TableIdentity;
import flexdp.gateway.mariadb.MariaDbTables.MariaDbColumns;
import flexdp.gateway.mariadb.MariaDbTables.MariaDbDefinitions;
import flexdp.gateway.render.TargetDialect;
import flexdp.policy.Type;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.LocalTime;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * MariaDB. Addresses may begin with jdbc:mysql: too, but the server has to be MariaDB: MySQL has no
 * collation that compares text exactly under the same name, and other rules.
 */
public final class MariaDbConnector implements Connector {
  private static final String MYSQL = "jdbc:mysql:";

  /**
   * What values mean, and room enough to sort and join. With these nothing is cut while it is
   * compared, no conversion raises, and what a table held at other times is not seen.
   */
  private static final String MEANING =
      "SET SESSION sql_mode = '', time_zone = '+00:00', character_set_client ="
          + " utf8mb4, character_set_results = utf8mb4, collation_connection = "
          + MariaDb.EXACT
          + ", div_precision_increment = 16, max_sort_length = 262144, sort_buffer_size = 67108864,"
          + " sql_select_limit = 18446744073709551615, sql_big_selects = 1, sql_auto_is_null = 0,"
          + " join_cache_level = 4, old_mode = '', system_versioning_asof = DEFAULT";

  /** DDL that waits behind us blocks every writer. */
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(2);

  private static final Set<Integer> REDEFINED = Set.of(1044, 1049, 1054, 1142, 1143, 1146, 1412);

  private final MariaDb dialect = new MariaDb();
  private final MariaDbColumns columns = new MariaDbColumns(dialect);

  @Override
  public String word() {
    return "mariadb";
  }

  @Override
  public String title() {
    return "MariaDB";
  }

  @Override
  public boolean isAddress(String url) {
    return url.startsWith("jdbc:mariadb:") || url.startsWith(MYSQL);
  }

  @Override
  public Connection connect(String url, Properties credentials, boolean streaming)
      throws SQLException {
    credentials.setProperty("allowLocalInfile", "false");
    String address = url.startsWith(MYSQL) ? "jdbc:mariadb:" + url.substring(MYSQL.length()) : url;
    Connection connection = DriverManager.getConnection(address, credentials);
    connection.setReadOnly(true);
    return connection;
  }

  @Override
  public boolean hidesUnreadable() {
    return true;
  }

  @Override
  public TargetDialect dialect() {
    return dialect;
  }

  @Override
  public List<String> settings(Duration timeout) {
    return List.of(
        MEANING,
        "SET SESSION max_statement_time = " + timeout.toMillis() / 1000.0,
        "SET SESSION lock_wait_timeout = " + Math.max(1, timeout.toSeconds()));
  }

  /** The driver wraps times of other days around midnight; the text of one is no time of day. */
  @Override
  public Object value(ResultSet row, int index, Type type) throws SQLException {
    if (type.kind() != Type.Kind.TIME) {
      return Connector.super.value(row, index, type);
    }
    String text = row.getString(index);
    return text == null ? null : LocalTime.parse(text);
  }

  /** One reading for each set of columns. */
  @Override
  public boolean groupsTogether() {
    return false;
  }

  @Override
  public String read(PhysicalColumn column, Type declared) {
    return columns.read(column, declared);
  }

  /** Its own words hold texts equal that are not the same. */
  @Override
  public Optional<String> readAs(PhysicalColumn column) {
    return MariaDbColumns.isCollated(column.typeName())
        ? Optional.of("is compared by its bytes, not by its collation")
        : Optional.empty();
  }

  /** There is no other number or date. */
  @Override
  public String isFinite(String sql, Type type) {
    return "TRUE";
  }

  @Override
  public List<PhysicalTable> tables(Connection connection) throws SQLException {
    requireVersion(connection);
    return new MariaDbTables(StatementRunner.over(connection)).read();
  }

  private static void requireVersion(Connection connection) throws SQLException {
    var about = connection.getMetaData();
    int version = about.getDatabaseMajorVersion() * 100 + about.getDatabaseMinorVersion();
    if (version < 1006) {
      throw DatabaseError.of(
          "This MariaDB is older than version 10.6.", "Use a server of version 10.6 or newer.");
    }
  }

  /** Whether names of tables have a case depends on the server's file system. */
  @Override
  public List<TableIdentity> identities(Connection connection, List<PhysicalTable> tables)
      throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT @@lower_case_table_names")) {
      boolean folded = row.next() && row.getInt(1) != 0;
      return tables.stream()
          .map(t -> folded ? TableIdentity.folded(t) : TableIdentity.of(t))
          .toList();
    }
  }

  @Override
  public void beginSnapshot(Connection connection) throws SQLException {
    begin(connection, "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY");
  }

  /** Whoever names a table in a transaction keeps it as it is; what is read is chosen later. */
  @Override
  public void beginSnapshot(Connection connection, Collection<PhysicalTable> held, Duration timeout)
      throws SQLException {
    if (held.isEmpty()) {
      beginSnapshot(connection);
      return;
    }
    long wait = Math.max(1, Math.min(LONGEST_WAIT.toSeconds(), timeout.toSeconds()));
    begin(
        connection,
        "START TRANSACTION READ ONLY",
        held.stream()
            .map(this::rows)
            .sorted()
            .map(name -> "SELECT 1 FROM " + name + " WHERE FALSE")
            .collect(
                Collectors.joining(
                    " UNION ALL ", "SET STATEMENT lock_wait_timeout = " + wait + " FOR ", "")));
  }

  private static void begin(Connection connection, String... statements) throws SQLException {
    if (connection.getAutoCommit()) {
      connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      connection.setAutoCommit(false);
    }
    try (Statement statement = connection.createStatement()) {
      statement.execute(MEANING);
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  /** ER_LOCK_WAIT_TIMEOUT. */
  @Override
  public boolean isBusy(SQLException e) {
    return e.getErrorCode() == 1205;
  }

  /** A database, table or column that is not there, is another one, or may not be read. */
  @Override
  public boolean isRedefined(SQLException e) {
    return REDEFINED.contains(e.getErrorCode());
  }

  /** Tables of engines without transactions are refused. */
  @Override
  public boolean readsOneState() {
    return true;
  }

  @Override
  public Optional<ChangeLog> changeLog() {
    return Optional.of(new MariaDbChangeLog(this));
  }

  @Override
  public Optional<TableDefinitions> definitions() {
    return Optional.of(new MariaDbDefinitions());
  }

  /** The state has no lasting name. */
  @Override
  public String snapshot(Connection connection) {
    return "";
  }
}
