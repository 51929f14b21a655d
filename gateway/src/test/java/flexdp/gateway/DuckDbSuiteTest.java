package flexdp.gateway;

import flexdp.gateway.duckdb.DuckDb;
import flexdp.policy.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/** The shared suite on DuckDB. */
class DuckDbSuiteTest extends SharedSuite {
  DuckDbSuiteTest() {
    super(new File());
  }

  static final class File extends TestDatabase {
    private Path folder;

    @Override
    String word() {
      return "duckdb";
    }

    @Override
    void start() throws Exception {
      folder = Files.createTempDirectory("suite");
    }

    @Override
    Connection writer() throws SQLException {
      return DriverManager.getConnection(url());
    }

    @Override
    String url() {
      return "jdbc:duckdb:" + folder.resolve("suite.duckdb");
    }

    @Override
    String columnType(Type type) {
      return new DuckDb().typeName(type);
    }

    @Override
    public void close() throws Exception {
      Files.deleteIfExists(folder.resolve("suite.duckdb"));
      Files.delete(folder);
    }
  }
}
