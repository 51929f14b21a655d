package flexdp.gateway.render;

import static flexdp.gateway.render.Fixture.call;
import static flexdp.gateway.render.Fixture.is;
import static flexdp.gateway.render.Fixture.number;
import static flexdp.gateway.render.Fixture.ref;
import static flexdp.gateway.render.Fixture.text;

import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.hash.PortableHash;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Every function, on rows that make functions fail; all databases give the same values. */
public final class DialectCases {
  private DialectCases() {}

  /** Rows of the table trips, as VALUES. */
  public static final String ROWS =
      "(1, 1, 10.50, 1.25, 'SF', '2024-02-29', '2024-02-29 10:11:12.5'),"
          + "(2, 1, -3.00, 'nan', '42', '2024-12-30', '1969-12-31 23:59:59.5'),"
          + "(3, 2, 700.25, '1e300', '2024-02-30', NULL, NULL),"
          + "(4, NULL, NULL, NULL, NULL, '2020-01-04', '2020-01-06 00:00:00'),"
          + "(5, -7, 0.01, -1e-200, ' 17.50 ', '1900-03-01', '2038-01-19 03:14:08'),"
          + "(6, 0, 9999999.99, 0, '2023-02-28', '9999-12-31', '0001-01-01 00:00:00'),"
          + "(9223372036854775807, 2147483647, 0.00, -1e300, 'ös''lo%_', '1969-07-20', NULL)";

  public static Map<String, Expr> expressions(Relation.Scan trips) {
    Expr id = ref(trips, "id");
    Expr driver = ref(trips, "driver");
    Expr fare = ref(trips, "fare");
    Expr distance = ref(trips, "distance");
    Expr city = ref(trips, "city");
    Expr day = ref(trips, "day");
    Expr at = ref(trips, "at");
    Map<String, Expr> all = new LinkedHashMap<>();
    for (Function f : List.of(Function.PLUS, Function.MINUS, Function.TIMES, Function.DIVIDE)) {
      all.put(f + " bigint", call(f, Type.BIGINT, id, driver));
      all.put(f + " integer", call(f, Type.INTEGER, driver, driver));
      all.put(f + " decimal", call(f, Type.decimal(20, 4), fare, fare));
      all.put(f + " double", call(f, Type.DOUBLE, fare, driver));
    }
    all.put("MOD", call(Function.MOD, Type.INTEGER, driver, number("3", Type.INTEGER)));
    all.put("MOD zero", call(Function.MOD, Type.BIGINT, id, driver));
    for (Function f : List.of(Function.NEGATE, Function.ABS)) {
      all.put(f + " bigint", call(f, Type.BIGINT, id));
      all.put(f + " decimal", call(f, Type.decimal(9, 2), fare));
      all.put(f + " double", call(f, Type.DOUBLE, distance));
    }
    all.put("SIGN", call(Function.SIGN, Type.INTEGER, fare));
    for (Function f : List.of(Function.FLOOR, Function.CEIL, Function.ROUND)) {
      all.put(f + " decimal", call(f, Type.BIGINT, fare));
      all.put(
          f + " double",
          call(
              f, Type.DOUBLE, call(Function.DIVIDE, Type.DOUBLE, fare, number("8", Type.INTEGER))));
    }
    all.put("ROUND 1", call(Function.ROUND, Type.decimal(9, 1), fare, number("1", Type.INTEGER)));
    for (Function f : List.of(Function.SQRT, Function.LN, Function.LOG10)) {
      all.put(f.name(), call(f, Type.DOUBLE, fare));
    }
    all.put("EXP", call(Function.EXP, Type.DOUBLE, driver));
    all.put("POWER", call(Function.POWER, Type.DOUBLE, driver, number("3", Type.INTEGER)));
    Expr zero = new Expr.Literal(0.0, Type.DOUBLE);
    Expr some = new Expr.Cast(fare, Type.DOUBLE);
    for (Function f : List.of(Function.TIMES, Function.DIVIDE)) {
      all.put(f + " of zero", call(f, Type.DOUBLE, zero, some));
    }
    all.put("POWER of zero", call(Function.POWER, Type.DOUBLE, some, zero));
    Expr absent = new Expr.Cast(day, Type.VARCHAR);
    all.put("REPLACE nothing", call(Function.REPLACE, Type.VARCHAR, city, text(""), absent));
    all.put("LEAST", call(Function.LEAST, Type.INTEGER, driver, number("1", Type.INTEGER)));
    all.put("GREATEST", call(Function.GREATEST, Type.INTEGER, driver, number("1", Type.INTEGER)));
    all.put("CONCAT", call(Function.CONCAT, Type.VARCHAR, city, text("\\'x")));
    for (Function f :
        List.of(
            Function.LOWER,
            Function.LOWER_ASCII,
            Function.UPPER_ASCII,
            Function.UPPER,
            Function.TRIM,
            Function.LTRIM,
            Function.RTRIM,
            Function.REVERSE)) {
      all.put(f.name(), call(f, Type.VARCHAR, city));
    }
    for (String from : List.of("2", "-1", "0", "500")) {
      Expr start = number(from, Type.BIGINT);
      all.put("SUBSTRING from " + from, call(Function.SUBSTRING, Type.VARCHAR, city, start));
      for (String length : List.of("0", "3", "-2")) {
        all.put(
            "SUBSTRING from " + from + " for " + length,
            call(Function.SUBSTRING, Type.VARCHAR, city, start, number(length, Type.INTEGER)));
      }
    }
    all.put("CHAR_LENGTH", call(Function.CHAR_LENGTH, Type.BIGINT, city));
    all.put("BYTE_LENGTH", call(Function.BYTE_LENGTH, Type.BIGINT, city));
    all.put("POSITION", call(Function.POSITION, Type.INTEGER, text("lo"), city));
    all.put("REPLACE", call(Function.REPLACE, Type.VARCHAR, city, text("l"), text("LL")));
    all.put("LEFT", call(Function.LEFT, Type.VARCHAR, city, number("2", Type.INTEGER)));
    all.put("RIGHT", call(Function.RIGHT, Type.VARCHAR, city, number("2", Type.INTEGER)));
    all.put("LIKE", is(Function.LIKE, city, text("%s%")));
    all.put("LIKE backslash", is(Function.LIKE, city, text("%\\%")));
    all.put("LIKE escape", is(Function.LIKE, city, text("%!%_"), text("!")));
    all.put("ILIKE", is(Function.ILIKE, city, text("s_")));
    all.put("STARTS_WITH", is(Function.STARTS_WITH, city, text("S")));
    all.put("HASH", call(Function.HASH, Type.BIGINT, city));
    Expr real = call(Function.DIVIDE, Type.DOUBLE, fare, driver);
    Expr tiny =
        new Expr.Case(
            List.of(
                new Expr.Case.Branch(
                    is(Function.GT, driver, number("0", Type.INTEGER)),
                    new Expr.Literal(1e-200, Type.DOUBLE))),
            Optional.of(new Expr.Literal(-1e-200, Type.DOUBLE)),
            Type.DOUBLE);
    all.put("hash of small numbers", PortableHash.of(List.of(tiny)));
    all.put("hash of large numbers", PortableHash.of(List.of(new Expr.Cast(id, Type.DOUBLE))));
    for (Expr value : List.of(id, driver, fare, real, city, day, at)) {
      all.put("hash of " + value.type(), PortableHash.of(List.of(value)));
    }
    all.put("hash of all", PortableHash.of(List.of(id, driver, fare, real, city, day, at)));
    all.put(
        "hash of a truth",
        PortableHash.of(List.of(is(Function.GT, driver, number("1", Type.INTEGER)))));
    for (String unit :
        List.of("YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "DOW", "DOY", "EPOCH", "ISOYEAR")) {
      all.put("EXTRACT " + unit, call(Function.EXTRACT, Type.BIGINT, text(unit), day));
      all.put("EXTRACT " + unit + " at", call(Function.EXTRACT, Type.BIGINT, text(unit), at));
    }
    for (String unit : List.of("HOUR", "MINUTE", "SECOND")) {
      all.put("EXTRACT " + unit, call(Function.EXTRACT, Type.BIGINT, text(unit), at));
    }
    for (String unit : List.of("YEAR", "QUARTER", "MONTH", "WEEK", "DAY")) {
      all.put("DATE_TRUNC " + unit, call(Function.DATE_TRUNC, Type.DATE, text(unit), day));
      all.put("DATE_TRUNC at " + unit, call(Function.DATE_TRUNC, Type.TIMESTAMP, text(unit), at));
      Expr fixed = new Expr.Literal(LocalDate.of(2020, 1, 6), Type.DATE);
      all.put("DATE_DIFF " + unit, call(Function.DATE_DIFF, Type.BIGINT, text(unit), day, fixed));
      Expr moment = new Expr.Cast(fixed, Type.TIMESTAMP);
      all.put(
          "DATE_DIFF at " + unit, call(Function.DATE_DIFF, Type.BIGINT, text(unit), at, moment));
    }
    all.put(
        "DATE_DIFF HOUR",
        call(
            Function.DATE_DIFF,
            Type.BIGINT,
            text("HOUR"),
            at,
            new Expr.Literal(LocalDateTime.of(2020, 1, 1, 0, 30), Type.TIMESTAMP)));
    Expr year = new Expr.Literal(12L, Type.INTERVAL_MONTHS);
    Expr hour = new Expr.Literal(3_600_000_000L, Type.INTERVAL_MICROS);
    all.put("DATE_ADD months", call(Function.DATE_ADD, Type.DATE, day, year));
    all.put("DATE_ADD hours", call(Function.DATE_ADD, Type.TIMESTAMP, at, hour));
    for (Type to :
        List.of(Type.SMALLINT, Type.INTEGER, Type.BIGINT, Type.decimal(9, 2), Type.DATE)) {
      all.put("CAST text to " + to, new Expr.Cast(city, to));
      if (to.isNumeric()) {
        all.put("CAST decimal to " + to, new Expr.Cast(fare, to));
        all.put("CAST double to " + to, new Expr.Cast(distance, to));
        all.put("CAST bigint to " + to, new Expr.Cast(id, to));
      }
    }
    all.put("CAST timestamp to date", new Expr.Cast(at, Type.DATE));
    all.put("CAST date to timestamp", new Expr.Cast(day, Type.TIMESTAMP));
    all.put(
        "IN_LIST",
        is(Function.IN_LIST, driver, number("1", Type.INTEGER), number("2", Type.INTEGER)));
    all.put("IS_DISTINCT", is(Function.IS_DISTINCT, driver, number("1", Type.INTEGER)));
    return all;
  }

  public static List<String> values(
      Connection connection, TargetDialect dialect, Relation.Scan trips, Expr expr)
      throws Exception {
    return values(connection, dialect, trips, Map.of("", expr)).get("");
  }

  /** The values of several expressions at once, by their names. */
  public static Map<String, List<String>> values(
      Connection connection,
      TargetDialect dialect,
      Relation.Scan trips,
      Map<String, Expr> expressions)
      throws Exception {
    Column id = trips.columns().get(0);
    List<Relation.Project.Output> outputs = new ArrayList<>();
    outputs.add(new Relation.Project.Output(id, id.ref()));
    for (Expr expr : expressions.values()) {
      Column value = new Column(1000 + outputs.size(), "x", expr.type(), true);
      outputs.add(new Relation.Project.Output(value, expr));
    }
    Relation computed = new Relation.Project(trips, outputs);
    String sql =
        new SqlRenderer(dialect, NameCatalog.plain(dialect)).rows(computed) + " ORDER BY 1";
    Map<String, List<String>> all = new LinkedHashMap<>();
    expressions.keySet().forEach(name -> all.put(name, new ArrayList<>()));
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      while (result.next()) {
        int at = 2;
        for (Map.Entry<String, Expr> e : expressions.entrySet()) {
          all.get(e.getKey()).add(same(result, at++, e.getValue().type()));
        }
      }
    }
    return all;
  }

  /** Lengths of time, which not every database has a form for. */
  public static Map<String, Expr> intervals(Relation.Scan trips) {
    Expr id = ref(trips, "id");
    Expr day = ref(trips, "day");
    Expr midnight = new Expr.Cast(day, Type.TIMESTAMP);
    Expr length = call(Function.MINUS, Type.INTERVAL_MICROS, ref(trips, "at"), midnight);
    Expr oneDay = new Expr.Literal(86_400_000_000L, Type.INTERVAL_MICROS);
    Expr oneMonth = new Expr.Literal(1L, Type.INTERVAL_MONTHS);
    Expr days = call(Function.TIMES, Type.INTERVAL_MICROS, oneDay, ref(trips, "driver"));
    Expr least =
        call(
            Function.MINUS,
            Type.BIGINT,
            call(Function.NEGATE, Type.BIGINT, id),
            number("1", Type.BIGINT));
    Expr months = call(Function.TIMES, Type.INTERVAL_MONTHS, oneMonth, least);
    Expr twice = call(Function.PLUS, Type.INTERVAL_MICROS, length, length);
    Map<String, Expr> all = new LinkedHashMap<>();
    all.put("difference", call(Function.EXTRACT, Type.BIGINT, text("EPOCH"), length));
    all.put("sum", call(Function.EXTRACT, Type.BIGINT, text("EPOCH"), twice));
    all.put(
        "days back",
        call(Function.DATE_ADD, Type.DATE, day, call(Function.NEGATE, Type.INTERVAL_MICROS, days)));
    all.put("least number of months", call(Function.DATE_ADD, Type.DATE, day, months));
    return all;
  }

  /** Values as text that does not depend on how a driver prints them. */
  private static String same(ResultSet result, int at, Type type) throws Exception {
    if (result.getObject(at) == null) {
      return "null";
    }
    return switch (type.kind()) {
      case DOUBLE -> {
        double d = result.getDouble(at);
        yield Double.isFinite(d)
            ? new BigDecimal(d)
                .round(new java.math.MathContext(12, RoundingMode.HALF_EVEN))
                .stripTrailingZeros()
                .toString()
            : "null";
      }
      case SMALLINT, INTEGER, BIGINT, DECIMAL ->
          result.getBigDecimal(at).stripTrailingZeros().toPlainString();
      case TIMESTAMP -> result.getObject(at, LocalDateTime.class).toString();
      case BOOLEAN -> String.valueOf(result.getBoolean(at));
      case DATE -> result.getObject(at, LocalDate.class).toString();
      default -> result.getString(at);
    };
  }
}
