package flexdp.gateway;

import flexdp.policy.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Locale;

/** The shared suite on SQLite. */
class SqliteSuiteTest extends SharedSuite {
  SqliteSuiteTest() {
    super(new File());
  }

  static final class File extends TestDatabase {
    private Path file;

    @Override
    String word() {
      return "sqlite";
    }

    @Override
    void start() throws Exception {
      file = Files.createTempFile("suite", ".sqlite");
    }

    @Override
    Connection writer() throws SQLException {
      return DriverManager.getConnection(url());
    }

    @Override
    String url() {
      return "jdbc:sqlite:" + file;
    }

    /** SQLite takes any words for a type; these have the affinities that people expect. */
    @Override
    String columnType(Type type) {
      return type.toString().toUpperCase(Locale.ROOT);
    }

    @Override
    public void close() throws Exception {
      Files.delete(file);
    }
  }
}
