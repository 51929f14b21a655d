package flexdp.release;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.algebra.SortKey;
import flexdp.failure.Position;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class InterpreterTest {
  private static final Column CITY = new Column(1, "city", Type.VARCHAR, true);
  private static final Column COUNT = new Column(2, "count", Type.BIGINT, false);
  private static final Column NAME = new Column(3, "name", Type.VARCHAR, true);
  private static final Column SUM = new Column(4, "sum", Type.decimal(38, 2), false);
  private static final Relation TRIPS = new Relation.Released(0, List.of(CITY, COUNT));
  private static final Relation FARES = new Relation.Released(1, List.of(NAME, SUM));

  private static final Map<Integer, RowTable> RELEASED =
      Map.of(
          0,
          rows(List.of(CITY, COUNT), row("SF", 10), row("Oslo", -2), row(null, 3)),
          1,
          rows(List.of(NAME, SUM), row("SF", "99.50"), row("Rome", "1.00"), row(null, "7.25")));

  private static List<Object> row(Object... values) {
    List<Object> row = new ArrayList<>();
    for (Object value : values) {
      row.add(
          value instanceof Integer i
              ? BigDecimal.valueOf(i)
              : value instanceof String s && s.matches("-?[0-9.]+") ? new BigDecimal(s) : value);
    }
    return row;
  }

  @SafeVarargs
  private static RowTable rows(List<Column> columns, List<Object>... rows) {
    return new RowTable(columns, Arrays.asList(rows));
  }

  private static List<List<Object>> run(Relation relation) {
    Interpreter.check(relation);
    return new Interpreter(
            RELEASED,
            r -> {
              throw new AssertionError("nothing public here: " + r);
            })
        .run(relation)
        .rows();
  }

  private static Expr call(Function function, Type type, Expr... arguments) {
    return new Expr.Call(function, List.of(arguments), type);
  }

  private static Expr number(long n) {
    return new Expr.Literal(BigDecimal.valueOf(n), Type.INTEGER);
  }

  @Test
  void havingKeepsWhatIsTrueOfTheNoisyValue() {
    Expr positive = call(Function.GT, Type.BOOLEAN, COUNT.ref(), number(0));
    assertEquals(List.of(row("SF", 10), row(null, 3)), run(new Relation.Filter(TRIPS, positive)));
    Expr named = call(Function.NE, Type.BOOLEAN, CITY.ref(), new Expr.Literal("SF", Type.VARCHAR));
    assertEquals(List.of(row("Oslo", -2)), run(new Relation.Filter(TRIPS, named)));
  }

  @Test
  void integersStayIntegersAndDecimalsKeepTheirScale() {
    Column half = new Column(9, "half", Type.BIGINT, true);
    Column share = new Column(10, "share", Type.decimal(10, 3), true);
    Column real = new Column(11, "real", Type.DOUBLE, true);
    Relation project =
        new Relation.Project(
            TRIPS,
            List.of(
                new Relation.Project.Output(
                    half, call(Function.DIVIDE, Type.BIGINT, COUNT.ref(), number(-3))),
                new Relation.Project.Output(
                    share, call(Function.DIVIDE, Type.decimal(10, 3), COUNT.ref(), number(3))),
                new Relation.Project.Output(
                    real, call(Function.DIVIDE, Type.DOUBLE, COUNT.ref(), number(0)))));
    assertEquals(
        List.of(row(-3, "3.333", null), row(0, "-0.667", null), row(-1, "1.000", null)),
        run(project));
  }

  private static Relation join(Relation.JoinKind kind) {
    return new Relation.Join(
        kind,
        TRIPS,
        FARES,
        call(Function.EQ, Type.BOOLEAN, CITY.ref(), NAME.ref()),
        Position.START);
  }

  @Test
  void joinsOfReleasedAggregatesDoNotMatchNull() {
    assertEquals(List.of(row("SF", 10, "SF", "99.50")), run(join(Relation.JoinKind.INNER)));
    assertEquals(
        List.of(
            row("SF", 10, "SF", "99.50"), row("Oslo", -2, null, null), row(null, 3, null, null)),
        run(join(Relation.JoinKind.LEFT)));
    assertEquals(5, run(join(Relation.JoinKind.FULL)).size());
  }

  @Test
  void setOperationsTakeNullsAsEqual() {
    Column both = new Column(20, "x", Type.VARCHAR, true);
    Relation left = only(TRIPS, CITY);
    Relation right = only(FARES, NAME);
    assertEquals(
        List.of(row("SF"), row("Oslo"), row((Object) null), row("Rome")),
        run(operation(Relation.SetKind.UNION, false, left, right, both)));
    assertEquals(6, run(operation(Relation.SetKind.UNION, true, left, right, both)).size());
    assertEquals(
        List.of(row("SF"), row((Object) null)),
        run(operation(Relation.SetKind.INTERSECT, true, left, right, both)));
    assertEquals(
        List.of(row("Oslo")), run(operation(Relation.SetKind.EXCEPT, false, left, right, both)));
  }

  private static Relation operation(
      Relation.SetKind kind, boolean all, Relation left, Relation right, Column column) {
    return new Relation.SetOperation(kind, all, left, right, List.of(column), Position.START);
  }

  private static Relation only(Relation input, Column column) {
    return new Relation.Project(input, List.of(new Relation.Project.Output(column, column.ref())));
  }

  @Test
  void orderAndLimit() {
    Relation limit =
        new Relation.Limit(
            TRIPS,
            List.of(new SortKey(CITY.ref(), true, false)),
            1,
            OptionalLong.of(5),
            Position.START);
    assertEquals(List.of(row("Oslo", -2), row(null, 3)), run(limit));
  }

  @Test
  void averagesAreComputedFromNoisyParts() {
    Expr mean =
        call(
            Function.DIVIDE,
            Type.DOUBLE,
            new Expr.Cast(COUNT.ref(), Type.DOUBLE),
            call(
                Function.GREATEST,
                Type.DOUBLE,
                new Expr.Literal(1.0, Type.DOUBLE),
                new Expr.Cast(COUNT.ref(), Type.DOUBLE)));
    Column out = new Column(30, "avg", Type.DOUBLE, true);
    assertEquals(
        List.of(List.of(1.0), List.of(-2.0), List.of(1.0)),
        run(new Relation.Project(TRIPS, List.of(new Relation.Project.Output(out, mean)))));
  }

  @Test
  void whatCannotBeComputedIsRejectedFromTheStructure() {
    Relation again =
        new Relation.Aggregate(
            TRIPS,
            List.of(),
            List.of(List.of()),
            List.of(),
            List.of(),
            Optional.empty(),
            List.of(),
            Position.START);
    Rejection rejection = assertThrows(Rejection.class, () -> Interpreter.check(again));
    assertEquals(RejectionCode.POSTPROCESS_UNSUPPORTED, rejection.code());
  }

  private static RowTable many(Column column, int count) {
    List<List<Object>> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add(row(i));
    }
    return new RowTable(List.of(column), rows);
  }

  @Test
  void aJoinThatDoesNotFitIntoMemoryIsRefused() {
    refused(1_000, Expr.Literal.TRUE);
  }

  @Test
  void aJoinThatComparesTooManyPairsIsRefusedThoughNoneMatches() {
    refused(3_000, Expr.Literal.FALSE);
  }

  private static void refused(int rows, Expr condition) {
    Column one = new Column(1, "one", Type.BIGINT, false);
    Column two = new Column(2, "two", Type.BIGINT, false);
    Relation product =
        new Relation.Join(
            Relation.JoinKind.INNER,
            new Relation.Released(0, List.of(one)),
            new Relation.Released(1, List.of(two)),
            condition,
            Position.START);
    Interpreter interpreter =
        new Interpreter(Map.of(0, many(one, rows), 1, many(two, rows)), r -> null);
    Rejection rejection = assertThrows(Rejection.class, () -> interpreter.run(product));
    assertEquals(RejectionCode.TOO_COMPLEX, rejection.code());
  }
}
