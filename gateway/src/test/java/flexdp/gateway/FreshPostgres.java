package flexdp.gateway;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;

/**
 * An empty database on a real PostgreSQL that is started once for all tests of this process and
 * ends with it. What belongs to a whole server (roles, rules of access, restarts) is for tests with
 * a server of their {@link #own}.
 */
public final class FreshPostgres implements AutoCloseable {
  private static final Map<Boolean, EmbeddedPostgres> SERVERS = new HashMap<>();
  private static int created;

  private final EmbeddedPostgres server;
  private final String name;

  private FreshPostgres(EmbeddedPostgres server, String name) {
    this.server = server;
    this.name = name;
  }

  public static FreshPostgres create() throws SQLException {
    return create(false, "");
  }

  /** One that is made in a certain way. */
  public static FreshPostgres with(String options) throws SQLException {
    return create(false, " " + options);
  }

  /** On a server that writes its log to the disk before it says that it has, as ledgers demand. */
  public static FreshPostgres durable() throws SQLException {
    return create(true, "");
  }

  private static synchronized FreshPostgres create(boolean durable, String options)
      throws SQLException {
    EmbeddedPostgres server = SERVERS.computeIfAbsent(durable, FreshPostgres::started);
    FreshPostgres fresh = new FreshPostgres(server, "fresh" + ++created);
    fresh.manage("CREATE DATABASE " + fresh.name + options);
    return fresh;
  }

  private static EmbeddedPostgres started(boolean durable) {
    try {
      return durable ? own().setServerConfig("fsync", "on").start() : own().start();
    } catch (IOException e) {
      throw new AssertionError("PostgreSQL does not start", e);
    }
  }

  /** The settings of another server; it has as long to start as a busy machine may need. */
  public static EmbeddedPostgres.Builder own() {
    return EmbeddedPostgres.builder().setPGStartupWait(Await.LIMIT);
  }

  private void manage(String sql) throws SQLException {
    try (Connection connection = server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Its address, with the name of the user who may do everything. */
  public String url() {
    return server.getJdbcUrl("postgres", name);
  }

  /** A connection that may do everything. */
  public Connection connect() throws SQLException {
    return server.getDatabase("postgres", name).getConnection();
  }

  /** Nothing is left of it, whoever is still connected. */
  @Override
  public void close() throws SQLException {
    manage("DROP DATABASE " + name + " WITH (FORCE)");
  }
}
