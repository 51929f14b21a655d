package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.FoundRange;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.plan.MechanismChoice;
import flexdp.policy.Range;
import flexdp.policy.Type;
import flexdp.ranges.RangeBuckets;
import flexdp.ranges.RangeSelection;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Ranges of hostile columns on every database, at an ε whose noise is none: what is found and what
 * is summed are what the values say, bucket by bucket. (A draw differs from 0 with probability
 * below e^-100, of some thousand draws.)
 */
class FoundRangesOnDatabasesTest {
  private static final BigDecimal EPSILON = BigDecimal.valueOf(5_000);

  @TempDir Path folder;

  /** Values of a column of floats; a database may lack some of them. */
  private record Values(String name, List<String> usual, List<String> notEverywhere) {}

  private static final List<Values> COLUMNS =
      List.of(
          new Values("empty", List.of(), List.of()),
          new Values("all NULL", List.of("NULL", "NULL", "NULL"), List.of()),
          new Values("zeros", List.of("0", "-0.0", "0"), List.of()),
          new Values("no numbers", List.of("NULL"), List.of("NAN", "INF", "-INF")),
          new Values(
              "edges",
              List.of("0", "-0.0", "1", "-1", "2", "2.0000001", "-5", "49.9", "50", "NULL"),
              List.of("NAN", "INF")),
          new Values("beyond", List.of("1", "2", "1e16"), List.of("1e308", "-1e308")),
          new Values("smallest", List.of("1e-9", "1.0000000001e-9", "3e-10"), List.of("5e-324")));

  private void asExpected(String url, String type, World world) throws Exception {
    for (Values values : COLUMNS) {
      List<String> all = new ArrayList<>(values.usual());
      for (String odd : values.notEverywhere()) {
        world.spelling(odd).ifPresent(all::add);
      }
      asExpected(url, type, world, values.name(), all);
    }
    List<String> outlier = new ArrayList<>(Collections.nCopies(3_000, "12.5"));
    outlier.add("1e9");
    asExpected(url, type, world, "an outlier", outlier);
  }

  private void asExpected(String url, String type, World world, String name, List<String> values)
      throws Exception {
    List<String> changes = new ArrayList<>();
    for (int from = 0; from < values.size(); from += 500) {
      List<String> some = values.subList(from, Math.min(values.size(), from + 500));
      int first = from;
      changes.add(
          "INSERT INTO tips (id, tip) VALUES "
              + String.join(
                  ", ",
                  IntStream.range(0, some.size())
                      .mapToObj(i -> "(" + (first + i) + ", " + some.get(i) + ")")
                      .toList()));
    }
    Path place = Files.createTempDirectory(folder, "ledger");
    try (UnrangedTips tips = world.open(place, url, type, changes)) {
      List<Double> stored = world.stored(tips);
      RangeBuckets buckets =
          RangeBuckets.of(Type.DOUBLE, Optional.empty(), Optional.empty(), 0).orElseThrow();
      List<BigDecimal> counts = new ArrayList<>();
      for (int id : buckets.ids()) {
        counts.add(
            BigDecimal.valueOf(
                stored.stream()
                    .filter(x -> Double.isFinite(x) && buckets.of(new BigDecimal(x)) == id)
                    .count()));
      }
      double finding = EPSILON.doubleValue() / 4;
      double answering = EPSILON.doubleValue() * 23 / 32;
      Optional<RangeSelection.Found> expected =
          new RangeSelection(buckets, 1 / finding).sum(counts, 1 / answering, true);
      String what = name + " of " + url + ": ";
      try {
        AnalystView view = tips.gateway.ask(ask("SELECT SUM(tip) AS s FROM tips"));
        FoundRange found = view.ranges().getFirst();
        Range range = expected.orElseThrow(() -> new AssertionError(what + found)).range();
        assertEquals(0, range.low().compareTo(found.range().low()), what + range + found);
        assertEquals(0, range.high().compareTo(found.range().high()), what + range + found);
        double sum = 0;
        int outside = 0;
        for (double x : stored.stream().filter(Double::isFinite).toList()) {
          double clamped =
              Math.max(range.low().doubleValue(), Math.min(range.high().doubleValue(), x));
          sum += clamped;
          outside += clamped == x ? 0 : 1;
        }
        double answer = Double.parseDouble(view.rows().getFirst().getFirst().toString());
        double slack = range.high().doubleValue() * (1e-8 * stored.size() + 0.02);
        assertEquals(sum, answer, slack, what + found);
        assertEquals(outside, found.outside().intValueExact(), what + found);
        assertTrue(found.outsideAtMost().intValueExact() <= outside + 1, what + found);
      } catch (Rejection e) {
        assertEquals(RejectionCode.RANGE_NOT_FOUND, e.code(), what + e.message());
        assertTrue(expected.isEmpty(), what + expected);
      }
      assertEquals(List.of(), tips.log, what);
    }
  }

  private static QueryRequest ask(String sql) {
    QueryOptions options =
        new QueryOptions(
            MechanismChoice.AUTO, Optional.of(EPSILON), Optional.empty(), Optional.empty());
    return new QueryRequest(sql, options, "ann", Set.of(), true, true, Optional.empty());
  }

  /** What differs between databases. */
  private interface World {
    Optional<String> spelling(String odd);

    Connection writer() throws Exception;

    default UnrangedTips open(Path place, String url, String type, List<String> changes)
        throws Exception {
      Connection writer = writer();
      try (Statement statement = writer.createStatement()) {
        statement.execute("DROP TABLE IF EXISTS tips");
      }
      return new UnrangedTips(Optional.empty(), url, writer, type, place, "", 5, changes);
    }

    default List<Double> stored(UnrangedTips tips) throws SQLException {
      List<Double> stored = new ArrayList<>();
      try (Statement statement = tips.writer().createStatement();
          ResultSet rows = statement.executeQuery("SELECT tip FROM tips WHERE tip IS NOT NULL")) {
        while (rows.next()) {
          stored.add(rows.getDouble(1));
        }
      }
      return stored;
    }
  }

  @Test
  void onPostgreSql() throws Exception {
    try (FreshPostgres postgres = FreshPostgres.create()) {
      asExpected(
          postgres.url(),
          "DOUBLE PRECISION",
          new World() {
            @Override
            public Optional<String> spelling(String odd) {
              return Optional.of(
                  "CAST('"
                      + odd.replace("NAN", "NaN").replace("INF", "Infinity")
                      + "' AS DOUBLE PRECISION)");
            }

            @Override
            public Connection writer() throws Exception {
              return postgres.connect();
            }
          });
    }
  }

  @Test
  void onMariaDb() throws Exception {
    MariaDbServer.create("unranged");
    asExpected(
        MariaDbServer.url("unranged"),
        "DOUBLE",
        new World() {
          @Override
          public Optional<String> spelling(String odd) {
            return Optional.of(odd).filter(o -> o.contains("1e308"));
          }

          @Override
          public Connection writer() throws Exception {
            return MariaDbServer.writer("unranged");
          }
        });
  }

  @Test
  void onSqlite() throws Exception {
    String url = "jdbc:sqlite:" + folder.resolve("tips.sqlite");
    asExpected(
        url,
        "DOUBLE",
        new World() {
          @Override
          public Optional<String> spelling(String odd) {
            return Optional.of(odd.replace("NAN", "NULL").replace("INF", "9e999"));
          }

          @Override
          public Connection writer() throws Exception {
            return DriverManager.getConnection(url);
          }
        });
  }

  @Test
  void onDuckDb() throws Exception {
    asExpected(
        "jdbc:duckdb:",
        "DOUBLE",
        new World() {
          @Override
          public Optional<String> spelling(String odd) {
            return Optional.of("CAST('" + odd + "' AS DOUBLE)");
          }

          @Override
          public Connection writer() throws Exception {
            return DriverManager.getConnection("jdbc:duckdb:");
          }

          @Override
          public UnrangedTips open(Path place, String url, String type, List<String> changes)
              throws Exception {
            Connection first = writer();
            Connection second = ((org.duckdb.DuckDBConnection) first).duplicate();
            return new UnrangedTips(Optional.of(first), url, second, type, place, "", 5, changes);
          }
        });
  }
}
