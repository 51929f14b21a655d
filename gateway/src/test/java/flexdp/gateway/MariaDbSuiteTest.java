package flexdp.gateway;

import flexdp.policy.Type;
import java.sql.Connection;
import java.sql.SQLException;

/** The shared suite on MariaDB, with the collations that people have: case and spaces ignored. */
class MariaDbSuiteTest extends SharedSuite {
  MariaDbSuiteTest() {
    super(new Server());
  }

  static final class Server extends TestDatabase {
    @Override
    String word() {
      return "mariadb";
    }

    @Override
    void start() throws SQLException {
      MariaDbServer.create("suite");
    }

    @Override
    Connection writer() throws SQLException {
      return MariaDbServer.writer("suite");
    }

    @Override
    String url() {
      try {
        return MariaDbServer.url("suite") + "?user=root";
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    String columnType(Type type) {
      return switch (type.kind()) {
        case VARCHAR, OPAQUE -> "VARCHAR(100)";
        case DECIMAL -> "DECIMAL(" + type.precision() + "," + type.scale() + ")";
        case TIMESTAMP -> "DATETIME(6)";
        case TIME -> "TIME(6)";
        default -> type.kind().name();
      };
    }

    @Override
    public void close() {}
  }
}
