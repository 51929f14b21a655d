package flexdp.gateway.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import flexdp.failure.ConfigurationError.Code;
import flexdp.failure.DatabaseError;
import flexdp.gateway.files.YamlText;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Statements on a file that stays as it is are kept with their plans. */
class StatementCacheTest {
  private static final Policy POLICY =
      PolicyReader.read(
          YamlText.tree("tables: {t: {columns: {a: {type: integer}}}}", Code.BAD_POLICY));

  @TempDir Path folder;
  private String url;

  @BeforeEach
  void create() throws SQLException {
    url = "jdbc:duckdb:" + folder.resolve("t.duckdb");
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE t AS SELECT range::INTEGER AS a FROM range(5000)");
    }
  }

  private JdbcDatabase open() {
    return JdbcDatabase.open(url, POLICY, Duration.ofMinutes(10), ErrorLog.NONE);
  }

  private static List<Integer> run(Session session, String sql) {
    List<Integer> rows = new ArrayList<>();
    session.run(sql, row -> rows.add(row.getInt(1)));
    return rows;
  }

  @Test
  void aKeptStatementGivesAllItsRowsEachTime() {
    try (JdbcDatabase database = open()) {
      for (int i = 0; i < 3; i++) {
        try (Session session = database.session()) {
          assertEquals(5000, run(session, "SELECT a FROM t").size());
          assertEquals(List.of(5000), run(session, "SELECT COUNT(*) FROM t"));
        }
      }
    }
  }

  /** Left in the middle of its rows, it is not used again. */
  @Test
  void aStatementThatFailedDoesNoHarmToTheNext() {
    try (JdbcDatabase database = open();
        Session session = database.session()) {
      for (int i = 0; i < 3; i++) {
        assertThrows(
            DatabaseError.class,
            () ->
                session.run(
                    "SELECT a FROM t",
                    row -> {
                      throw new SQLException("the reader fails");
                    }));
        assertEquals(5000, run(session, "SELECT a FROM t").size());
      }
    }
  }

  @Test
  void moreStatementsThanAreKeptAreAnsweredToo() {
    try (JdbcDatabase database = open();
        Session session = database.session()) {
      for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 200; i++) {
          assertEquals(List.of(i), run(session, "SELECT a FROM t WHERE a = " + i));
        }
      }
    }
  }
}
