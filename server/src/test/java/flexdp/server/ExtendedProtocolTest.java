package flexdp.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.gateway.pause.Pause;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.PGConnection;

/** Portals, binary values, transactions, copying, cancelling, and what is too much. */
class ExtendedProtocolTest {
  @TempDir static Path folder;
  private static Demo demo;

  @BeforeAll
  static void start() throws Exception {
    demo = Demo.start(folder);
  }

  @AfterAll
  static void stop() {
    demo.close();
  }

  @Test
  void aFetchSizeReadsAPortalPieceByPiece() throws SQLException {
    try (Connection connection = demo.connect("ann")) {
      connection.setAutoCommit(false);
      try (Statement statement = connection.createStatement()) {
        statement.setFetchSize(7);
        int rows = 0;
        try (ResultSet cities = statement.executeQuery("SELECT id FROM cities ORDER BY id")) {
          while (cities.next()) {
            assertEquals(++rows, cities.getInt(1));
          }
        }
        assertEquals(50, rows);
      }
    }
  }

  @Test
  void textAndBinaryMeanTheSame() throws SQLException {
    String values =
        "SELECT DATE '2016-02-29' d, TIMESTAMP '2016-02-29 12:34:56.789' t, 12345.678 n, -1.5e0 r,"
            + " TRUE b, 7 i, 'é''x' s, -0.0005 m, 100000000 h";
    Object[][] read = new Object[2][9];
    for (int i = 0; i < 2; i++) {
      try (Connection connection =
              demo.connect(
                  "ann",
                  "prepareThreshold",
                  i == 0 ? "0" : "-1",
                  "preferQueryMode",
                  i == 0 ? "simple" : "extended");
          PreparedStatement statement =
              connection.prepareStatement(values + ", name FROM cities WHERE id = 1")) {
        try (ResultSet rows = statement.executeQuery()) {
          assertTrue(rows.next());
          for (int c = 0; c < 9; c++) {
            read[i][c] = rows.getObject(c + 1);
          }
        }
      }
    }
    for (int c = 0; c < 9; c++) {
      assertEquals(String.valueOf(read[0][c]), String.valueOf(read[1][c]), "column " + c);
    }
    assertEquals(new BigDecimal("12345.678"), read[1][2]);
  }

  @Test
  void aFailedTransactionTakesOnlyItsEnd() throws SQLException {
    try (Connection connection = demo.connect("ann");
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("SET flexdp.epsilon = 0.5");
      Savepoint before = connection.setSavepoint();
      assertThrows(SQLException.class, () -> statement.execute("SELECT nosuch FROM trips"));
      assertEquals(
          "25P02",
          assertThrows(SQLException.class, () -> statement.execute("SELECT 1")).getSQLState());
      connection.rollback(before);
      assertEquals("0.5", shown(statement, "flexdp.epsilon"));
      connection.rollback();
      assertEquals("", shown(statement, "flexdp.epsilon"));
      statement.execute("SET LOCAL flexdp.epsilon = 0.7");
      assertEquals("0.7", shown(statement, "flexdp.epsilon"));
      connection.commit();
      assertEquals("", shown(statement, "flexdp.epsilon"));
    }
  }

  @Test
  void aProposalIsASettingAndItsTestIsPaidFor() throws SQLException {
    String sql =
        "SELECT t.status, COUNT(*) FROM trips t JOIN trips u ON t.driver_id = u.driver_id"
            + " GROUP BY t.status";
    try (Connection connection = demo.connect("ann");
        Statement statement = connection.createStatement()) {
      statement.execute("SET flexdp.propose = 'trips.driver_id=1000000'");
      try (ResultSet rows = statement.executeQuery(sql)) {
        assertTrue(rows.next());
      }
      statement.execute("SET flexdp.propose = 'trips.driver_id=1'");
      SQLException e = assertThrows(SQLException.class, () -> statement.executeQuery(sql));
      assertTrue(e.getMessage().contains("not confirmed"), e.getMessage());
      statement.execute("RESET flexdp.propose");
    }
  }

  private static String shown(Statement statement, String setting) throws SQLException {
    try (ResultSet rows = statement.executeQuery("SHOW " + setting)) {
      assertTrue(rows.next());
      return rows.getString(1);
    }
  }

  @Test
  void copyWritesWhatAQueryAnswers() throws Exception {
    try (Connection connection = demo.connect("ann")) {
      StringWriter out = new StringWriter();
      long rows =
          connection
              .unwrap(PGConnection.class)
              .getCopyAPI()
              .copyOut(
                  "COPY (SELECT id, name FROM cities WHERE id < 3 ORDER BY id) TO STDOUT", out);
      assertEquals(2, rows);
      assertEquals("1\tSan Francisco\n2\tNew York\n", out.toString());
      assertThrows(
          SQLException.class,
          () ->
              connection.unwrap(PGConnection.class).getCopyAPI().copyIn("COPY cities FROM STDIN"));
    }
  }

  @Test
  void tenThousandParametersAndAMegabyteOfTextAreAnsweredOrRefused() throws SQLException {
    try (Connection connection = demo.connect("ann")) {
      String many = "SELECT COUNT(*) FROM trips WHERE id IN (?" + ", ?".repeat(9_999) + ")";
      try (PreparedStatement question = connection.prepareStatement(many)) {
        for (int i = 1; i <= 10_000; i++) {
          question.setLong(i, i);
        }
        try (ResultSet rows = question.executeQuery()) {
          assertTrue(rows.next());
        } catch (SQLException e) {
          assertEquals("54001", e.getSQLState());
        }
      }
      try (Statement statement = connection.createStatement()) {
        String long1 = "SELECT COUNT(*) FROM trips WHERE status = '" + "x".repeat(1 << 20) + "'";
        assertEquals(
            "54001",
            assertThrows(SQLException.class, () -> statement.execute(long1)).getSQLState());
        try (ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM users")) {
          assertTrue(rows.next());
        }
      }
    }
  }

  @Test
  void theCatalogueReachesNoFilesAndStopsInTime() throws SQLException {
    try (Connection connection = demo.connect("ann");
        Statement statement = connection.createStatement()) {
      for (String hostile :
          new String[] {
            "SELECT * FROM pg_catalog.pg_class, read_csv('/etc/passwd')",
            "SELECT read_text('/etc/passwd')",
            "SELECT pg_read_file('/etc/passwd')",
            "SELECT getenv('HOME')",
            "COPY (SELECT 1) TO '/tmp/x'",
            "SELECT * FROM pg_catalog.pg_class; ATTACH '/tmp/x' AS y",
            "SELECT * FROM pg_catalog.duckdb_settings()",
            "SELECT * FROM pg_catalog.pg_class, duckdb_settings()",
            "SELECT '/etc/passwd'.read_text()",
            "SELECT \"read_text\"('/etc/passwd')",
            "SELECT * FROM pg_catalog.pg_class, glob('/*')",
            "SELECT * FROM pg_catalog.pg_class, '/etc/passwd'",
            "SELECT getvariable('fdx_user')",
            "SELECT * FROM pg_catalog.pg_class, fdx_authid",
            "SELECT * FROM pg_catalog.pg_class, sniff_csv('/etc/passwd')",
            "SELECT query('SELECT 1') FROM pg_catalog.pg_class",
            "SELECT * FROM pg_catalog.pg_class, query_table(['pg_class'])"
          }) {
        assertThrows(SQLException.class, () -> statement.execute(hostile), hostile);
      }
    }
  }

  @Test
  void aLongStatementCanBeCancelled() throws Exception {
    try (Connection connection = demo.connect("ann");
        Statement statement = connection.createStatement()) {
      CompletableFuture<SQLException> ended =
          CompletableFuture.supplyAsync(
              () ->
                  assertThrows(
                      SQLException.class,
                      () ->
                          statement.execute(
                              "SELECT count(*) FROM pg_catalog.pg_proc a, pg_catalog.pg_proc b,"
                                  + " pg_catalog.pg_proc c WHERE a.prosrc < b.prosrc ||"
                                  + " c.prosrc")));
      Pause.of(Duration.ofMillis(500)); // most likely it runs by then
      Await.until(
          () -> {
            statement.cancel();
            return ended.isDone();
          },
          "it is cancelled");
      assertEquals("57014", ended.get().getSQLState());
      assertFalse(connection.isClosed());
      try (ResultSet rows = statement.executeQuery("SELECT 1")) {
        assertTrue(rows.next());
      }
    }
  }
}
