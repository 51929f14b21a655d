package flexdp.gateway.catalog;

import flexdp.gateway.catalog.TableIdentities.TableIdentity;
import flexdp.gateway.render.TargetDialect;
import flexdp.policy.Policy;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.UUID;

/**
 * What one kind of database has its own way for when it is opened, described, measured and asked. A
 * new kind is one class and one line in {@code Connectors}.
 */
public interface Connector {
  /** The word that people know it by, and that its addresses have after jdbc: */
  String word();

  /** The name as it is written in sentences. */
  String title();

  /** Whether a driver that calls its product so speaks to this kind. */
  default boolean isProduct(String product) {
    return product.equalsIgnoreCase(word());
  }

  /** Whether an address is one of this kind. */
  default boolean isAddress(String url) {
    return url.startsWith("jdbc:" + word() + ":");
  }

  /**
   * Opens a connection that cannot write.
   *
   * @param streaming hands over results while they are still being made
   */
  default Connection connect(String url, Properties credentials, boolean streaming)
      throws SQLException {
    return JdbcDrivers.readOnly(url, credentials);
  }

  /** Whether it is a server, which may go away and come back, and not a file. */
  default boolean isServer() {
    return true;
  }

  /** Whether a connection has copies that see the same data, as those to embedded databases do. */
  default boolean hasCopies() {
    return false;
  }

  /** Another connection to what this one is connected to. */
  default Connection copy(Connection connection) throws SQLException {
    throw new SQLFeatureNotSupportedException("connections to " + title() + " have no copies");
  }

  /** How questions are written for it. */
  TargetDialect dialect();

  /**
   * What is said once on every connection before questions: it closes what a statement could reach
   * besides the tables, and fixes what values, names and functions mean.
   *
   * @param timeout after which the server itself gives a statement up, where it can
   */
  List<String> settings(Duration timeout);

  /** The value of a column of a result, counted from one; null for NULL. */
  default Object value(ResultSet row, int index, Type type) throws SQLException {
    return JdbcValues.read(row, index, type);
  }

  /** A count or a sum of a result, as {@link TargetDialect#sum} has it; null for NULL. */
  default BigDecimal number(ResultSet row, int index) throws SQLException {
    return row.getBigDecimal(index);
  }

  /** Makes a connection fit for questions. */
  default void prepare(Connection connection, Duration timeout) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String setting : settings(timeout)) {
        statement.execute(setting);
      }
    }
  }

  /** Whether one process alone computes a result that is handed over piece by piece. */
  default boolean streamsAlone() {
    return false;
  }

  /** Whether a statement failed because it took longer than it may. */
  default boolean isTimeout(SQLException e) {
    return e instanceof SQLTimeoutException;
  }

  /**
   * Whether a statement failed because the connection broke. Such a failure is not held against the
   * question, so what a statement itself can bring about must not count as one.
   */
  default boolean isLost(SQLException e) {
    String state = e.getSQLState();
    return e instanceof SQLNonTransientConnectionException
        || e instanceof SQLTransientConnectionException
        || state != null && state.startsWith("08");
  }

  /**
   * Whether a statement failed because a name in it leads nowhere any more, or where we may not
   * read: that is found before a row is read, so that no row has a say in it. Only such a failure
   * may be laid to those who redefine tables. Whoever owns a table of a question can change one of
   * them at every moment, and would make every failure one that is not counted.
   */
  default boolean isRedefined(SQLException e) {
    return false;
  }

  /** The name in quotes that keep its case and admit any character. */
  default String quote(String name) {
    return dialect().quote(name);
  }

  /**
   * Whether it groups by several sets of columns sooner while it reads a table once than one set
   * after the other.
   */
  boolean groupsTogether();

  /**
   * The expression that reads a column as a value of the declared type, NULL where there is none.
   * Metrics and questions must read alike, or their equalities could differ.
   */
  String read(PhysicalColumn column, Type declared);

  /** Reads a column, where it matters of which table it is. */
  default String read(PhysicalTable table, PhysicalColumn column, Type declared) {
    return read(column, declared);
  }

  /** How a column is read, where the database itself would say something else of its type. */
  default Optional<String> readAs(PhysicalColumn column) {
    return Optional.empty();
  }

  /**
   * Whether {@link #read} tells apart what the column's own type does: of two values that are read
   * as different where the column is declared as what it is, none are read as one, though some may
   * be as NULL. A bigint that is read as a double is not, nor a moment that is read as its day.
   */
  default boolean readsApart(PhysicalColumn column, Type declared) {
    Type stored = column.type();
    boolean exact =
        declared.isExact()
            && (stored.isInteger()
                || stored.kind() == Type.Kind.DECIMAL && stored.scale() <= declared.scale());
    boolean dayAsMoment = declared.kind() == Type.Kind.TIMESTAMP && stored.kind() == Type.Kind.DATE;
    boolean asText =
        declared.kind() == Type.Kind.VARCHAR
            && (stored.isInteger() || stored.kind() == Type.Kind.UUID);
    return stored.equals(declared) || exact || dayAsMoment || asText;
  }

  /** Whether a column has the declared type itself, so that {@link #read} only looks for a form. */
  default boolean isStoredAs(PhysicalColumn column, Type declared) {
    return false;
  }

  /** The column as {@link #read} has it, but without a look for a form; empty if there is more. */
  default Optional<String> stored(PhysicalColumn column, Type declared) {
    return isStoredAs(column, declared) ? Optional.of(quote(column.name())) : Optional.empty();
  }

  /**
   * The stored column alone, where reading it changes nothing: every value is read as one, no two
   * as the same, and in the same order. To count and to group by it takes less than by {@link
   * #read}.
   */
  default Optional<String> unchanged(PhysicalTable table, PhysicalColumn column, Type declared) {
    String name = quote(column.name());
    return read(table, column, declared).equals(name) ? Optional.of(name) : Optional.empty();
  }

  /**
   * What names each row of a table within one statement: see {@link
   * flexdp.gateway.render.NameCatalog#rowName}.
   */
  default Optional<String> rowName(PhysicalTable table) {
    return Optional.empty();
  }

  /** A condition on a DOUBLE, DATE or TIMESTAMP: neither NaN nor infinite. */
  String isFinite(String sql, Type type);

  /** What stands in FROM for the rows of a table. */
  default String rows(PhysicalTable table) {
    String catalog = table.catalog().isEmpty() ? "" : quote(table.catalog()) + ".";
    return catalog + quote(table.schema()) + "." + quote(table.name());
  }

  /** Every relation that a user made, in a stable order. */
  List<PhysicalTable> tables(Connection connection) throws SQLException;

  /**
   * The tables of the database, and those of other catalogs that a policy names, where there are
   * such.
   */
  default List<PhysicalTable> tables(Connection connection, Policy policy) throws SQLException {
    return tables(connection);
  }

  /**
   * What tells these tables apart, in their order. By default their names as the database spells
   * them; what may be one table must not have two names.
   */
  default List<TableIdentity> identities(Connection connection, List<PhysicalTable> tables)
      throws SQLException {
    return tables.stream().map(TableIdentity::of).toList();
  }

  /**
   * The identities of the tables that a question looked at. Empty where tables are told apart by
   * their names alone, which cannot change behind a word of the policy.
   *
   * @param marks see {@link TableDefinitions#marks}; what shows there is what counts, and not what
   *     the names lead to a moment later
   */
  default Optional<List<TableIdentity>> identities(
      StatementRunner statements,
      List<PhysicalTable> tables,
      Map<TableDefinitions.Name, List<String>> marks)
      throws SQLException {
    return Optional.empty();
  }

  /** Begins a read-only transaction that sees one state of the data until it ends. */
  void beginSnapshot(Connection connection) throws SQLException;

  /**
   * Begins the transaction of a question. Nobody redefines, drops or renames the tables until it
   * ends, where the database can see to that; they are waited for before the state is chosen, and
   * not for long.
   *
   * @param timeout of each statement, where the server itself can give one up
   */
  default void beginSnapshot(
      Connection connection, Collection<PhysicalTable> held, Duration timeout) throws SQLException {
    beginSnapshot(connection);
  }

  /** Whether it failed because somebody redefines a table at this moment. */
  default boolean isBusy(SQLException e) {
    return false;
  }

  /** Ends what {@link #beginSnapshot} began. */
  default void endSnapshot(Connection connection) throws SQLException {
    connection.rollback();
  }

  /**
   * Whether all statements of such a transaction read one state, whoever writes meanwhile. Where
   * they do not, metrics may be older than the rows that a question reads.
   */
  default boolean readsOneState() {
    return false;
  }

  /**
   * Names the state of all the data: no other state has the name, and while the connection is open
   * there is none. Empty where the database knows no such thing.
   */
  default Optional<String> version(Connection connection) throws SQLException {
    return Optional.empty();
  }

  /**
   * What the data of an open connection rest on beside the database; looked at with each reading.
   */
  default BackingStore ground(Connection connection) throws SQLException {
    return BackingStore.FIRM;
  }

  /** How changes of a table are noted by triggers, where the database can do that safely. */
  default Optional<ChangeLog> changeLog() {
    return Optional.empty();
  }

  /**
   * How to tell that tables are still defined as they were when they were described; empty where
   * nobody can change that while a connection is open, or where nothing is enforced.
   */
  default Optional<TableDefinitions> definitions() {
    return Optional.empty();
  }

  /** Whether the catalog leaves out tables and columns that the user may not read. */
  default boolean hidesUnreadable() {
    return false;
  }

  /** The database's own name of the state that the transaction sees; may be empty. */
  String snapshot(Connection connection) throws SQLException;

  /** Values of a result set as our own: those of {@link flexdp.algebra.Expr.Literal}. */
  final class JdbcValues {
    private JdbcValues() {}

    /** The value of a column, counted from one; null for NULL. */
    static Object read(ResultSet row, int index, Type type) throws SQLException {
      Object value =
          switch (type.kind()) {
            case BOOLEAN -> row.getBoolean(index);
            case SMALLINT, INTEGER, BIGINT -> BigDecimal.valueOf(row.getLong(index));
            case DECIMAL -> row.getBigDecimal(index);
            case DOUBLE -> row.getDouble(index);
            case VARCHAR, OPAQUE, NULL -> row.getString(index);
            case DATE -> row.getObject(index, LocalDate.class);
            case TIME -> row.getObject(index, LocalTime.class);
            case TIMESTAMP -> row.getObject(index, LocalDateTime.class);
            case UUID -> row.getObject(index, UUID.class);
            case INTERVAL_MONTHS, INTERVAL_MICROS ->
                throw new SQLException("an interval cannot be read");
          };
      return row.wasNull() ? null : value;
    }
  }

  /**
   * What an open database rests on beside itself, such as its file. It is looked at before and
   * after everything that is read: where it moved, what was read is no state of the data.
   */
  interface BackingStore {
    /** Ground that nobody can move, or of which the database itself takes care. */
    BackingStore FIRM = () -> true;

    /** Whether it is what it was when the database was opened; a quick look. */
    boolean stands();
  }
}
