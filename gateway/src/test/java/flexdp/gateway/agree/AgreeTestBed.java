package flexdp.gateway.agree;

import flexdp.gateway.FreshPostgres;
import flexdp.gateway.MariaDbServer;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.policy.InputDialect;
import flexdp.policy.Policy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.duckdb.DuckDBConnection;

/** A database that is asked in its own words, by itself and through FlexDP. */
sealed interface AgreeTestBed extends AutoCloseable {
  InputDialect wording();

  /** The type of a column in CREATE TABLE. */
  String physical(AgreeTable.Kind kind);

  Connection writer() throws SQLException;

  String url() throws SQLException;

  /** What makes tables. */
  interface Rows {
    void create(AgreeTestBed ground, Connection writer) throws SQLException;
  }

  /** Another database with the same rows, where the first one cannot be asked by two. */
  default String asked(Rows rows) throws SQLException {
    return url();
  }

  /** Lets the connection that asks by itself speak of moments in UTC, as FlexDP does. */
  default void inUtc(Connection own) throws SQLException {}

  /** Connections that are made from now on begin in this zone; an empty one is the server's own. */
  default void standIn(String zone) throws SQLException {}

  private static void run(Connection own, String sql) throws SQLException {
    try (Statement statement = own.createStatement()) {
      statement.execute(sql);
    }
  }

  /** A moment with a zone, as it is written. */
  default String zoned(String moment) {
    return moment;
  }

  /** Beside the connection that asks by itself. */
  default JdbcDatabase open(Connection own, Policy policy) throws SQLException {
    return JdbcDatabase.open(url(), policy, Duration.ofMinutes(10), (what, cause) -> {});
  }

  @Override
  default void close() throws Exception {}

  /** In memory, and in a file for who asks. */
  record Duck(Path folder) implements AgreeTestBed {
    Duck() throws IOException {
      this(Files.createTempDirectory("agree"));
    }

    @Override
    public String asked(Rows rows) throws SQLException {
      String url = url() + folder.resolve("agree.duckdb");
      try (Connection file = DriverManager.getConnection(url)) {
        inUtc(file);
        rows.create(this, file);
      }
      return url;
    }

    @Override
    public void inUtc(Connection own) throws SQLException {
      run(own, "SET TimeZone = 'UTC'");
    }

    @Override
    public String zoned(String moment) {
      return moment.replaceFirst("'$", "+00'");
    }

    @Override
    public InputDialect wording() {
      return InputDialect.DUCKDB;
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
          Duration.ofMinutes(10),
          (what, cause) -> {});
    }
  }

  /** A file, with days and moments as text. */
  record Lite(Path folder) implements AgreeTestBed {
    Lite() throws Exception {
      this(Files.createTempDirectory("agree"));
    }

    @Override
    public InputDialect wording() {
      return InputDialect.SQLITE;
    }

    @Override
    public String physical(AgreeTable.Kind kind) {
      return switch (kind) {
        case REAL -> "REAL";
        case DAY, MOMENT, ZONED, TEXT, BYTES -> "TEXT";
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

  /** A database that stands in another zone than the client that asks it. */
  record Postgres(FreshPostgres server) implements AgreeTestBed {
    Postgres() throws SQLException {
      this(FreshPostgres.create());
      standIn("America/New_York");
    }

    @Override
    public void standIn(String zone) throws SQLException {
      try (Connection connection = server.connect()) {
        run(
            connection,
            "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET timezone = %L',"
                + " current_database(), '"
                + (zone.isEmpty() ? "UTC" : zone)
                + "'); END $$");
      }
    }

    @Override
    public void inUtc(Connection own) throws SQLException {
      run(own, "SET TIME ZONE 'UTC'");
    }

    @Override
    public String zoned(String moment) {
      return moment.replaceFirst("'$", "+00'");
    }

    @Override
    public InputDialect wording() {
      return InputDialect.POSTGRESQL;
    }

    @Override
    public String physical(AgreeTable.Kind kind) {
      return kind == AgreeTable.Kind.REAL ? "DOUBLE PRECISION" : kind.standard();
    }

    @Override
    public Connection writer() throws SQLException {
      return server.connect();
    }

    @Override
    public String url() {
      return server.url();
    }

    @Override
    public void close() throws Exception {
      server.close();
    }
  }

  /** The server of all tests; text ignores case but where it is told to compare bytes. */
  record Maria(String database) implements AgreeTestBed {
    Maria() throws SQLException {
      this("agree");
      MariaDbServer.create(database);
    }

    /** By its distance from UTC, 13 hours at most: a fresh server knows no names of zones. */
    @Override
    public void standIn(String zone) throws SQLException {
      int hours13 = 13 * 60 * 60;
      String offset = "SYSTEM";
      if (!zone.isEmpty()) {
        int seconds = ZoneId.of(zone).getRules().getOffset(Instant.now()).getTotalSeconds();
        offset = ZoneOffset.ofTotalSeconds(Math.min(seconds, hours13)).getId();
      }
      offset = offset.equals("Z") ? "+00:00" : offset;
      try (Connection connection = writer()) {
        run(connection, "SET GLOBAL time_zone = '" + offset + "'");
      }
    }

    @Override
    public void inUtc(Connection own) throws SQLException {
      run(own, "SET time_zone = '+00:00', div_precision_increment = 20");
    }

    @Override
    public InputDialect wording() {
      return InputDialect.MYSQL;
    }

    @Override
    public String physical(AgreeTable.Kind kind) {
      return switch (kind) {
        case REAL -> "DOUBLE";
        case MOMENT -> "DATETIME(6)";
        case ZONED -> "TIMESTAMP(6) NULL";
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
