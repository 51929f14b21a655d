package flexdp.gateway.hostile;

import flexdp.failure.Rejection;
import flexdp.gateway.FlexDp;
import flexdp.gateway.MariaDbServer;
import flexdp.gateway.Setup;
import flexdp.gateway.catalog.Connector;
import flexdp.gateway.catalog.PhysicalColumn;
import flexdp.gateway.catalog.PhysicalTable;
import flexdp.gateway.database.Connectors;
import flexdp.gateway.database.Databases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** Columns that the database keeps unique though two of their values are read as one. */
final class KeySchemes {
  private static final String DATABASE = "keyschemes";

  static final List<Scheme> ALL =
      List.of(
          scheme(
              "MariaDB: a key of ascii bytes",
              "VARCHAR(10) CHARACTER SET ascii",
              "X'8080', X'8081', X'FFFF'"),
          scheme("MariaDB: a key of equal members", "SET('a','a','a','a')", "1, 2, 4, 8"),
          new Scheme("DuckDB: a key of bigints that are read as doubles", p -> readAsDoubles()));

  private KeySchemes() {}

  private static Scheme scheme(String name, String type, String values) {
    return new Scheme(name, postgres -> gains(type, values));
  }

  private static List<String> gains(String type, String values) throws SQLException {
    MariaDbServer.create(DATABASE);
    try (Connection writer = MariaDbServer.writer(DATABASE);
        Statement statement = writer.createStatement()) {
      statement.execute("SET sql_mode = ''");
      statement.execute("CREATE TABLE k (v " + type + " NOT NULL UNIQUE)");
      for (String value : values.split(", ")) {
        statement.execute("INSERT INTO k VALUES (" + value + ")");
      }
    }
    String url = MariaDbServer.url(DATABASE) + "?user=root";
    try (Connection reader = Databases.readOnly(url)) {
      Connector connector = Connectors.of(reader);
      PhysicalTable table =
          connector.tables(reader).stream()
              .filter(t -> t.name().equals("k") && t.schema().equals(DATABASE))
              .findFirst()
              .orElseThrow();
      PhysicalColumn column = table.column("v").orElseThrow();
      String read = connector.read(table, column, column.type());
      try (Statement statement = reader.createStatement();
          ResultSet row =
              statement.executeQuery("SELECT COUNT(*) - COUNT(DISTINCT " + read + ") FROM k")) {
        row.next();
        boolean merged = row.getLong(1) > 0;
        return merged && table.keys().contains(List.of("v"))
            ? List.of(type + " is a key, and values of it are read as one")
            : List.of();
      }
    }
  }

  /** All of the numbers are one double, of which a self join has all pairs. */
  private static List<String> readAsDoubles() throws SQLException, IOException {
    Path folder = Files.createTempDirectory("keyschemes");
    String url = "jdbc:duckdb:" + folder.resolve("k.duckdb");
    try (Connection writer = DriverManager.getConnection(url);
        Statement statement = writer.createStatement()) {
      statement.execute("CREATE TABLE k (v BIGINT PRIMARY KEY)");
      statement.execute("INSERT INTO k SELECT 4611686018427387904 + i FROM range(200) r(i)");
    }
    Path policy = folder.resolve("k.yaml");
    Files.writeString(
        policy,
        """
        privacy: {epsilon: 1000}
        tables: {k: {columns: {v: {type: double, unique: true, nullable: false}}}}
        """);
    try (FlexDp flexdp = Setup.of(policy).database(url).open()) {
      String join = "SELECT COUNT(*) FROM k a JOIN k b ON a.v = b.v";
      String formula =
          flexdp.explain(flexdp.question(join)).noise().stream()
              .map(n -> n.formula())
              .findFirst()
              .orElse("");
      return flexdp.policy().table("k").orElseThrow().uniqueKeys().isEmpty()
          ? List.of()
          : List.of("one of 200 rows that are read as one moves " + join + " by " + formula);
    } catch (Rejection e) {
      return List.of(); // it is no key, and nobody has measured its frequency
    }
  }
}
