package flexdp.gateway.mariadb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.algebra.Relation;
import flexdp.failure.Rejection;
import flexdp.gateway.MariaDbServer;
import flexdp.gateway.database.Connectors;
import flexdp.gateway.duckdb.DuckDb;
import flexdp.gateway.render.BoundSqlAgreementTest;
import flexdp.gateway.render.NameCatalog;
import flexdp.gateway.render.RandomSql;
import flexdp.gateway.render.SqlRenderer;
import flexdp.gateway.render.TargetDialect;
import flexdp.sql.bind.SqlBinder;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Random texts give the same rows on MariaDB as on DuckDB, each as rendered for it. */
class MariaDbAgreementTest {
  @Test
  void randomTextsGiveTheSameRows() throws Exception {
    agree(20261L, 300);
  }

  @Tag("slow")
  @Test
  void manyRandomTextsGiveTheSameRows() throws Exception {
    agree(7L, 3_000);
  }

  private static void agree(long seed, int texts) throws Exception {
    MariaDbServer.create("agreement");
    RandomSql generator = new RandomSql(new Random(seed));
    SqlBinder binder =
        new SqlBinder(BoundSqlAgreementTest.POLICY, LocalDateTime.of(2020, 1, 1, 0, 0));
    int accepted = 0;
    try (Connection duck = DriverManager.getConnection("jdbc:duckdb:");
        Connection maria = MariaDbServer.writer("agreement")) {
      create(duck);
      create(maria);
      for (int i = 0; i < texts; i++) {
        if (i % 50 == 0) {
          fill(duck, seed + i);
          fill(maria, seed + i);
        }
        String text = generator.query();
        Relation relation;
        String rendered;
        try {
          relation = binder.bind(text);
          rendered = rendered(new MariaDb(), relation);
        } catch (Rejection rejection) {
          continue;
        }
        accepted++;
        Connectors.of(maria).beginSnapshot(maria);
        List<String> got;
        try {
          got = run(maria, rendered);
        } catch (SQLException e) {
          throw new AssertionError(text + "\n" + rendered, e);
        } finally {
          maria.rollback();
          maria.setAutoCommit(true);
        }
        List<String> expected = run(duck, rendered(new DuckDb(), relation));
        assertEquals(expected, got, () -> text + "\n" + rendered);
      }
    }
    int count = accepted;
    assertTrue(count >= texts * 6 / 10, () -> "only " + count);
  }

  private static String rendered(TargetDialect dialect, Relation relation) {
    return new SqlRenderer(dialect, NameCatalog.plain(dialect)).rows(relation);
  }

  private static void create(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      String text = "VARCHAR(9)";
      statement.execute("CREATE TABLE t(id INTEGER, a INTEGER, b INTEGER, s " + text + ")");
      statement.execute("CREATE TABLE u(id INTEGER, a INTEGER, c INTEGER)");
      statement.execute("CREATE TABLE p(id INTEGER, k INTEGER, name " + text + ")");
    }
  }

  private static void fill(Connection connection, long seed) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      BoundSqlAgreementTest.fill(statement, new Random(seed));
    }
  }

  private static List<String> run(Connection connection, String sql) throws SQLException {
    List<String> all = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      int columns = rows.getMetaData().getColumnCount();
      while (rows.next()) {
        StringBuilder row = new StringBuilder();
        for (int i = 1; i <= columns; i++) {
          row.append(shown(rows.getObject(i))).append('|');
        }
        all.add(row.toString());
      }
    }
    all.sort(null);
    return all;
  }

  private static String shown(Object value) {
    return switch (value) {
      case Boolean truth -> truth ? "1" : "0";
      case Number number ->
          new BigDecimal(number.toString())
              .setScale(6, RoundingMode.HALF_EVEN)
              .stripTrailingZeros()
              .toPlainString();
      case null, default -> String.valueOf(value);
    };
  }
}
