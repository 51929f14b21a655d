package flexdp.gateway;

import flexdp.gateway.postgresql.PostgreSql;
import flexdp.policy.Type;
import java.sql.Connection;
import java.sql.SQLException;

/** The shared suite on PostgreSQL. */
class PostgreSqlSuiteTest extends SharedSuite {
  PostgreSqlSuiteTest() {
    super(new Server());
  }

  static final class Server extends TestDatabase {
    private FreshPostgres server;

    @Override
    String word() {
      return "postgresql";
    }

    @Override
    void start() throws SQLException {
      server = FreshPostgres.create();
    }

    @Override
    Connection writer() throws SQLException {
      return server.connect();
    }

    @Override
    String url() {
      return server.url();
    }

    @Override
    String columnType(Type type) {
      return new PostgreSql().typeName(type);
    }

    @Override
    public void close() throws SQLException {
      server.close();
    }
  }
}
