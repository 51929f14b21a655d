package flexdp.gateway.render;

import static org.junit.jupiter.api.Assertions.assertEquals;

import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.compute.Evaluator;
import flexdp.failure.Position;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Table;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Two readings of one meaning: random expressions give the same values when the interpreter
 * computes them and when DuckDB runs their rendering. Neither ever raises.
 */
class InterpreterAgreementTest {
  private static final int QUERIES = 100;
  private static final List<Type> TYPES =
      List.of(
          Type.BOOLEAN,
          Type.INTEGER,
          Type.BIGINT,
          Type.decimal(12, 2),
          Type.DOUBLE,
          Type.VARCHAR,
          Type.DATE,
          Type.TIMESTAMP);
  private static final List<String> UNITS =
      List.of("YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "HOUR", "MINUTE", "SECOND");

  private final Random random = new Random(20260);
  private final List<Column> columns = new ArrayList<>();
  private final List<String> differences = new ArrayList<>();

  InterpreterAgreementTest() {
    for (int i = 0; i < TYPES.size(); i++) {
      columns.add(new Column(i, "x" + i, TYPES.get(i), true));
    }
  }

  @Test
  void randomExpressionsAgree() throws Exception {
    List<List<Object>> rows = new ArrayList<>();
    List<List<Expr.Literal>> literals = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      List<Expr.Literal> row = new ArrayList<>();
      TYPES.forEach(type -> row.add(literal(type)));
      literals.add(row);
      List<Object> values = new ArrayList<>();
      row.forEach(l -> values.add(l.value()));
      rows.add(values);
    }
    Relation.Values values = new Relation.Values(columns, literals);
    Table policy =
        new Table(
            "v",
            true,
            columns.stream().map(c -> ColumnSpec.of(c.name(), c.type())).toList(),
            List.of(),
            List.of());
    Relation.Scan table = new Relation.Scan(policy, columns, Position.START);
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement()) {
      statement.execute("SET threads = 1");
      statement.execute(
          "CREATE TABLE v AS SELECT r0 AS x0, r1 AS x1, r2 AS x2, r3 AS x3, r4 AS x4, r5 AS x5,"
              + " r6 AS x6, r7 AS x7 FROM ("
              + Fixture.renderer().rows(values)
              + ")");
      for (int i = 0; i < QUERIES; i++) {
        List<Expr> exprs = new ArrayList<>();
        for (int j = 0; j < 30; j++) {
          exprs.add(expr(TYPES.get(random.nextInt(TYPES.size())), 3));
        }
        check(statement, table, rows, exprs);
      }
    }
    assertEquals(List.of(), differences);
  }

  private void check(Statement statement, Relation table, List<List<Object>> rows, List<Expr> exprs)
      throws Exception {
    List<Relation.Project.Output> outputs = new ArrayList<>();
    for (Expr expr : exprs) {
      Column out = new Column(100 + outputs.size(), "out", expr.type(), true);
      outputs.add(new Relation.Project.Output(out, expr));
    }
    String sql = Fixture.renderer().rows(new Relation.Project(table, outputs));
    List<Evaluator.Value> values =
        exprs.stream().map(e -> new Evaluator(columns).compile(e)).toList();
    try (ResultSet result = statement.executeQuery(sql)) {
      for (List<Object> row : rows) {
        result.next();
        for (int i = 0; i < exprs.size(); i++) {
          String database = shown(result.getObject(i + 1), exprs.get(i).type());
          String ours = shown(values.get(i).on(row), exprs.get(i).type());
          if (!database.equals(ours)) {
            differences.add(exprs.get(i) + "\n" + row + " gives " + database + ", ours " + ours);
          }
        }
      }
    }
  }

  /** Floats agree to nine digits: the two libraries round their last bits differently. */
  private static String shown(Object value, Type type) {
    return switch (value) {
      case null -> "null";
      case Double d when !Double.isFinite(d) -> "null";
      case Double d -> d == 0 ? "0" : String.format("%.9e", d);
      case BigDecimal b -> b.stripTrailingZeros().toPlainString();
      case java.sql.Timestamp t -> t.toLocalDateTime().toString();
      case java.sql.Date d -> d.toLocalDate().toString();
      case Number n when type.isExact() ->
          new BigDecimal(n.toString()).stripTrailingZeros().toPlainString();
      default -> value.toString();
    };
  }

  private Expr.Literal literal(Type type) {
    if (random.nextInt(8) == 0) {
      return new Expr.Literal(null, type);
    }
    Object value =
        switch (type.kind()) {
          case BOOLEAN -> random.nextBoolean();
          case INTEGER ->
              BigDecimal.valueOf(pick(0, 1, -1, 2, -7, 10, Integer.MAX_VALUE, Integer.MIN_VALUE));
          case BIGINT ->
              BigDecimal.valueOf(pick(0, 1, -1, 3, 1000, Long.MAX_VALUE, Long.MIN_VALUE));
          case DECIMAL -> BigDecimal.valueOf(pick(0, 1, -1, 150, -250, 12345, 999999999999L), 2);
          case DOUBLE -> List.of(0.0, 1.0, -2.5, 0.1, 1e10, -1e-5).get(random.nextInt(6));
          case VARCHAR ->
              List.of("", "a", "Ab c", " x ", "12", "-3.5", "2020-02-29", "öå", "a%b_c", "true")
                  .get(random.nextInt(10));
          case DATE -> LocalDate.of(2019 + random.nextInt(3), 1 + random.nextInt(12), 28);
          case TIMESTAMP ->
              LocalDateTime.of(1969 + random.nextInt(52), 12, 28 + random.nextInt(4), 23, 59, 59)
                  .plusNanos(1000L * random.nextInt(1_000_000));
          default -> throw new IllegalArgumentException(type.toString());
        };
    return new Expr.Literal(value, type);
  }

  private long pick(long... values) {
    return values[random.nextInt(values.length)];
  }

  private Expr expr(Type type, int depth) {
    if (depth == 0 || random.nextInt(6) == 0) {
      return random.nextInt(3) == 0 ? literal(type) : columns.get(TYPES.indexOf(type)).ref();
    }
    int next = depth - 1;
    if (random.nextInt(6) == 0) {
      return general(type, next);
    }
    return switch (type.kind()) {
      case BOOLEAN -> bool(next);
      case INTEGER, BIGINT, DECIMAL, DOUBLE -> numeric(type, next);
      case VARCHAR -> text(next);
      case DATE, TIMESTAMP -> date(type, next);
      default -> throw new IllegalArgumentException(type.toString());
    };
  }

  private Expr general(Type type, int depth) {
    return switch (random.nextInt(5)) {
      case 0 -> call(Function.COALESCE, type, expr(type, depth), expr(type, depth));
      case 1 -> call(Function.NULLIF, type, expr(type, depth), expr(type, depth));
      case 2 -> call(Function.LEAST, type, expr(type, depth), expr(type, depth));
      case 3 -> call(Function.GREATEST, type, expr(type, depth), expr(type, depth));
      default ->
          new Expr.Case(
              List.of(new Expr.Case.Branch(bool(depth), expr(type, depth))),
              random.nextBoolean() ? Optional.of(expr(type, depth)) : Optional.empty(),
              type);
    };
  }

  private Expr bool(int depth) {
    Type type = TYPES.get(random.nextInt(TYPES.size()));
    Expr one = expr(type, depth);
    Expr two = expr(type, depth);
    List<Function> comparisons =
        List.of(
            Function.EQ,
            Function.NE,
            Function.LT,
            Function.LE,
            Function.GT,
            Function.GE,
            Function.IS_DISTINCT,
            Function.IS_NOT_DISTINCT,
            Function.IS_NULL,
            Function.IS_NOT_NULL);
    Function function = comparisons.get(random.nextInt(comparisons.size()));
    return switch (random.nextInt(6)) {
      case 0 ->
          call(Function.AND, Type.BOOLEAN, expr(Type.BOOLEAN, depth), expr(Type.BOOLEAN, depth));
      case 1 ->
          call(Function.OR, Type.BOOLEAN, expr(Type.BOOLEAN, depth), expr(Type.BOOLEAN, depth));
      case 2 -> call(Function.NOT, Type.BOOLEAN, expr(Type.BOOLEAN, depth));
      case 3 -> call(Function.IN_LIST, Type.BOOLEAN, one, literal(type), literal(type));
      case 4 ->
          call(
              random.nextBoolean() ? Function.LIKE : Function.ILIKE,
              Type.BOOLEAN,
              expr(Type.VARCHAR, depth),
              new Expr.Literal(
                  List.of("%a%", "_", "A%", "a!%b%", "").get(random.nextInt(5)), Type.VARCHAR),
              new Expr.Literal("!", Type.VARCHAR));
      default ->
          function == Function.IS_NULL || function == Function.IS_NOT_NULL
              ? call(function, Type.BOOLEAN, one)
              : call(function, Type.BOOLEAN, one, two);
    };
  }

  private Expr numeric(Type type, int depth) {
    Expr one = expr(type, depth);
    List<Function> binary =
        List.of(Function.PLUS, Function.MINUS, Function.TIMES, Function.DIVIDE, Function.MOD);
    if (type.isExact()) {
      // DuckDB divides decimals as floats, and calls the least integer mod -1 an overflow.
      binary = binary.subList(0, type.isInteger() ? 4 : 2);
    }
    return switch (random.nextInt(type.kind() == Type.Kind.BIGINT ? 6 : 4)) {
      case 0 -> call(binary.get(random.nextInt(binary.size())), type, one, expr(type, depth));
      case 1 ->
          call(
              List.of(
                      Function.NEGATE,
                      Function.ABS,
                      Function.FLOOR,
                      Function.CEIL,
                      Function.ROUND,
                      Function.SIGN)
                  .get(random.nextInt(6)),
              type,
              one);
      case 2 ->
          type.kind() == Type.Kind.DOUBLE
              ? call(random.nextBoolean() ? Function.SQRT : Function.LN, type, one)
              : one;
      case 3 -> new Expr.Cast(expr(type.isExact() ? Type.INTEGER : Type.DOUBLE, depth), type);
      case 4 ->
          call(
              Function.EXTRACT,
              type,
              word(random.nextInt(4) == 0 ? "DOW" : UNITS.get(random.nextInt(UNITS.size()))),
              expr(random.nextBoolean() ? Type.DATE : Type.TIMESTAMP, depth));
      default ->
          call(
              Function.DATE_DIFF,
              type,
              word(UNITS.get(random.nextInt(UNITS.size()))),
              expr(Type.TIMESTAMP, depth),
              expr(Type.TIMESTAMP, depth));
    };
  }

  private Expr text(int depth) {
    Expr one = expr(Type.VARCHAR, depth);
    Expr small = new Expr.Literal(BigDecimal.valueOf(pick(-2, 0, 1, 2, 3)), Type.INTEGER);
    return switch (random.nextInt(7)) {
      case 0 -> call(Function.CONCAT, Type.VARCHAR, one, expr(Type.VARCHAR, depth));
      case 1 ->
          call(
              List.of(
                      Function.UPPER,
                      Function.LOWER,
                      Function.LOWER_ASCII,
                      Function.TRIM,
                      Function.LTRIM,
                      Function.RTRIM)
                  .get(random.nextInt(6)),
              Type.VARCHAR,
              one);
      case 2 -> call(Function.SUBSTRING, Type.VARCHAR, one, small, expr(Type.INTEGER, 0));
      case 3 -> call(Function.SUBSTRING, Type.VARCHAR, one, small);
      case 4 ->
          call(random.nextBoolean() ? Function.LEFT : Function.RIGHT, Type.VARCHAR, one, small);
      case 5 ->
          call(Function.REPLACE, Type.VARCHAR, one, literal(Type.VARCHAR), literal(Type.VARCHAR));
      default ->
          new Expr.Cast(
              expr(
                  List.of(
                          Type.BOOLEAN,
                          Type.INTEGER,
                          Type.DATE,
                          Type.decimal(12, 2),
                          Type.TIMESTAMP)
                      .get(random.nextInt(5)),
                  depth),
              Type.VARCHAR);
    };
  }

  private Expr date(Type type, int depth) {
    Expr one = expr(type, depth);
    return switch (random.nextInt(4)) {
      case 0 ->
          call(
              Function.DATE_TRUNC,
              type,
              word(UNITS.get(random.nextInt(type.kind() == Type.Kind.DATE ? 5 : UNITS.size()))),
              one);
      case 1 ->
          call(
              Function.DATE_ADD,
              type,
              one,
              new Expr.Literal(pick(-1, 1, 13), Type.INTERVAL_MONTHS));
      case 2 ->
          call(
              Function.DATE_ADD,
              type,
              one,
              new Expr.Literal(86_400_000_000L * pick(-1, 7), Type.INTERVAL_MICROS));
      default ->
          new Expr.Cast(
              expr(type.kind() == Type.Kind.DATE ? Type.TIMESTAMP : Type.DATE, depth), type);
    };
  }

  private static Expr word(String unit) {
    return new Expr.Literal(unit, Type.VARCHAR);
  }

  private static Expr call(Function function, Type type, Expr... arguments) {
    return new Expr.Call(function, List.of(arguments), type);
  }
}
