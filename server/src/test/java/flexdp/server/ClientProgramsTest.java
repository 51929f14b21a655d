package flexdp.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.r2dbc.postgresql.PostgresqlConnectionConfiguration;
import io.r2dbc.postgresql.PostgresqlConnectionFactory;
import io.r2dbc.postgresql.api.PostgresqlConnection;
import io.r2dbc.postgresql.client.SSLMode;
import io.r2dbc.spi.R2dbcException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs of other people drive the door; scripts/clients installs them. */
class ClientProgramsTest {
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

  private static List<String> run(String... command) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(Map.of("PGPASSWORD", Demo.PASSWORD, "LC_ALL", "C.UTF-8"));
    Process process = builder.start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), output);
    return output.lines().toList();
  }

  @Test
  void nodePostgres() throws Exception {
    List<String> lines = run("node", "src/test/node/door.js", Integer.toString(demo.port()));
    assertEquals(
        List.of(
            "notice spent epsilon 0.1, delta 0; mechanism laplace",
            "histogram 1 completed 20",
            "named San Francisco,New York",
            "named San Francisco,New York,London",
            "cursor 2 5",
            "error 42703 8 FlexDP code UNKNOWN_COLUMN.",
            "batch [{\"a\":1}] [{\"b\":2}]"),
        lines);
  }

  @Test
  void sequelize() throws Exception {
    List<String> lines = run("node", "src/test/node/sequelize.js", Integer.toString(demo.port()));
    assertEquals(
        List.of(
            "tables analytics,cities,drivers,trips,user_tags,users",
            "cities country,id,name",
            "foreign city_id->cities",
            "model 50 Amsterdam",
            "count true",
            "labels cancelled,completed,requested",
            "error 42501"),
        lines);
  }

  @Test
  void psycopgAndSqlAlchemy() throws Exception {
    List<String> lines =
        run("/usr/bin/python3", "src/test/python/door.py", Integer.toString(demo.port()));
    assertEquals(
        List.of(
            "rows 2 cancelled int Decimal",
            "notice NOTICE:  spent epsilon 0.1, delta 0; mechanism laplace",
            "named 50",
            "copied Amsterdam,NL",
            "error InsufficientPrivilege 42501",
            "tables analytics,cities,drivers,trips,user_tags,users"),
        lines.subList(0, 6));
    assertEquals("reflected 6", lines.getLast());
    assertTrue(lines.contains("cities ['id INTEGER!', 'name VARCHAR!', 'country VARCHAR!']"));
    assertTrue(lines.contains("trips {'constrained_columns': ['id'], 'name': 'trips_pkey'}"));
  }

  @Test
  void pgbench() throws Exception {
    Path script = Files.writeString(folder.resolve("bench.sql"), "SELECT count(*) FROM users;\n");
    for (String mode : List.of("simple", "extended", "prepared")) {
      String address = "-h 127.0.0.1 -U ann -p " + demo.port();
      String load = " -n -c 4 -t 25 -M " + mode + " -f " + script;
      List<String> lines = run(("pgbench " + address + load + " rides").split(" "));
      assertTrue(
          lines.contains("number of transactions actually processed: 100/100"),
          () -> mode + ": " + lines);
    }
  }

  @Test
  void r2dbc() {
    PostgresqlConnection connection =
        new PostgresqlConnectionFactory(
                PostgresqlConnectionConfiguration.builder()
                    .host("127.0.0.1")
                    .port(demo.port())
                    .username("ann")
                    .password(Demo.PASSWORD)
                    .database("rides")
                    .sslMode(SSLMode.REQUIRE)
                    .build())
            .create()
            .block();
    try {
      List<String> rows =
          connection
              .createStatement(
                  "SELECT status, COUNT(*) FROM trips WHERE fare > $1 AND status = $2"
                      + " GROUP BY status")
              .bind("$1", new BigDecimal("3.5"))
              .bind("$2", "completed")
              .execute()
              .flatMap(
                  result ->
                      result.map((row, data) -> row.get(0) + " " + (row.get(1, Long.class) > 0)))
              .collectList()
              .block();
      assertEquals(List.of("completed true"), rows);
      List<Integer> ids =
          connection
              .createStatement("SELECT id FROM cities ORDER BY id")
              .fetchSize(7)
              .execute()
              .flatMap(result -> result.map((row, data) -> row.get(0, Integer.class)))
              .collectList()
              .block();
      assertEquals(50, ids.size());
      R2dbcException refused =
          assertThrows(
              R2dbcException.class,
              () ->
                  connection
                      .createStatement("SELECT nosuch FROM trips")
                      .execute()
                      .flatMap(result -> result.map((row, data) -> 1))
                      .blockLast());
      assertEquals("42703", refused.getSqlState());
    } finally {
      connection.close().block();
    }
  }

  @Test
  void psqlDescribesAResult() throws Exception {
    String psql = "psql -XAt -F' ' -h 127.0.0.1 -U ann -p " + demo.port() + " rides";
    assertEquals(
        List.of("status character varying", "count bigint"),
        run(
            "bash",
            "-c",
            "echo 'SELECT status, count(*) FROM trips GROUP BY status \\gdesc' | " + psql));
  }

  /** Debian's packages, too. */
  @Test
  @Tag("nightly")
  void asyncpgAndForeignKeysByOdbc() throws Exception {
    String port = Integer.toString(demo.port());
    assertEquals(
        List.of(
            "labels cancelled,completed,requested int",
            "limit [1, 2]",
            "types ['_int4', 'int4']",
            "vector [1]"),
        run("/usr/bin/python3", "src/test/python/asynchronous.py", port));
    List<String> odbc = run("/usr/bin/python3", "src/test/python/odbc.py", port);
    assertEquals(List.of("tables 1", "primary ['id']"), odbc.subList(0, 2));
    assertTrue(odbc.get(2).contains("('city_id', 'cities')"), odbc::toString);
    assertEquals("to True", odbc.getLast());
  }

  /** SQLAlchemy 2 over three drivers, which scripts/clients --all installs. */
  @Test
  @Tag("nightly")
  void sqlAlchemyOfToday() throws Exception {
    List<String> expected = new ArrayList<>();
    for (String driver : List.of("psycopg", "pg8000", "asyncpg")) {
      expected.add(driver + " reflected analytics,cities,drivers,trips,user_tags,users");
      expected.add(
          driver
              + " columns id BIGINT,user_id BIGINT,city_id INTEGER,vehicle VARCHAR,status VARCHAR,"
              + "registered_on DATE,rating NUMERIC(3, 2)");
      expected.add(driver + " keys ['id'] ['cities', 'users'] [['user_id']] [['user_id']]");
      expected.add(driver + " limit [2, 3, 4]");
      expected.add(driver + " counted ['cancelled', 'completed'] int");
      expected.add(driver + " refused ProgrammingError");
    }
    String port = Integer.toString(demo.port());
    assertEquals(expected, run("target/python/bin/python", "src/test/python/alchemy.py", port));
  }

  /** Debian's packages, which scripts/clients installs for the long tests. */
  @Test
  @Tag("nightly")
  void rOdbcGoAndRust() throws Exception {
    String port = Integer.toString(demo.port());
    assertEquals("3 trips users", run("Rscript", "src/test/r/door.R", port).getLast().strip());
    Path odbc =
        Files.writeString(
            folder.resolve("odbc.ini"),
            """
            [rides]
            Driver=PostgreSQL Unicode
            Servername=127.0.0.1
            Port=%s
            Database=rides
            Username=ann
            Password=%s
            SSLmode=require
            """
                .formatted(port, Demo.PASSWORD));
    String question = "SELECT status, count(*) FROM trips GROUP BY status";
    List<String> lines =
        run("bash", "-c", "echo '" + question + "' | ODBCINI=" + odbc + " isql -b -d, rides");
    long labels =
        lines.stream().filter(l -> l.matches("(requested|completed|cancelled),.*")).count();
    assertEquals(3, labels, () -> "" + lines);
    assertEquals("3 42703", run("bash", "src/test/go/run", port).getLast());
    assertEquals("3 42703", run("bash", "src/test/rust/run", port).getLast());
  }
}
