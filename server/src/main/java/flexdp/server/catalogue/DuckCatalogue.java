package flexdp.server.catalogue;

import flexdp.gateway.database.Heft;
import flexdp.gateway.database.OwnerLog;
import flexdp.gateway.database.Stop;
import flexdp.policy.Policy;
import flexdp.server.session.AboutServer;
import flexdp.server.session.SqlError;
import flexdp.server.session.WireColumn;
import flexdp.server.sql.Token;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.duckdb.DuckDBConnection;

/**
 * The catalogue in an in-memory DuckDB. Clients' statements run in it, so it is cut off from files,
 * extensions and other databases, its settings are locked, and memory, time and rows are limited.
 */
public final class DuckCatalogue implements AboutServer {
  private static final int SECONDS = 10;
  private static final int MOST_ROWS = 200_000;
  private static final long MOST_BYTES = 32L << 20;
  private static final int CONNECTIONS = 8;

  private static final Pattern NO_COLUMN =
      Pattern.compile(
          "(?:Referenced column|does not have a column named) \"([^\"]+)\"(?: not found)?");

  private final CompletableFuture<Connection> root;
  private final OwnerLog log;
  private volatile Map<Long, String> functions = Map.of();
  private final BlockingQueue<Connection> idle = new LinkedBlockingQueue<>();
  private final Semaphore places = new Semaphore(CONNECTIONS);
  private final RecentLooks recent = new RecentLooks();

  private DuckCatalogue(CompletableFuture<Connection> root, OwnerLog log) {
    this.root = root;
    this.log = log;
  }

  /**
   * Makes a catalogue in the background: it takes a while, and questions about data need none.
   *
   * @param log takes statements that it cannot answer, with the reason
   */
  public static DuckCatalogue of(Policy policy, OwnerLog log) {
    return new DuckCatalogue(CompletableFuture.supplyAsync(() -> made(policy)), log);
  }

  private static Connection made(Policy policy) {
    Properties properties = new Properties();
    properties.setProperty("memory_limit", "512MB");
    properties.setProperty("threads", "1");
    try {
      Connection made = DriverManager.getConnection("jdbc:duckdb:", properties);
      try (Statement statement = made.createStatement()) {
        CatalogueTables.create(made, policy);
        for (String lock :
            List.of(
                "SET temp_directory = ''",
                "SET autoinstall_known_extensions = false",
                "SET autoload_known_extensions = false",
                "SET enable_external_access = false",
                "SET lock_configuration = true")) {
          statement.execute(lock);
        }
      }
      return made;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public Found find(
      List<Token> tokens, List<Object> values, Visitor visitor, boolean describe, Stop stop) {
    String sql = new Rewriter(tokens, values, visitor, !describe).sql();
    RecentLooks.Look look = RecentLooks.Look.of(sql, visitor, describe);
    boolean lasts = RecentLooks.lasts(tokens);
    Optional<Found> known = lasts ? recent.find(look) : Optional.empty();
    if (known.isPresent()) {
      return named(tokens, known.get());
    }
    Found found = asked(sql, tokens, visitor, describe, stop);
    if (lasts) {
      recent.keep(look, found);
    }
    return named(tokens, found);
  }

  private Found asked(
      String sql, List<Token> tokens, Visitor visitor, boolean describe, Stop stop) {
    Set<String> tables = Variables.named(tokens);
    places.acquireUninterruptibly();
    Connection connection = null;
    try {
      connection = connection();
      Variables.set(connection, visitor, tables);
      return describe ? described(connection, sql) : found(connection, sql, stop);
    } catch (SQLException e) {
      log.failure("catalogue: " + sql, e);
      throw unanswered(e);
    } finally {
      if (connection != null) {
        giveBack(connection, tables);
      }
      places.release();
    }
  }

  /** A connection that cannot be cleared of what one visitor was given is no other's. */
  private void giveBack(Connection connection, Set<String> tables) {
    try {
      Variables.clear(connection, tables);
      idle.add(connection);
    } catch (SQLException e) {
      log.failure("catalogue: a connection was not cleared", e);
      try {
        connection.close();
      } catch (SQLException unclosed) {
        log.failure("catalogue: a connection was not closed", unclosed);
      }
    }
  }

  private static Found named(List<Token> tokens, Found found) {
    List<String> names =
        CatalogueSelects.names(tokens, found.columns().stream().map(WireColumn::name).toList());
    List<WireColumn> columns = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      columns.add(found.columns().get(i).named(names.get(i)));
    }
    return new Found(columns, found.rows());
  }

  private Connection connection() throws SQLException {
    Connection free = idle.poll();
    if (free != null) {
      return free;
    }
    synchronized (root) {
      Connection made = root.join().unwrap(DuckDBConnection.class).duplicate();
      try (Statement statement = made.createStatement()) {
        statement.execute("USE memory.pgc");
      }
      return made;
    }
  }

  private static Found described(Connection connection, String sql) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      return new Found(DuckValues.columns(statement.getMetaData()), List.of());
    }
  }

  private Found found(Connection connection, String sql, Stop stop) throws SQLException {
    try (Statement statement = connection.createStatement();
        Stop.Interruptible ignored = stop.over(statement)) {
      statement.setQueryTimeout(SECONDS);
      try (ResultSet rows = statement.executeQuery(sql)) {
        List<WireColumn> columns = DuckValues.columns(rows.getMetaData());
        List<List<Object>> all = new ArrayList<>();
        long bytes = 0;
        List<Boolean> functions = new ArrayList<>();
        for (int i = 1; i <= columns.size(); i++) {
          functions.add(DuckValues.isFunction(rows.getMetaData(), i));
        }
        Map<Long, String> names = functions.contains(true) ? functions(connection) : Map.of();
        while (rows.next()) {
          List<Object> row = new ArrayList<>();
          for (int i = 0; i < columns.size(); i++) {
            row.add(DuckValues.value(rows, i + 1, functions.get(i), names));
          }
          all.add(row);
          bytes += Heft.of(row);
          if (all.size() > MOST_ROWS || bytes > MOST_BYTES) {
            throw SqlError.of("54000", "The catalogue's answer has too many rows.");
          }
        }
        return new Found(columns, all);
      }
    }
  }

  private Map<Long, String> functions(Connection connection) throws SQLException {
    if (functions.isEmpty()) {
      Map<Long, String> read = new HashMap<>(Map.of(0L, "-"));
      try (Statement statement = connection.createStatement();
          ResultSet rows = statement.executeQuery("SELECT oid, proname FROM pgc.pg_proc")) {
        while (rows.next()) {
          read.put(rows.getLong(1), rows.getString(2));
        }
      }
      functions = Map.copyOf(read);
    }
    return functions;
  }

  /** There are no data here, but the words are not ours and would confuse. */
  private static SqlError unanswered(SQLException e) {
    String message = String.valueOf(e.getMessage());
    if (message.contains("INTERRUPT")) {
      return SqlError.of("57014", "The catalogue took too long.");
    }
    if (message.contains("Parser Error")) {
      return SqlError.of("42601", "This is not SQL that the catalogue can read.");
    }
    if (message.contains("does not exist") && message.contains("Table")) {
      return SqlError.of(
          "42P01",
          "A relation of this statement does not exist in the catalogue.",
          "A question names tables of the policy only; \\d lists them.");
    }
    if (message.contains("does not exist") && message.contains("Function")) {
      return SqlError.of("42883", "A function of this statement does not exist.");
    }
    Matcher column = NO_COLUMN.matcher(message);
    if (column.find()) {
      return SqlError.of(
          "42703", "The column '" + column.group(1) + "' does not exist in the catalogue.");
    }
    return SqlError.of("0A000", "The catalogue does not answer this.");
  }

  @Override
  public void close() {
    try {
      for (Connection connection : idle) {
        connection.close();
      }
      root.join().close();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
