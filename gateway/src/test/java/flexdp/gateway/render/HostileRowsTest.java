package flexdp.gateway.render;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.decompose.QueryDecomposer;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.gateway.FreshPostgres;
import flexdp.gateway.catalog.Connector;
import flexdp.gateway.catalog.PhysicalCatalog;
import flexdp.gateway.database.Connectors;
import flexdp.gateway.duckdb.DuckDb;
import flexdp.gateway.postgresql.PostgreSql;
import flexdp.query.DpQuery;
import flexdp.query.NoisyAggregate;
import flexdp.sql.bind.SqlBinder;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * No accepted question fails because of a row (guarantee §11): what an attacker may write runs on
 * real databases over the values that most expressions fail on.
 */
class HostileRowsTest {
  private static final SqlBinder BINDER =
      new SqlBinder(HostileRows.POLICY, LocalDateTime.of(2020, 1, 1, 0, 0));

  private static FreshPostgres server;
  private static Connection postgres;
  private static Connection duck;
  private static NameCatalog postgresTables;
  private static NameCatalog duckTables;

  @BeforeAll
  static void start() throws Exception {
    server = FreshPostgres.create();
    postgres = server.connect();
    duck = DriverManager.getConnection("jdbc:duckdb:");
    HostileRows.create(duck, postgres);
    duckTables = catalog(duck);
    postgresTables = catalog(postgres);
  }

  /** As questions read them: what a column stores is brought into form there. */
  private static NameCatalog catalog(Connection connection) throws SQLException {
    Connector connector = Connectors.of(connection);
    return PhysicalCatalog.of(HostileRows.POLICY, connector, connector.tables(connection));
  }

  @AfterAll
  static void stop() throws Exception {
    duck.close();
    postgres.close();
    server.close();
  }

  /** Each of these failed once, on one of the databases and on some of the rows. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "at < day",
        "CAST(at AS time) > TIME '12:00:00'",
        "w <> d * w",
        "CAST(i AS varchar) = 'x' OR CAST(CAST(i AS varchar) AS decimal(38,38)) <> ROUND(b, -3)",
        "CAST(ok AS decimal(38,38)) > 0",
        "CAST(t AS date) > DATE '2000-01-01'",
        "CAST(t AS decimal(38,10)) > 1",
        "at + s * INTERVAL '99999' DAY > at",
        "day - i * INTERVAL '1' YEAR > DATE '2000-01-01'",
        "ADD_MONTHS(at, b) > at",
        "EXTRACT(epoch FROM (at - day)) > 0",
        "EXTRACT(second FROM day) > 0",
        "DATE_DIFF('week', day, at) > DATE_DIFF('week', day, DATE '2000-01-01')",
        "SUBSTRING(t, b, i) > SUBSTRING(t || 'a', b, i)",
        "ROUND(f, 2147483648) > 1",
        "t = t2",
        "LOWER(t || t2) = UPPER(t2)",
        "DATE_TRUNC('month', day) > DATE '2000-01-01'",
        "LAST_DAY(day) > DATE '2000-01-01'",
        "EXTRACT(year FROM zoned) > 2000",
        "d + w > 1",
        "CAST(t AS time) = clock",
        "EXTRACT(epoch FROM ((at - DATE '2024-02-29') - INTERVAL '1' DAY) * b) > 0",
      })
  void noRowMakesAConditionFail(String condition) {
    assertEquals(List.of(), faults("SELECT COUNT(*) FROM h WHERE " + condition));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "STDDEV_SAMP(d) OVER (PARTITION BY ok)",
        "LAG(i, 1, w) OVER (PARTITION BY ok ORDER BY id)",
        "LEAD(d, 3, f) OVER (PARTITION BY ok ORDER BY id)",
        "NTILE(4) OVER (PARTITION BY ok ORDER BY id)",
      })
  void noRowMakesAWindowFail(String window) {
    assertEquals(
        List.of(),
        faults("SELECT COUNT(*) FROM (SELECT " + window + " AS x FROM h) q WHERE x > 0"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"NTILE(i)", "NTILE(0)", "LAG(d, i)", "LAG(d, -1)", "LEAD(d, 2147483648)"})
  void countsOfWindowsAreConstants(String window) {
    String sql = "SELECT COUNT(*) FROM (SELECT " + window + " OVER (ORDER BY id) AS x FROM h) q";
    Rejection e = assertThrows(Rejection.class, () -> faults(sql + " WHERE x > 0"));
    assertEquals(RejectionCode.TYPE_MISMATCH, e.code());
  }

  @Test
  void noRowMakesARandomQuestionFail() {
    attack(5L, 150);
  }

  @Tag("slow")
  @Test
  void noRowMakesAnyOfManyRandomQuestionsFail() {
    attack(6L, 10_000);
  }

  private static void attack(long seed, int questions) {
    HostileExpressions expressions = new HostileExpressions(new Random(seed));
    List<String> faults = new ArrayList<>();
    int accepted = 0;
    for (int i = 0; i < questions; i++) {
      String sql = expressions.question();
      try {
        faults.addAll(faults(sql));
        accepted++;
      } catch (Rejection e) {
        // Nothing is asked then.
      }
    }
    assertEquals(List.of(), faults);
    int count = accepted;
    assertTrue(count >= questions / 2, () -> "only " + count);
  }

  private static List<String> faults(String sql) {
    DpQuery query = QueryDecomposer.of(BINDER.bind(sql), HostileRows.POLICY, Optional.empty());
    List<String> faults = new ArrayList<>();
    fault(duck, duckTables, query).ifPresent(e -> faults.add(sql + "\nDuckDB: " + e));
    fault(postgres, postgresTables, query).ifPresent(e -> faults.add(sql + "\nPostgreSQL: " + e));
    return faults;
  }

  private static Optional<String> fault(Connection connection, NameCatalog catalog, DpQuery query) {
    TargetDialect dialect = connection == duck ? new DuckDb() : new PostgreSql();
    SqlRenderer renderer = new SqlRenderer(dialect, catalog);
    for (NoisyAggregate point : query.releases()) {
      for (ReleaseStatement release : renderer.statements(point)) {
        try (Statement statement = connection.createStatement();
            ResultSet rows = statement.executeQuery(release.sql())) {
          while (rows.next()) {
            rows.getObject(1);
          }
        } catch (SQLException e) {
          return Optional.of(e.getMessage() + "\n" + release.sql());
        }
      }
    }
    return Optional.empty();
  }
}
