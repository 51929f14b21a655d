package flexdp.gateway.agree;

import flexdp.gateway.MariaDbServer;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.policy.Policy;
import flexdp.policy.Wording;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import org.duckdb.DuckDBConnection;

/** A database that is asked in its own words, by itself and through FlexDP. */
sealed interface AgreeGround extends AutoCloseable {
  Wording wording();

  /** The type of a column in CREATE TABLE. */
  String physical(AgreeTable.Kind kind);

  Connection writer() throws SQLException;

  String url() throws SQLException;

  /** Beside the connection that asks by itself. */
  default JdbcDatabase open(Connection own, Policy policy) throws SQLException {
    return JdbcDatabase.open(url(), policy, Duration.ofSeconds(60), (what, cause) -> {});
  }

  @Override
  default void close() throws Exception {}

  /** In memory. */
  record Duck() implements AgreeGround {
    @Override
    public Wording wording() {
      return Wording.DUCKDB;
    }

    @Override
    public String physical(AgreeTable.Kind kind) {
      return kind.standard();
    }

    @Override
    public Connection writer() throws SQLException {
      return DriverManager.getConnection(url());
    }

    @Override
    public String url() {
      return "jdbc:duckdb:";
    }

    @Override
    public JdbcDatabase open(Connection own, Policy policy) throws SQLException {
      return JdbcDatabase.over(
          ((DuckDBConnection) own).duplicate(),
          policy,
          Duration.ofSeconds(60),
          (what, cause) -> {});
    }
  }

  /** A file, with days and moments as text. */
  record Lite(Path folder) implements AgreeGround {
    Lite() throws Exception {
      this(Files.createTempDirectory("agree"));
    }

    @Override
    public Wording wording() {
      return Wording.SQLITE;
    }

    @Override
    public String physical(AgreeTable.Kind kind) {
      return switch (kind) {
        case REAL -> "REAL";
        case DAY, MOMENT, TEXT, BYTES -> "TEXT";
        case INT, LONG, TRUTH -> "INTEGER";
        case MONEY -> "NUMERIC";
      };
    }

    @Override
    public Connection writer() throws SQLException {
      return DriverManager.getConnection(url());
    }

    @Override
    public String url() {
      return "jdbc:sqlite:" + folder.resolve("agree.sqlite");
    }
  }

  /** A server of its own. */
  record Postgres(EmbeddedPostgres server) implements AgreeGround {
    Postgres() throws Exception {
      this(EmbeddedPostgres.start());
    }

    @Override
    public Wording wording() {
      return Wording.POSTGRESQL;
    }

    @Override
    public String physical(AgreeTable.Kind kind) {
      return kind == AgreeTable.Kind.REAL ? "DOUBLE PRECISION" : kind.standard();
    }

    @Override
    public Connection writer() throws SQLException {
      return server.getPostgresDatabase().getConnection();
    }

    @Override
    public String url() {
      return server.getJdbcUrl("postgres", "postgres");
    }

    @Override
    public void close() throws Exception {
      server.close();
    }
  }

  /** The server of all tests; text ignores case but where it is told to compare bytes. */
  record Maria(String database) implements AgreeGround {
    Maria() throws SQLException {
      this("agree");
      MariaDbServer.create(database);
    }

    @Override
    public Wording wording() {
      return Wording.MYSQL;
    }

    @Override
    public String physical(AgreeTable.Kind kind) {
      return switch (kind) {
        case REAL -> "DOUBLE";
        case MOMENT -> "DATETIME(6)";
        case TEXT -> "VARCHAR(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci";
        case BYTES -> "VARCHAR(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin";
        case DAY, INT, LONG, TRUTH, MONEY -> kind.standard();
      };
    }

    @Override
    public Connection writer() throws SQLException {
      return MariaDbServer.writer(database);
    }

    @Override
    public String url() throws SQLException {
      return MariaDbServer.url(database) + "?user=root";
    }
  }
}
