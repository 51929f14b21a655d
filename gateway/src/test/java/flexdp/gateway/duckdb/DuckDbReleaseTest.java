package flexdp.gateway.duckdb;

import static flexdp.gateway.render.Fixture.call;
import static flexdp.gateway.render.Fixture.column;
import static flexdp.gateway.render.Fixture.is;
import static flexdp.gateway.render.Fixture.number;
import static flexdp.gateway.render.Fixture.point;
import static flexdp.gateway.render.Fixture.ref;
import static org.junit.jupiter.api.Assertions.assertEquals;

import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.gateway.render.Fixture;
import flexdp.gateway.render.ReleaseStatement;
import flexdp.policy.Range;
import flexdp.policy.Type;
import flexdp.query.Measurement;
import flexdp.query.NoisyAggregate;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Release points as statements: golden text, and numbers from a real database. */
class DuckDbReleaseTest {
  private static final List<List<Integer>> NO_KEYS = List.of(List.of());

  private Fixture fixture;
  private Relation.Scan trips;

  @BeforeEach
  void open() throws Exception {
    fixture = new Fixture();
    trips = fixture.scan(Fixture.TRIPS);
  }

  @AfterEach
  void close() throws Exception {
    fixture.close();
  }

  private ReleaseStatement only(NoisyAggregate point) {
    List<ReleaseStatement> statements = Fixture.renderer().statements(point);
    assertEquals(1, statements.size());
    return statements.get(0);
  }

  private BigInteger units(NoisyAggregate point) throws Exception {
    ReleaseStatement statement = only(point);
    String value = fixture.run(statement.sql()).get(0);
    return statement
        .cells()
        .get(0)
        .units(value.equals("null") ? BigDecimal.ZERO : new BigDecimal(value));
  }

  @Test
  void aPlainCountStaysPlain() throws Exception {
    ReleaseStatement statement =
        only(point(trips, List.of(), NO_KEYS, fixture.count(Optional.empty(), Optional.empty())));
    assertEquals(
        "SELECT COUNT(*) AS a0 FROM (SELECT 1 AS one FROM \"main\".\"trips\") AS t1",
        statement.sql());
    assertEquals(List.of("5"), fixture.run(statement.sql()));
  }

  @Test
  void severalMeasurementsTakeOneStatement() throws Exception {
    Measurement all = fixture.count(Optional.empty(), Optional.empty());
    Measurement cities = fixture.distinct(ref(trips, "city"));
    Measurement dear =
        fixture.count(
            Optional.empty(),
            Optional.of(is(Function.GT, ref(trips, "fare"), number("1", Type.decimal(9, 2)))));
    Measurement fares = fixture.sum(ref(trips, "fare"), Range.of(0, 500), "0.01");
    ReleaseStatement statement =
        only(
            point(
                trips,
                List.of(column(trips, "driver")),
                List.of(List.of(0)),
                all,
                cities,
                dear,
                fares));
    assertEquals(
        "SELECT c2, COUNT(*) AS a0, COUNT(DISTINCT c5) AS a1, COUNT(*) FILTER (WHERE f2) AS a2,"
            + " SUM(CASE WHEN c3 >= 0 AND c3 <= 500 THEN c3"
            + " WHEN c3 < 0 THEN 0 WHEN c3 > 500 THEN 500 END) AS a3"
            + " FROM (SELECT c2, c5, c3, (c3 > CAST(1 AS DECIMAL(9, 2))) AS f2"
            + " FROM (SELECT \"driver\" AS c2, \"fare\" AS c3,"
            + " \"city\" AS c5 FROM \"main\".\"trips\") AS t1) AS r GROUP BY c2",
        statement.sql());
    assertEquals(
        List.of("1|2|1|1|10.50", "2147483647|1|1|0|0.00", "2|1|1|1|500.00", "null|1|0|0|null"),
        fixture.run(statement.sql()));
  }

  @Test
  void sumsAreClampedOnTheGrid() throws Exception {
    assertEquals(
        BigInteger.valueOf(51050),
        units(point(trips, List.of(), NO_KEYS, sum("fare", Range.of(0, 500), "0.01"))));
    assertEquals(
        BigInteger.valueOf(510 - 3),
        units(point(trips, List.of(), NO_KEYS, sum("fare", Range.of(-3, 500), "1")))
            .subtract(BigInteger.ONE));
    assertEquals(
        BigInteger.valueOf(125 - 1000),
        units(point(trips, List.of(), NO_KEYS, sum("distance", Range.of(-10, 500), "0.01"))));
    assertEquals(
        BigInteger.valueOf(3 + 3 + 3 + 3 + 20),
        units(point(trips, List.of(), NO_KEYS, sum("id", Range.of(15, 100), "5"))));
    assertEquals(
        new BigInteger("9223372036854775817"),
        units(
            point(
                trips,
                List.of(),
                NO_KEYS,
                sum("id", new Range(BigDecimal.ZERO, BigDecimal.TEN.pow(20)), "1"))));
  }

  private Measurement sum(String column, Range range, String grid) {
    return fixture.sum(ref(trips, column), range, grid);
  }

  @Test
  void sumsOfExpressionsComputeTheExpressionOnce() throws Exception {
    Measurement twice =
        fixture.sum(
            call(Function.PLUS, Type.BIGINT, ref(trips, "id"), ref(trips, "id")),
            Range.of(0, 1000),
            "1");
    assertEquals(BigInteger.valueOf(20), units(point(trips, List.of(), NO_KEYS, twice)));
  }

  @Test
  void anEmptySumIsZero() throws Exception {
    fixture.execute("DELETE FROM trips");
    assertEquals(
        BigInteger.ZERO,
        units(point(trips, List.of(), NO_KEYS, sum("fare", Range.of(0, 500), "0.01"))));
    assertEquals(
        BigInteger.ZERO,
        units(point(trips, List.of(), NO_KEYS, fixture.count(Optional.empty(), Optional.empty()))));
  }

  @Test
  void groupingSetsSayWhichSetARowBelongsTo() throws Exception {
    ReleaseStatement statement =
        only(
            point(
                trips,
                List.of(column(trips, "city"), column(trips, "driver")),
                List.of(List.of(0, 1), List.of(0), List.of()),
                fixture.count(Optional.empty(), Optional.empty())));
    assertEquals(true, statement.hasGrouping());
    assertEquals(
        fixture.run(
            "SELECT GROUPING(city, driver), city, driver, COUNT(*) FROM trips"
                + " GROUP BY GROUPING SETS ((city, driver), (city), ())"),
        fixture.run(statement.sql()));
  }

  @Test
  void quantilesAreBucketCounts() throws Exception {
    Measurement median = fixture.median(ref(trips, "fare"), Range.of(0, 500), "10");
    ReleaseStatement statement =
        only(point(trips, List.of(column(trips, "city")), List.of(List.of(0)), median));
    assertEquals(
        List.of("Oslo|50|1", "SF|0|1", "SF|1|1", "ös'lo|0|1"), fixture.run(statement.sql()));
    ReleaseStatement scalar = only(point(trips, List.of(), NO_KEYS, median));
    assertEquals(List.of("0|2", "1|1", "50|1"), fixture.run(scalar.sql()));
    assertEquals(BigInteger.valueOf(50), scalar.bucket().orElseThrow().units(new BigDecimal("50")));
  }

  @Test
  void namesCannotEscapeTheirQuotes() {
    assertEquals("\"a\"\"b\".\"c\"", new DuckDb().qualified("a\"b.c"));
  }
}
