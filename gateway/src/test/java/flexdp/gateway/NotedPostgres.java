package flexdp.gateway;

import flexdp.failure.DatabaseError;
import flexdp.gateway.catalog.Connector;
import flexdp.gateway.catalog.PhysicalCatalog;
import flexdp.gateway.collect.RequiredFrequencies;
import flexdp.gateway.collect.TrackedTables;
import flexdp.gateway.database.Connectors;
import flexdp.policy.Policy;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * PostgreSQL whose triggers note what is written, a standby that follows it, and a copy that went
 * its own way. Rows arrive past the triggers, and the owner measures wherever it occurs to him.
 */
final class NotedPostgres extends MovedWorld {
  private static final String MANY_ROWS = many(MovedPostgres.SERIES);

  private final Policy watched = OpenGateway.policy(policy());
  private final EmbeddedPostgres server;
  private final EmbeddedPostgres standby;
  private final EmbeddedPostgres copy;

  NotedPostgres(Path folder) throws Exception {
    server = FreshPostgres.own().start();
    try (Connection connection = connect()) {
      OpenGateway.write(connection, tables(MovedPostgres.SERIES).toArray(String[]::new));
      OpenGateway.write(connection, "CREATE TABLE besides(i int)", "CREATE ROLE mallory");
      install(connection);
      connection.setAutoCommit(true);
      OpenGateway.write(connection, "CREATE DATABASE strange");
    }
    standby = PostgresCopies.of(server, folder.resolve("standby"), true);
    copy = PostgresCopies.of(server, folder.resolve("copy"), false);
  }

  private void install(Connection connection) throws SQLException {
    Connector connector = Connectors.of(connection);
    PhysicalCatalog catalog = PhysicalCatalog.of(watched, connector, connector.tables(connection));
    new TrackedTables(connector, catalog, connector.changeLog().orElseThrow())
        .install(watched, RequiredFrequencies.of(watched), connection);
  }

  private static String url(EmbeddedPostgres some) {
    return some.getJdbcUrl("postgres", "postgres");
  }

  @Override
  List<String> urls() {
    return List.of(url(server), url(standby));
  }

  @Override
  boolean holdsTables() {
    return true;
  }

  @Override
  Connection connect() throws SQLException {
    return server.getPostgresDatabase().getConnection();
  }

  @Override
  String waiting(boolean patient) {
    return "SET lock_timeout = '" + (patient ? "20s" : "50ms") + "'";
  }

  /** What is undone is noted and measured as usual. */
  private Act again() {
    Act few = all(FEW_AGAIN);
    return patient -> {
      if (!few.make(patient)) {
        return false;
      }
      try (Connection connection = connect()) {
        OpenGateway.write(connection, waiting(patient));
        install(connection);
      } catch (SQLException e) {
        return false; // somebody reads
      }
      collect(url(server));
      return true;
    };
  }

  /** A transaction is writing while the owner measures on the standby, which does not list it. */
  private boolean collectOnStandby(boolean patient) throws Exception {
    try (Connection writer = connect()) {
      OpenGateway.write(writer, waiting(patient), "BEGIN", MANY_ROWS);
      OpenGateway.write(writer, "SELECT pg_current_xact_id()");
      try (Connection other = connect()) {
        OpenGateway.write(other, "INSERT INTO besides VALUES (1)");
      }
      PostgresCopies.await(server, standby);
      collect(url(standby));
      OpenGateway.write(writer, "COMMIT");
      return true;
    } catch (SQLException e) {
      return false;
    }
  }

  private boolean collectOnCopy(boolean patient) throws Exception {
    PostgresCopies.burn(copy.getPostgresDatabase(), 2000); // it is ahead of the server
    if (!all(MANY_ROWS).make(patient)) {
      return false;
    }
    collect(url(copy));
    return true;
  }

  /** A schema is there already; what is noted there would be somebody else's. */
  private boolean strangersSchema() throws SQLException {
    try (Connection connection = server.getDatabase("postgres", "strange").getConnection();
        Statement statement = connection.createStatement()) {
      OpenGateway.write(
          connection,
          "DROP SCHEMA IF EXISTS flexdp CASCADE",
          "CREATE TABLE IF NOT EXISTS t(id int NOT NULL, g int NOT NULL, UNIQUE (id))",
          "CREATE TABLE IF NOT EXISTS u(tid int NOT NULL, city varchar(20) NOT NULL, UNIQUE (tid))",
          "CREATE TABLE IF NOT EXISTS cities(id int NOT NULL, name varchar(20) NOT NULL)",
          "CREATE TABLE IF NOT EXISTS secret(id int NOT NULL, name varchar(20) NOT NULL)",
          "CREATE SCHEMA flexdp AUTHORIZATION mallory");
      try {
        install(connection);
      } catch (DatabaseError e) {
        return true;
      }
      try (ResultSet row =
          statement.executeQuery(
              "SELECT count(*) FROM pg_class WHERE relnamespace = 'flexdp'::regnamespace")) {
        row.next();
        throw new AssertionError(row.getInt(1) + " things were put into a stranger's schema");
      }
    }
  }

  @Override
  List<Move> moves() {
    List<Move> all = new ArrayList<>(harmless());
    all.addAll(
        List.of(
            move("many rows", List.of(MANY_ROWS), List.of(FEW_AGAIN)),
            Move.of("measured on a standby", this::collectOnStandby, again()),
            Move.of("measured on a copy", this::collectOnCopy, again()),
            Move.of(
                "replicated rows",
                all("SET session_replication_role = replica", MANY_ROWS),
                again()),
            Move.of(
                "triggers off",
                all(
                    "BEGIN",
                    "ALTER TABLE t DISABLE TRIGGER ALL",
                    MANY_ROWS,
                    "ALTER TABLE t ENABLE TRIGGER USER",
                    "COMMIT"),
                again()),
            Move.of(
                "notes taken away",
                all(
                    "BEGIN",
                    MANY_ROWS,
                    "DO $$ BEGIN EXECUTE (SELECT 'TRUNCATE ' || string_agg(oid::regclass::text,"
                        + " ',') FROM pg_class WHERE relnamespace = 'flexdp'::regnamespace AND"
                        + " relname LIKE 'log%' AND relkind = 'r'); END $$",
                    "COMMIT"),
                again()),
            new Move(
                "a stranger's schema", patient -> strangersSchema(), Optional.empty(), false)));
    return all;
  }

  @Override
  List<Move> harmless() {
    return List.of(
        harmless("ANALYZE t"),
        harmless("VACUUM t"),
        harmless("DELETE FROM t WHERE id = 9", "INSERT INTO t VALUES (9, 9)"),
        harmless(
            "SET session_replication_role = replica",
            "DELETE FROM t WHERE id = 8",
            "INSERT INTO t VALUES (8, 8)"));
  }

  @Override
  public void close() throws Exception {
    try (server;
        standby;
        copy) {
      // each ends, whatever the others do
    }
  }
}
