package flexdp.gateway.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.DatabaseError;
import flexdp.gateway.catalog.PhysicalTable;
import flexdp.gateway.collect.CollectedMetrics;
import flexdp.gateway.collect.Collector;
import flexdp.gateway.collect.ColumnNames;
import flexdp.gateway.collect.Progress;
import flexdp.gateway.collect.RequiredFrequencies;
import flexdp.gateway.files.YamlText;
import flexdp.gateway.policydraft.PolicyDraft;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataFilesTest {
  private static final String POLICY =
      """
      flexdp: 1
      tables:
        trips:
          columns:
            id: {type: bigint}
            city: {type: integer}
            fare: {type: "decimal(9,2)"}
            note: {type: varchar}
        cities: {public: true, columns: {id: {type: integer}, name: {type: varchar}}}
      """;

  @TempDir Path folder;
  private Path trips;

  @BeforeEach
  void write() throws Exception {
    trips = folder.resolve("trips.csv");
    Files.writeString(
        trips,
        "\ufeffid,city,fare,\"note\"\r\n1,7,10.50,\"a, \"\"b\"\"\nc\"\r\n2,7,x,\r\n3,,2,\"\"\r\n");
    try (Connection duck = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duck.createStatement()) {
      statement.execute(
          "COPY (SELECT 7::INTEGER AS id, 'Oslo' AS name UNION ALL SELECT 8, NULL) TO '"
              + folder.resolve("cities.parquet")
              + "' (FORMAT parquet)");
    }
    Files.writeString(folder.resolve("readme.txt"), "not a table");
  }

  private String url() {
    return "files:" + folder;
  }

  private static List<String> rows(Connection connection, String sql) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      while (row.next()) {
        rows.add(row.getString(1));
      }
    }
    return rows;
  }

  /** DuckDB would read every file that the name matches. */
  @Test
  void aNameThatStandsForOtherFilesIsRefused() throws Exception {
    Files.writeString(folder.resolve("t[ro]ips.csv"), "id\n1\n");
    DatabaseError error = assertThrows(DatabaseError.class, () -> Databases.readOnly(url()));
    assertTrue(error.getMessage().contains("t[ro]ips.csv"), error.getMessage());
  }

  @Test
  void filesAreTablesAndNothingElseCanBeRead() throws Exception {
    try (Connection connection = Databases.readOnly(url())) {
      List<PhysicalTable> tables = Connectors.of(connection).tables(connection);
      assertEquals(List.of("cities", "trips"), tables.stream().map(PhysicalTable::name).toList());
      assertTrue(tables.stream().allMatch(t -> t.keys().isEmpty()));
      assertEquals(
          List.of("a, \"b\"\nc", "null", ""),
          rows(connection, "SELECT coalesce(note, 'null') FROM trips ORDER BY id"));
      assertThrows(
          SQLException.class, () -> rows(connection, "SELECT * FROM read_csv('" + trips + "')"));
    }
    try (Connection one = Databases.readOnly("files:" + trips)) {
      assertEquals(List.of("3"), rows(one, "SELECT count(*) FROM trips"));
    }
  }

  @Test
  void aDraftShowsHowToTypeTheTextOfCsvFiles() throws Exception {
    try (Connection connection = Databases.readOnly(url())) {
      String draft = PolicyDraft.of(url(), Connectors.of(connection).tables(connection));
      String cities = draft.substring(draft.indexOf("  cities:"), draft.indexOf("  trips:"));
      String text = draft.substring(draft.indexOf("  trips:"));
      assertTrue(text.contains("#   amount:  {type: \"decimal(12,2)\", range: [0, 500]}"), text);
      assertTrue(cities.contains("id: {type: integer}"), cities);
      assertTrue(!cities.contains("CSV"), "Parquet has types");
      // Every line that is shown can be written as it is.
      String shown =
          text.lines()
              .filter(line -> line.strip().startsWith("#   "))
              .map(line -> "      " + line.strip().substring(4))
              .collect(Collectors.joining("\n"));
      PolicyReader.read(
          YamlText.tree(
              "flexdp: 1\ntables:\n  t:\n    columns:\n" + shown,
              flexdp.failure.ConfigurationError.Code.BAD_POLICY));
    }
  }

  @Test
  void filesAreMeasuredAndAsked() throws Exception {
    Policy policy =
        PolicyReader.read(YamlText.tree(POLICY, flexdp.failure.ConfigurationError.Code.BAD_POLICY));
    CollectedMetrics collected;
    try (Connection connection = Databases.readOnly(url())) {
      collected =
          new Collector(
                  policy,
                  RequiredFrequencies.of(policy).and(ColumnNames.parse("trips.city", policy)),
                  Progress.NONE,
                  Clock.systemUTC())
              .collect(connection);
    }
    assertEquals(
        2,
        collected
            .metrics()
            .table("trips")
            .frequencies()
            .get(Set.of("city"))
            .max()
            .orElseThrow()
            .intValueExact());
    try (JdbcDatabase database =
            JdbcDatabase.open(url(), policy, Duration.ofMinutes(10), ErrorLog.NONE);
        Session session = database.session()) {
      assertTrue(collected.snapshot().endsWith(" " + database.version().orElseThrow()));
      List<String> fares = new ArrayList<>();
      String fare =
          database
              .catalog()
              .column(
                  policy.table("trips").orElseThrow(),
                  policy.table("trips").orElseThrow().column("fare").orElseThrow());
      session.run("SELECT " + fare + " FROM trips ORDER BY id", row -> fares.add(row.getString(1)));
      assertEquals(java.util.Arrays.asList("10.50", null, "2.00"), fares);
    }
  }

  @Test
  void anotherContentIsAnotherVersion() throws Exception {
    Optional<String> before = version();
    Files.setLastModifiedTime(trips, FileTime.fromMillis(0));
    assertEquals(before, version());
    Files.writeString(trips, Files.readString(trips).replace("10.50", "10.51"));
    assertNotEquals(before, version());
  }

  private Optional<String> version() throws SQLException {
    try (Connection connection = Databases.readOnly(url())) {
      return Connectors.of(connection).version(connection);
    }
  }

  @Test
  void twoNamesOfOneFileAreRefused() throws Exception {
    Path link = Files.createSymbolicLink(folder.resolve("rides.csv"), trips);
    assertTrue(failure().contains("are one file"), failure());
    Files.delete(link);
    Path hard = Files.createLink(folder.resolve("other.csv"), trips);
    assertTrue(failure().contains("are one file"), failure());
    Files.delete(hard);
    Files.writeString(folder.resolve("trips.tsv"), "id\n1\n");
    assertTrue(failure().contains("tables of one name"), failure());
  }

  @Test
  void aBadRowIsNamedByItsLineAndNotShown() throws Exception {
    Files.writeString(trips, "id,city\n1,2\n3,4,secret\n");
    assertEquals("The file '" + trips + "' is not well-formed CSV: line 3.", failure());
    Files.writeString(trips, "id,city\n1,2\n3\n");
    assertEquals("The file '" + trips + "' is not well-formed CSV: line 3.", failure());
    Files.writeString(trips, "id,city\n1,\"secret\n");
    assertTrue(failure().startsWith("The file '" + trips + "' is not well-formed CSV"), failure());
    assertFalse(failure().contains("secret"));
    Files.writeString(trips, "id,ID\n1,2\n");
    assertEquals("The file '" + trips + "' has two columns of one name.", failure());
    Files.writeString(trips, "");
    assertEquals("The file '" + trips + "' has no header.", failure());
    Files.writeString(trips, "id\n1\n");
    Files.writeString(folder.resolve("cities.parquet"), "no parquet");
    assertTrue(failure().endsWith("is not a Parquet file."), failure());
    Path none = folder.resolve("none");
    assertTrue(
        assertThrows(DatabaseError.class, () -> Databases.readOnly("files:" + none))
            .message()
            .startsWith("There is no file with the ending"));
  }

  private String failure() {
    return assertThrows(DatabaseError.class, () -> Databases.readOnly(url())).message();
  }
}
