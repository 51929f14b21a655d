package flexdp.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.util.PSQLException;

/** Questions by pgjdbc, whose driver checks the protocol on its side. */
class AskOverTheWireTest {
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
  void aHistogramHasItsLabelsAndTypes() throws SQLException {
    try (Connection connection = demo.connect("ann");
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery("SELECT status, COUNT(*) FROM trips GROUP BY status")) {
      assertEquals(Types.VARCHAR, rows.getMetaData().getColumnType(1));
      assertEquals(Types.BIGINT, rows.getMetaData().getColumnType(2));
      long sum = 0;
      int labels = 0;
      while (rows.next()) {
        sum += rows.getLong(2);
        labels++;
      }
      assertEquals(3, labels);
      assertTrue(Math.abs(sum - 2_000) < 1_000, "sum " + sum);
      assertTrue(statement.getWarnings().getMessage().startsWith("spent epsilon 0.1"));
    }
  }

  @Test
  void parametersStandForConstantsOfAnyType() throws SQLException {
    try (Connection connection = demo.connect("ann", "prepareThreshold", "1");
        PreparedStatement question =
            connection.prepareStatement(
                "SELECT COUNT(*) FROM trips WHERE status = ? AND fare > ? AND requested_at >= ?"
                    + " AND city_id IN (?, ?) AND distance_km < ?")) {
      for (int i = 0; i < 7; i++) {
        question.setString(1, "completed");
        question.setBigDecimal(2, new java.math.BigDecimal("1.50"));
        question.setTimestamp(3, java.sql.Timestamp.valueOf("2016-01-01 00:00:00"));
        question.setInt(4, 1);
        question.setInt(5, -2);
        question.setDouble(6, 99.5 + i);
        try (ResultSet rows = question.executeQuery()) {
          assertTrue(rows.next());
          rows.getLong(1);
        }
      }
      assertEquals(6, question.getParameterMetaData().getParameterCount());
      assertEquals(Types.VARCHAR, question.getParameterMetaData().getParameterType(1));
      assertEquals(Types.INTEGER, question.getParameterMetaData().getParameterType(4));
    }
  }

  @Test
  void noValueBreaksOutOfItsPlace() throws SQLException {
    String[] hostile = {
      "'",
      "''",
      "\\'",
      "' OR 1=1 --",
      "'; SELECT 1; --",
      "$1",
      "/*",
      "#",
      "`",
      "x' UNION ALL SELECT"
    };
    try (Connection connection = demo.connect("ann");
        PreparedStatement question =
            connection.prepareStatement(
                "SELECT COUNT(*) FROM trips WHERE payment = ? OR status = ?")) {
      for (String value : hostile) {
        question.setString(1, value);
        question.setString(2, value);
        try (ResultSet rows = question.executeQuery()) {
          assertTrue(rows.next());
          assertTrue(Math.abs(rows.getLong(1)) < 1_000, value);
          assertFalse(rows.next());
        }
      }
    }
  }

  @Test
  void aRefusalCarriesCodeHintAndPosition() throws SQLException {
    try (Connection connection = demo.connect("ann");
        Statement statement = connection.createStatement()) {
      PSQLException e =
          assertThrows(
              PSQLException.class,
              () -> statement.executeQuery("SELECT COUNT(*)\nFROM trips WHERE nosuch = 1"));
      assertEquals("42703", e.getSQLState());
      assertEquals(34, e.getServerErrorMessage().getPosition());
      assertTrue(e.getServerErrorMessage().getDetail().contains("UNKNOWN_COLUMN"));
      PSQLException inCatalogue =
          assertThrows(
              PSQLException.class,
              () -> statement.executeQuery("SELECT remaining FROM flexdp.budget"));
      assertEquals("42703", inCatalogue.getSQLState());
      assertTrue(inCatalogue.getMessage().contains("'remaining'"), inCatalogue.getMessage());
      assertEquals(
          "42501",
          assertThrows(SQLException.class, () -> statement.executeQuery("SELECT * FROM trips"))
              .getSQLState());
      assertEquals(
          "25006",
          assertThrows(SQLException.class, () -> statement.execute("DELETE FROM trips"))
              .getSQLState());
    }
  }

  @Test
  void aParameterWithoutAValueOrWithANameIsRefusedAtItsPlace() throws SQLException {
    try (Connection connection = demo.connect("ann", "preferQueryMode", "simple");
        Statement statement = connection.createStatement()) {
      PSQLException missing =
          assertThrows(
              PSQLException.class,
              () -> statement.executeQuery("SELECT COUNT(*) FROM trips WHERE id = $1"));
      assertEquals("42P02", missing.getSQLState());
      assertEquals(39, missing.getServerErrorMessage().getPosition());
      PSQLException named =
          assertThrows(
              PSQLException.class,
              () -> statement.executeQuery("SELECT COUNT(*) FROM trips WHERE id = :id"));
      assertEquals("42601", named.getSQLState());
      assertEquals(39, named.getServerErrorMessage().getPosition());
    }
  }

  @Test
  void aPublicTableIsReadRowByRow() throws SQLException {
    try (Connection connection = demo.connect("ann");
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT id, name FROM cities ORDER BY id")) {
      assertTrue(rows.next());
      assertEquals("San Francisco", rows.getString("name"));
      assertEquals(null, statement.getWarnings());
    }
  }

  @Test
  void settingsDecideTheCostAndHistoryShowsIt() throws SQLException {
    try (Connection connection = demo.connect("ben");
        Statement statement = connection.createStatement()) {
      statement.execute("SET flexdp.epsilon = 0.25");
      statement.executeQuery("SELECT COUNT(*) FROM users").close();
      assertTrue(statement.getWarnings().getMessage().contains("epsilon 0.25"));
      try (ResultSet history =
          statement.executeQuery("SELECT query, epsilon, outcome, tables FROM flexdp.history")) {
        assertTrue(history.next());
        assertEquals("SELECT COUNT(*) FROM users", history.getString(1));
        assertEquals(0, history.getBigDecimal(2).compareTo(new java.math.BigDecimal("0.25")));
        assertEquals("released", history.getString(3));
        assertEquals("users", history.getString(4));
        assertFalse(history.next());
      }
      try (ResultSet budget =
          statement.executeQuery(
              "SELECT epsilon_spent FROM flexdp.budget WHERE account = 'analyst:ben'")) {
        assertTrue(budget.next());
        assertEquals(0.25, budget.getDouble(1));
      }
    }
  }

  @Test
  void onlyTheLoginSaysWhoAsks() throws SQLException {
    try (Connection connection = demo.connect("ann");
        Statement statement = connection.createStatement()) {
      for (String other :
          new String[] {
            "SET ROLE owner", "SET SESSION AUTHORIZATION 'owner'", "SET role = 'ben'"
          }) {
        assertEquals(
            "42501",
            assertThrows(SQLException.class, () -> statement.execute(other)).getSQLState(),
            other);
      }
    }
  }

  @Test
  void wrongPasswordsAndUnknownNamesAreToldTheSame() {
    SQLException wrong =
        assertThrows(SQLException.class, () -> demo.connect("ben", "password", "guess").close());
    SQLException unknown =
        assertThrows(SQLException.class, () -> demo.connect("nobody", "password", "guess").close());
    assertEquals("28P01", wrong.getSQLState());
    assertEquals(wrong.getSQLState(), unknown.getSQLState());
    assertEquals(
        wrong.getMessage().replace("ben", "X"), unknown.getMessage().replace("nobody", "X"));
    assertEquals(
        "3D000", assertThrows(SQLException.class, () -> demo.connect("eve").close()).getSQLState());
  }
}
