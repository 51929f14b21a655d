package flexdp.gateway.duckdb;

import static flexdp.gateway.render.Fixture.call;
import static flexdp.gateway.render.Fixture.column;
import static flexdp.gateway.render.Fixture.is;
import static flexdp.gateway.render.Fixture.number;
import static flexdp.gateway.render.Fixture.ref;
import static org.junit.jupiter.api.Assertions.assertEquals;

import flexdp.algebra.AggregateCall;
import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.algebra.SortKey;
import flexdp.algebra.Subquery;
import flexdp.algebra.WindowCall;
import flexdp.failure.Position;
import flexdp.gateway.render.Fixture;
import flexdp.policy.Type;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every operator, rendered and run, against SQL written by hand. */
class DuckDbRelationTest {
  private Fixture fixture;
  private Relation.Scan trips;
  private Relation.Scan drivers;

  @BeforeEach
  void open() throws Exception {
    fixture = new Fixture();
    trips = fixture.scan(Fixture.TRIPS);
    drivers = fixture.scan(Fixture.DRIVERS);
  }

  @AfterEach
  void close() throws Exception {
    fixture.close();
  }

  private void same(String byHand, Relation relation) throws Exception {
    assertEquals(fixture.run(byHand), fixture.run(relation));
  }

  private Relation join(Relation.JoinKind kind) {
    return new Relation.Join(
        kind,
        trips,
        drivers,
        is(Function.EQ, ref(trips, "driver"), ref(drivers, "id")),
        Position.START);
  }

  private Relation only(Relation input, Column... columns) {
    return new Relation.Project(
        input,
        List.of(columns).stream().map(c -> new Relation.Project.Output(c, c.ref())).toList());
  }

  @Test
  void joins() throws Exception {
    same(
        "SELECT t.id, d.name FROM trips t JOIN drivers d ON t.driver = d.id",
        only(join(Relation.JoinKind.INNER), column(trips, "id"), column(drivers, "name")));
    same(
        "SELECT t.id, d.name FROM trips t LEFT JOIN drivers d ON t.driver = d.id",
        only(join(Relation.JoinKind.LEFT), column(trips, "id"), column(drivers, "name")));
    same(
        "SELECT t.id, d.name FROM trips t FULL JOIN drivers d ON t.driver = d.id",
        only(join(Relation.JoinKind.FULL), column(trips, "id"), column(drivers, "name")));
    Relation cross =
        new Relation.Join(
            Relation.JoinKind.INNER, trips, drivers, Expr.Literal.TRUE, Position.START);
    same(
        "SELECT t.id, d.id FROM trips t, drivers d",
        only(cross, column(trips, "id"), column(drivers, "id")));
  }

  @Test
  void aFilterAboveAnOuterJoin() throws Exception {
    Relation filtered =
        new Relation.Filter(join(Relation.JoinKind.LEFT), is(Function.IS_NULL, ref(drivers, "id")));
    same(
        "SELECT t.id FROM trips t LEFT JOIN drivers d ON t.driver = d.id WHERE d.id IS NULL",
        only(filtered, column(trips, "id")));
  }

  @Test
  void existsAndNotExistsUnderOr() throws Exception {
    Column found = fixture.fresh(Type.BOOLEAN);
    Expr equal = is(Function.EQ, ref(trips, "driver"), ref(drivers, "id"));
    for (boolean negated : List.of(false, true)) {
      Relation where =
          new Relation.Where(
              trips,
              List.of(new Subquery.Exists(found, negated, drivers, equal, Position.START)),
              is(
                  Function.OR,
                  found.ref(),
                  is(Function.GT, ref(trips, "fare"), number("5", Type.decimal(9, 2)))));
      same(
          "SELECT id FROM trips t WHERE "
              + (negated ? "NOT " : "")
              + "EXISTS (SELECT 1 FROM drivers d WHERE d.id = t.driver) OR fare > 5",
          only(where, column(trips, "id")));
    }
  }

  private Subquery.Scalar tripsOfDriver(Type type, Expr plus) {
    AggregateCall count = AggregateCall.countStar(fixture.fresh(Type.BIGINT), Position.START);
    return new Subquery.Scalar(
        fixture.fresh(type),
        trips,
        is(Function.EQ, ref(trips, "driver"), ref(drivers, "id")),
        List.of(count),
        call(Function.PLUS, Type.BIGINT, count.output().ref(), plus),
        Position.START);
  }

  @Test
  void scalarSubqueries() throws Exception {
    Subquery.Scalar scalar = tripsOfDriver(Type.BIGINT, number("1", Type.INTEGER));
    same(
        "SELECT id, name, (SELECT COUNT(*) + 1 FROM trips t WHERE t.driver = d.id) FROM drivers d",
        new Relation.Attach(drivers, List.of(scalar)));
    Relation where =
        new Relation.Where(
            drivers,
            List.of(scalar),
            is(
                Function.GT,
                call(Function.TIMES, Type.BIGINT, scalar.output().ref(), number("2", Type.BIGINT)),
                number("3", Type.BIGINT)));
    same(
        "SELECT id, name FROM drivers d"
            + " WHERE 2 * (SELECT COUNT(*) + 1 FROM trips t WHERE t.driver = d.id) > 3",
        where);
  }

  @Test
  void nestedAggregatesAreExactAndTotal() throws Exception {
    AggregateCall sum =
        fixture.aggregate(AggregateCall.Kind.SUM, Type.decimal(38, 2), ref(trips, "fare"));
    AggregateCall mean = fixture.aggregate(AggregateCall.Kind.AVG, Type.DOUBLE, ref(trips, "fare"));
    AggregateCall far =
        fixture.aggregate(AggregateCall.Kind.SUM, Type.DOUBLE, ref(trips, "distance"));
    AggregateCall spread =
        fixture.aggregate(AggregateCall.Kind.VAR_SAMP, Type.DOUBLE, ref(trips, "fare"));
    AggregateCall median =
        fixture.aggregate(AggregateCall.Kind.QUANTILE, Type.DOUBLE, ref(trips, "fare"));
    AggregateCall last = fixture.aggregate(AggregateCall.Kind.MAX, Type.DATE, ref(trips, "day"));
    same(
        "SELECT city, SUM(fare), AVG(fare), SUM(CASE WHEN city = 'SF' AND isfinite(distance) THEN"
            + " distance END), CASE WHEN city = 'SF' THEN 91.125 END,"
            + " CAST(quantile_cont(fare, 0.5) AS DOUBLE), MAX(day) FROM trips GROUP BY city",
        Fixture.group(trips, List.of(column(trips, "city")), sum, mean, far, spread, median, last));
  }

  @Test
  void havingReadsAggregates() throws Exception {
    AggregateCall count = AggregateCall.countStar(fixture.fresh(Type.BIGINT), Position.START);
    Relation having =
        new Relation.Aggregate(
            trips,
            List.of(column(trips, "city")),
            List.of(List.of(0)),
            List.of(count),
            List.of(),
            Optional.of(is(Function.GT, count.output().ref(), number("1", Type.BIGINT))),
            List.of(),
            Position.START);
    same("SELECT city FROM trips GROUP BY city HAVING COUNT(*) > 1", having);
  }

  @Test
  void setOperationsWorkByPosition() throws Exception {
    Relation left = only(trips, column(trips, "driver"));
    Relation right = only(drivers, column(drivers, "id"));
    for (Relation.SetKind kind : Relation.SetKind.values()) {
      for (boolean all : List.of(false, true)) {
        Relation both =
            new Relation.SetOperation(
                kind, all, left, right, List.of(fixture.fresh(Type.INTEGER)), Position.START);
        String word = kind + (all ? " ALL" : "");
        same("SELECT driver FROM trips " + word + " SELECT id FROM drivers", both);
      }
    }
  }

  @Test
  void limitsAndWindows() throws Exception {
    SortKey byFare = new SortKey(ref(trips, "fare"), true, false);
    Relation first =
        new Relation.Limit(
            only(trips, column(trips, "id"), column(trips, "fare")),
            List.of(byFare),
            1,
            OptionalLong.of(2),
            Position.START);
    same("SELECT id, fare FROM trips ORDER BY fare DESC NULLS LAST LIMIT 2 OFFSET 1", first);
    Relation top =
        new Relation.TopRows(
            trips, List.of(ref(trips, "city")), List.of(byFare), 1, Position.START);
    same(
        "SELECT id FROM (SELECT id, ROW_NUMBER() OVER (PARTITION BY city ORDER BY fare DESC NULLS"
            + " LAST) AS n FROM trips) WHERE n <= 1",
        only(top, column(trips, "id")));
    Column rank = fixture.fresh(Type.BIGINT);
    Relation window =
        new Relation.Window(
            trips,
            List.of(
                new WindowCall(
                    rank,
                    Optional.empty(),
                    Optional.of(WindowCall.Rank.RANK),
                    List.of(),
                    List.of(),
                    List.of(byFare),
                    Position.START)));
    same(
        "SELECT id, RANK() OVER (ORDER BY fare DESC NULLS LAST) FROM trips",
        only(window, column(trips, "id"), rank));
  }

  @Test
  void distinctAndValues() throws Exception {
    same(
        "SELECT DISTINCT driver FROM trips",
        new Relation.Distinct(only(trips, column(trips, "driver"))));
    List<Column> columns = List.of(fixture.fresh(Type.INTEGER), fixture.fresh(Type.VARCHAR));
    List<Expr.Literal> row =
        List.of((Expr.Literal) number("1", Type.INTEGER), new Expr.Literal(null, Type.VARCHAR));
    same("SELECT 1, NULL", new Relation.Values(columns, List.of(row)));
    same("SELECT 1 WHERE FALSE", new Relation.Values(columns, List.of()));
  }

  @Test
  void aScanReadsOnlyWhatIsUsed() {
    assertEquals(
        "SELECT c1 AS r0 FROM (SELECT c1 FROM (SELECT \"id\" AS c1, \"driver\" AS c2 FROM"
            + " \"main\".\"trips\") AS t1 WHERE (c2 = 1)) AS t2",
        Fixture.renderer()
            .rows(
                only(
                    new Relation.Filter(
                        trips, is(Function.EQ, ref(trips, "driver"), number("1", Type.INTEGER))),
                    column(trips, "id"))));
  }
}
