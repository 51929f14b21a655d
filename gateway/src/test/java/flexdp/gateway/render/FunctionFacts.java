package flexdp.gateway.render;

import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.Function;
import flexdp.algebra.NullRejection;
import flexdp.algebra.Relation;
import flexdp.compute.Evaluator;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** What each function states about NULL, against what is computed on rows with many NULLs. */
public final class FunctionFacts {
  private static final int ROWS = 60;
  private static final Type MONEY = Type.decimal(12, 2);
  private static final List<Type> TYPES =
      List.of(
          Type.BOOLEAN, Type.INTEGER, MONEY, Type.DOUBLE, Type.VARCHAR, Type.DATE, Type.TIMESTAMP);

  /** Three columns of each type. */
  private static final int EACH = 3;

  private final Random random = new Random(12);
  private final List<Column> columns = new ArrayList<>();
  private final List<List<Expr.Literal>> rows = new ArrayList<>();
  private final List<Expr.Call> cases = new ArrayList<>();

  public FunctionFacts() {
    for (Type type : TYPES) {
      for (int i = 0; i < EACH; i++) {
        columns.add(new Column(columns.size(), "c", type, true));
      }
    }
    for (int i = 0; i < ROWS; i++) {
      rows.add(columns.stream().map(column -> literal(column.type())).toList());
    }
    for (Function function : Function.values()) {
      cases.addAll(cases(function));
    }
  }

  List<Expr.Call> cases() {
    return List.copyOf(cases);
  }

  private Expr.Literal literal(Type type) {
    if (random.nextInt(3) == 0) {
      return new Expr.Literal(null, type);
    }
    Object value =
        switch (type.kind()) {
          case BOOLEAN -> random.nextBoolean();
          case INTEGER -> BigDecimal.valueOf(pick(0, 1, -1, 7, 2147483647, -2147483648));
          case DECIMAL -> BigDecimal.valueOf(pick(0, 1, -150, 12345, 999_999_999_999L), 2);
          case DOUBLE -> List.of(0.0, 1.0, -2.5, 1e300, -1e-300).get(random.nextInt(5));
          case VARCHAR -> List.of("", "a", "Ab c", " x ", "öå").get(random.nextInt(5));
          case DATE -> LocalDate.of((int) pick(1, 1969, 2024, 9999), 12, 31);
          case TIMESTAMP -> LocalDateTime.of((int) pick(1, 1970, 2024, 9999), 2, 28, 23, 59);
          case SMALLINT, BIGINT, TIME, INTERVAL_MONTHS, INTERVAL_MICROS, UUID, OPAQUE, NULL ->
              throw new IllegalArgumentException("not among the types: " + type);
        };
    return new Expr.Literal(value, type);
  }

  private long pick(long... values) {
    return values[random.nextInt(values.length)];
  }

  private Expr column(Type type, int which) {
    return columns.get(TYPES.indexOf(type) * EACH + which).ref();
  }

  private Expr.Call call(Function function, Type type, Expr... arguments) {
    return new Expr.Call(function, List.of(arguments), type);
  }

  /** So many columns of a type, and a value of the type. */
  private Expr.Call same(Function function, Type type, int arguments) {
    List<Expr> all = new ArrayList<>();
    for (int i = 0; i < arguments; i++) {
      all.add(column(type, i));
    }
    return new Expr.Call(function, all, type);
  }

  private List<Expr.Call> numbers(Function function, int arguments) {
    return List.of(
        same(function, Type.INTEGER, arguments),
        same(function, MONEY, arguments),
        same(function, Type.DOUBLE, arguments));
  }

  private List<Expr.Call> ofAll(Function function, int arguments) {
    return TYPES.stream().map(type -> same(function, type, arguments)).toList();
  }

  private List<Expr.Call> tests(Function function, int arguments) {
    return ofAll(function, arguments).stream()
        .map(call -> new Expr.Call(function, call.arguments(), Type.BOOLEAN))
        .toList();
  }

  private List<Expr.Call> cases(Function function) {
    Expr text = column(Type.VARCHAR, 0);
    Expr other = column(Type.VARCHAR, 1);
    Expr day = column(Type.DATE, 0);
    Expr moment = column(Type.TIMESTAMP, 0);
    return switch (function) {
      case EQ, NE, LT, LE, GT, GE, IS_DISTINCT, IS_NOT_DISTINCT -> tests(function, 2);
      case IS_NULL, IS_NOT_NULL -> tests(function, 1);
      case IN_LIST -> List.of(call(function, Type.BOOLEAN, text, Exprs.text("a"), Exprs.text("")));
      case AND, OR -> List.of(same(function, Type.BOOLEAN, 3));
      case NOT, IS_TRUE, IS_NOT_TRUE, IS_FALSE, IS_NOT_FALSE ->
          List.of(same(function, Type.BOOLEAN, 1));
      case PLUS, MINUS, TIMES, DIVIDE, MOD -> numbers(function, 2);
      case NEGATE, ABS, SIGN -> numbers(function, 1);
      case FLOOR, CEIL, ROUND ->
          List.of(
              call(function, Type.decimal(11, 0), column(MONEY, 0)),
              same(function, Type.DOUBLE, 1));
      case SQRT, LN, LOG10, EXP -> List.of(same(function, Type.DOUBLE, 1));
      case POWER -> List.of(same(function, Type.DOUBLE, 2));
      case COALESCE, LEAST, GREATEST -> ofAll(function, 3);
      case NULLIF -> ofAll(function, 2);
      case CONCAT -> List.of(same(function, Type.VARCHAR, 3));
      case LOWER, LOWER_ASCII, UPPER_ASCII, UPPER, TRIM, LTRIM, RTRIM, REVERSE ->
          List.of(same(function, Type.VARCHAR, 1));
      case SUBSTRING ->
          List.of(call(function, Type.VARCHAR, text, column(Type.INTEGER, 0), Exprs.integer(2)));
      case LEFT, RIGHT -> List.of(call(function, Type.VARCHAR, text, column(Type.INTEGER, 0)));
      case REPLACE -> List.of(same(function, Type.VARCHAR, 3));
      case CHAR_LENGTH, BYTE_LENGTH -> List.of(call(function, Type.BIGINT, text));
      case POSITION -> List.of(call(function, Type.BIGINT, text, other));
      case LIKE, ILIKE -> List.of(call(function, Type.BOOLEAN, text, Exprs.text("_%")));
      case STARTS_WITH -> List.of(call(function, Type.BOOLEAN, text, other));
      case HASH -> List.of(call(function, Type.BIGINT, text));
      case EXTRACT ->
          List.of(
              call(function, Type.BIGINT, Exprs.text("MONTH"), day),
              call(function, Type.BIGINT, Exprs.text("SECOND"), moment));
      case DATE_TRUNC ->
          List.of(
              call(function, Type.DATE, Exprs.text("WEEK"), day),
              call(function, Type.TIMESTAMP, Exprs.text("YEAR"), moment));
      case DATE_ADD ->
          List.of(call(function, Type.DATE, day, new Expr.Literal(13L, Type.INTERVAL_MONTHS)));
      case DATE_DIFF ->
          List.of(call(function, Type.BIGINT, Exprs.text("DAY"), day, column(Type.DATE, 1)));
      case INTERVAL_LOW, INTERVAL_HIGH, EXCEEDS_NOISE ->
          List.of(); // no database and no row alone knows them
    };
  }

  /** Where the rows that a database computes say otherwise than the functions do. */
  public List<String> deniedBy(Connection connection, SqlRenderer renderer) throws SQLException {
    List<Relation.Project.Output> outputs = new ArrayList<>();
    for (Expr.Call call : cases) {
      Expr isNull = Exprs.test(Function.IS_NULL, call);
      Column out = new Column(columns.size() + outputs.size(), "out", Type.BOOLEAN, false);
      outputs.add(new Relation.Project.Output(out, isNull));
    }
    String sql = renderer.rows(new Relation.Project(new Relation.Values(columns, rows), outputs));
    List<String> denied = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      for (List<Expr.Literal> row : rows) {
        result.next();
        for (int i = 0; i < cases.size(); i++) {
          check(cases.get(i), row, result.getBoolean(i + 1), denied);
        }
      }
    }
    return denied;
  }

  /** What is denied by functions that are computed outside of databases. */
  public List<String> deniedByEvaluator() {
    Evaluator evaluator = new Evaluator(columns);
    List<String> denied = new ArrayList<>();
    for (Expr.Call call : cases) {
      Evaluator.Value value = evaluator.compile(call);
      for (List<Expr.Literal> row : rows) {
        List<Object> values = new ArrayList<>();
        row.forEach(literal -> values.add(literal.value()));
        check(call, row, value.on(values) == null, denied);
      }
    }
    return denied;
  }

  private static void check(
      Expr.Call call, List<Expr.Literal> row, boolean isNull, List<String> denied) {
    boolean[] nulls = new boolean[call.arguments().size()];
    boolean any = false;
    boolean all = true;
    for (int i = 0; i < nulls.length; i++) {
      nulls[i] = call.arguments().get(i) instanceof Expr.Ref ref && row.get(ref.column()).isNull();
      any |= nulls[i];
      all &= nulls[i];
    }
    boolean must =
        switch (call.function().nulls()) {
          case STRICT -> any;
          case FIRST -> nulls[0];
          case FALLBACK, PASSED_OVER -> all;
          case LOGIC, AS_VALUE, ASKED, UNSTATED -> false;
        };
    boolean may = NullRejection.possible(call, id -> row.get(id).isNull());
    if (must && !isNull || isNull && !may) {
      List<Object> given = new ArrayList<>();
      for (Expr argument : call.arguments()) {
        given.add(argument instanceof Expr.Ref ref ? row.get(ref.column()).value() : argument);
      }
      denied.add(call.function() + " of " + given + (isNull ? " is NULL" : " is not NULL"));
    }
  }
}
