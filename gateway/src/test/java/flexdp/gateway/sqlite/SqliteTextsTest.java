package flexdp.gateway.sqlite;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was seen of a column is believed as long as the database is the same, and no longer. */
class SqliteTextsTest {
  private static final String READ = Sqlite.text("t t", "n`me", "`n``me`");
  private static final String TEXTS = "SELECT COUNT(" + READ + ") FROM main.`t t`";
  private static final String ALL = "SELECT flexdp_texts('t t', 'n`me')";
  private static final String BAD = "INSERT INTO `t t` VALUES (CAST(x'61ff' AS TEXT))";

  @TempDir Path folder;
  private String url;

  @BeforeEach
  void fill() throws SQLException {
    url = "jdbc:sqlite:" + folder.resolve("texts.db");
    try (Connection writer = DriverManager.getConnection(url)) {
      execute(writer, "CREATE TABLE `t t` (`n``me` TEXT)");
      execute(writer, "INSERT INTO `t t` VALUES ('a'), ('ä'), (''), (NULL), (7), (x'ff')");
    }
  }

  @Test
  void aTextThatComesLaterIsSeen() throws SQLException {
    try (Connection reader = reader();
        Connection writer = DriverManager.getConnection(url)) {
      assertEquals(1, number(reader, ALL));
      assertEquals(4, number(reader, TEXTS)); // 7 became a text when it was stored
      execute(writer, BAD);
      assertEquals(4, number(reader, TEXTS));
      assertEquals(0, number(reader, ALL));
      execute(writer, "DELETE FROM `t t` WHERE `n``me` > 'a' AND `n``me` < 'b'");
      assertEquals(4, number(reader, TEXTS));
      assertEquals(1, number(reader, ALL));
    }
  }

  @Test
  void aSnapshotKeepsWhatItSaw() throws SQLException {
    try (Connection setting = DriverManager.getConnection(url)) {
      execute(setting, "PRAGMA journal_mode = WAL");
    }
    try (Connection reader = reader();
        Connection writer = DriverManager.getConnection(url)) {
      reader.setAutoCommit(false);
      assertEquals(4, number(reader, TEXTS));
      execute(writer, BAD);
      assertEquals(1, number(reader, ALL));
      assertEquals(4, number(reader, TEXTS));
      reader.rollback();
      assertEquals(4, number(reader, TEXTS));
      assertEquals(0, number(reader, ALL));
    }
  }

  @Test
  void whoeverMayWriteIsNotBelieved() throws SQLException {
    try (Connection both = DriverManager.getConnection(url)) {
      SqliteExtras.register(both);
      assertEquals(0, number(both, ALL));
      assertEquals(4, number(both, TEXTS));
      execute(both, BAD);
      assertEquals(4, number(both, TEXTS));
    }
  }

  @Test
  void ofAColumnThatIsNotThereNothingIsSaid() throws SQLException {
    try (Connection reader = reader()) {
      assertEquals(0, number(reader, "SELECT flexdp_texts('t t', 'none')"));
    }
  }

  /** As the gateway opens one: it cannot write. */
  private Connection reader() throws SQLException {
    Connection connection = DriverManager.getConnection(url);
    new SqliteConnector().prepare(connection, Duration.ofMinutes(10));
    return connection;
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static long number(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }
}
