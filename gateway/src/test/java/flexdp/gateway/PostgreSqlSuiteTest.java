package flexdp.gateway;

import flexdp.gateway.postgresql.PostgreSql;
import flexdp.policy.Type;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;

/** The shared suite on PostgreSQL. */
class PostgreSqlSuiteTest extends SharedSuite {
  PostgreSqlSuiteTest() {
    super(new Server());
  }

  static final class Server extends TestDatabase {
    private EmbeddedPostgres server;

    @Override
    String word() {
      return "postgresql";
    }

    @Override
    void start() throws IOException {
      server = EmbeddedPostgres.start();
    }

    @Override
    Connection writer() throws SQLException {
      return server.getPostgresDatabase().getConnection();
    }

    @Override
    String url() {
      return server.getJdbcUrl("postgres", "postgres");
    }

    @Override
    String columnType(Type type) {
      return new PostgreSql().typeName(type);
    }

    @Override
    public void close() throws IOException {
      server.close();
    }
  }
}
