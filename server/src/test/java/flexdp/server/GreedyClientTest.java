package flexdp.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Short messages that ask for much memory: values that are written out, settings, savepoints. */
class GreedyClientTest {
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
  void aLongValueThatIsNamedTenThousandTimesIsRefused() throws SQLException {
    String many = "SELECT COUNT(*) FROM trips WHERE status IN (" + repeated("$1", 20_000) + ")";
    try (Connection connection = demo.connect("ann");
        Statement statement = connection.createStatement();
        PreparedStatement one = connection.prepareStatement(many.replace("$1", "?"))) {
      for (int i = 1; i <= 20_000; i++) {
        one.setString(i, "x".repeat(300));
      }
      assertEquals("54001", assertThrows(SQLException.class, one::executeQuery).getSQLState());
      statement.execute("PREPARE many(text) AS " + many);
      String run = "EXECUTE many('" + "x".repeat(200_000) + "')";
      assertEquals(
          "54001", assertThrows(SQLException.class, () -> statement.execute(run)).getSQLState());
    }
  }

  @Test
  void aNumberWithAnExponentOfMillionsIsNotWrittenOut() throws SQLException {
    try (Connection connection = demo.connect("ann");
        Statement statement = connection.createStatement()) {
      statement.execute(
          "PREPARE far(numeric) AS SELECT COUNT(*) FROM trips WHERE fare IN ("
              + repeated("$1", 1_000)
              + ")");
      for (String number :
          new String[] {"1e99999999", "1e-99999999", "0e-99999999", "1e2147483647", "-1e-140000"}) {
        assertEquals(
            "22P02",
            assertThrows(
                    SQLException.class, () -> statement.execute("EXECUTE far('" + number + "')"))
                .getSQLState(),
            number);
      }
    }
  }

  @Test
  void settingsAndSavepointsHaveAnEnd() throws SQLException {
    try (Connection connection = demo.connect("ann");
        Statement statement = connection.createStatement()) {
      String long1 = "SET my.text = '" + "y".repeat(20_000) + "'";
      assertEquals(
          "22023", assertThrows(SQLException.class, () -> statement.execute(long1)).getSQLState());
      SQLException many =
          assertThrows(
              SQLException.class,
              () -> {
                for (int i = 0; i < 1_000; i++) {
                  statement.execute("SET my.s" + i + " = 'a'");
                }
              });
      assertEquals("53000", many.getSQLState());
      statement.execute("SET my.s0 = 'b'");
      statement.execute("SET application_name = 'still'");
      statement.execute("BEGIN");
      statement.execute("SAVEPOINT a");
      statement.execute("SET my.s0 = 'c'");
      statement.execute("SAVEPOINT b");
      statement.execute("SAVEPOINT c");
      statement.execute("SET my.s0 = 'd'");
      statement.execute("ROLLBACK TO c");
      assertEquals("c", shown(statement));
      statement.execute("ROLLBACK TO a");
      assertEquals("b", shown(statement));
      statement.execute("COMMIT");
    }
  }

  /** Each of these took gigabytes, beyond every limit of the catalogue's database. */
  @Test
  void theCataloguesTextsDoNotGrowWithoutEnd() throws SQLException {
    String nested = "quote_ident(".repeat(30) + "'A'" + ")".repeat(30);
    String grown = "replace(".repeat(3) + "'aaaa'" + ", 'a', 'aaaaaaaaaa')".repeat(3);
    try (Connection connection = demo.connect("ann");
        Statement statement = connection.createStatement()) {
      for (String call :
          new String[] {
            "repeat('x', 2000000000)", "lpad('x', 2000000000, 'y')", "rpad('x', 2000000000)", nested
          }) {
        String sql = "SELECT length(" + call + ") FROM pg_catalog.pg_proc";
        assertTrue(
            assertThrows(SQLException.class, () -> statement.execute(sql))
                .getSQLState()
                .matches("42883|54001"),
            call);
      }
      String far = "replace(" + grown + ", 'a', '" + "b".repeat(100) + "')";
      String sql = "SELECT max(length(" + far + ")) FROM pg_catalog.pg_proc";
      try (ResultSet rows = statement.executeQuery(sql)) {
        assertTrue(rows.next());
        assertEquals(0, rows.getLong(1));
      }
      try (ResultSet rows =
          statement.executeQuery(
              "SELECT replace('a.b', '.', '_'), regexp_replace('abc', '[bc]', 'x', 'g')")) {
        assertTrue(rows.next());
        assertEquals("a_b", rows.getString(1));
        assertEquals("axx", rows.getString(2));
      }
    }
  }

  @Test
  void aListInAListIsWrittenOnce() throws SQLException {
    try (Connection connection = demo.connect("ann", "preferQueryMode", "simple");
        Statement statement = connection.createStatement()) {
      String deep = "ARRAY[".repeat(60) + "'a\"b'" + "]".repeat(60);
      try (ResultSet rows = statement.executeQuery("SELECT " + deep)) {
        assertTrue(rows.next());
        assertEquals("{".repeat(60) + "\"a\\\"b\"" + "}".repeat(60), rows.getString(1));
      }
    }
  }

  private static String shown(Statement statement) throws SQLException {
    try (ResultSet rows = statement.executeQuery("SHOW my.s0")) {
      assertTrue(rows.next());
      return rows.getString(1);
    }
  }

  private static String repeated(String one, int times) {
    return one + (", " + one).repeat(times - 1);
  }
}
