package flexdp.gateway.sqlite;

import flexdp.algebra.AggregateCall;
import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.gateway.render.Clamped;
import flexdp.gateway.render.NonCanonicalValues;
import flexdp.gateway.render.RenderedExpression;
import flexdp.gateway.render.Sql;
import flexdp.gateway.render.SqlConstants;
import flexdp.gateway.render.StatementLimits;
import flexdp.gateway.render.TargetDialect;
import flexdp.policy.Range;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * SQLite has five kinds of values and no decimals, dates or booleans. So a decimal is a whole
 * number of its last digit, a date the number of its day, a timestamp of its microsecond, counted
 * from 1970, and a boolean 0 or 1. Whole numbers that outgrow 64 bits turn into floats by
 * themselves, which is seen from their type and gives NULL.
 */
public final class Sqlite extends TargetDialect {
  private static final StatementLimits LIMITS =
      new StatementLimits(300, 300, 60, 15, 700, 64, 999_000);

  /** Bytes that equal those of a constant are UTF-8; by order, others may come between. */
  private static final NonCanonicalValues FORMLESS =
      new NonCanonicalValues(
          Set.of(),
          Set.of(),
          Set.of(Type.Kind.VARCHAR),
          Set.of(),
          Set.of(),
          NonCanonicalValues.NOWHERE.condition(),
          NonCanonicalValues.NOWHERE.edge(),
          false,
          NonCanonicalValues.NOWHERE.summed());

  static final long MICROS_PER_DAY = 86_400_000_000L;

  /** A float is out of reach of whole numbers from here on. */
  static final String MOST_AS_REAL = "9223372036854774784.0";

  @Override
  public String quote(String name) {
    // Not double quotes: a name in those that no column has would become a text.
    return '`' + name.replace("`", "``") + '`';
  }

  @Override
  public String qualified(String name) {
    return super.qualified(name.contains(".") ? name : "main." + name);
  }

  @Override
  public String typeName(Type type) {
    return switch (type.kind()) {
      case DOUBLE -> "REAL";
      case VARCHAR, OPAQUE, UUID -> "TEXT";
      case BOOLEAN,
          SMALLINT,
          INTEGER,
          BIGINT,
          DECIMAL,
          DATE,
          TIME,
          TIMESTAMP,
          INTERVAL_MONTHS,
          INTERVAL_MICROS,
          NULL ->
          "INTEGER";
    };
  }

  @Override
  public String literal(Expr.Literal literal) {
    if (literal.isNull()) {
      return "NULL";
    }
    Object value = literal.value();
    return switch (literal.type().kind()) {
      case BOOLEAN -> ((Boolean) value) ? "TRUE" : "FALSE";
      case SMALLINT, INTEGER, BIGINT, DECIMAL ->
          whole(
              ((BigDecimal) value)
                  .setScale(literal.type().scale(), RoundingMode.HALF_UP)
                  .unscaledValue());
      case DOUBLE -> real((Double) value);
      case VARCHAR, OPAQUE, NULL -> SqlConstants.quoted(value.toString(), "char(0)");
      case DATE -> whole(BigInteger.valueOf(((LocalDate) value).toEpochDay()));
      case TIME -> whole(BigInteger.valueOf(((LocalTime) value).toNanoOfDay() / 1000));
      case TIMESTAMP -> whole(micros((LocalDateTime) value));
      case INTERVAL_MONTHS, INTERVAL_MICROS -> whole(new BigInteger(value.toString()));
      case UUID -> "'" + value.toString().toLowerCase(Locale.ROOT) + "'";
    };
  }

  private static BigInteger micros(LocalDateTime time) {
    return BigInteger.valueOf(time.toEpochSecond(ZoneOffset.UTC))
        .multiply(BigInteger.valueOf(1_000_000))
        .add(BigInteger.valueOf(time.getNano() / 1000));
  }

  /** A whole number in parentheses, so that no sign meets another. */
  static String whole(BigInteger value) {
    if (value.bitLength() > 63) {
      throw tooLong();
    }
    return value.signum() < 0 ? "(" + value + ")" : value.toString();
  }

  static Rejection tooLong() {
    return Rejection.of(
        RejectionCode.UNSUPPORTED,
        "SQLite has no exact numbers of more than 18 digits.",
        "Use fewer digits, or convert to a double.");
  }

  private static String real(double value) {
    return Double.isFinite(value) ? "CAST('" + (value + 0.0) + "' AS REAL)" : "NULL";
  }

  /** A value that is used several times, computed once; windows stay where they see their rows. */
  static String once(String sql, java.util.function.Function<String, String> body) {
    boolean simple = sql.chars().allMatch(c -> Character.isLetterOrDigit(c) || c == '_');
    return simple || sql.contains(" OVER (")
        ? body.apply(sql)
        : "(SELECT " + body.apply("v") + " FROM (SELECT " + sql + " AS v))";
  }

  /** Whether the bytes of a text are UTF-8, as SQLite itself does not ask. */
  public static String isText(String sql) {
    return "flexdp_utf8(" + sql + ")";
  }

  /**
   * Whether all texts of a column are UTF-8 as the file is now: asked once in a statement. CASE
   * keeps the order; of the two sides of OR, SQLite may look at the dearer one first.
   */
  public static String text(String table, String column, String sql) {
    String all = "(SELECT flexdp_texts(" + constant(table) + ", " + constant(column) + "))";
    return ("CASE typeof(" + sql + ") WHEN 'text' THEN CASE WHEN " + all + " THEN " + sql)
        + (" WHEN " + isText(sql) + " THEN " + sql + " END END");
  }

  private static String constant(String name) {
    return SqlConstants.quoted(name, "char(0)");
  }

  @Override
  public NonCanonicalValues nonCanonical() {
    return FORMLESS;
  }

  @Override
  public String cast(String sql, Type from, Type to) {
    return SqliteCasts.cast(sql, from, to);
  }

  @Override
  public String call(Function function, List<RenderedExpression> arguments, Type type) {
    return new SqliteFunctions(this).call(function, arguments, type);
  }

  @Override
  public String compare(String operator, RenderedExpression left, RenderedExpression right) {
    return "(" + aligned(left, right) + " " + operator + " " + aligned(right, left) + ")";
  }

  @Override
  public String distinctness(boolean distinct, RenderedExpression left, RenderedExpression right) {
    String operator = distinct ? " IS DISTINCT FROM " : " IS NOT DISTINCT FROM ";
    return "(" + aligned(left, right) + operator + aligned(right, left) + ")";
  }

  /** One side of a comparison in units of both. A product too large is a float, and compares so. */
  private static String aligned(RenderedExpression one, RenderedExpression two) {
    Type type = one.type();
    Type other = two.type();
    if (type.isExact() && other.isExact() && type.scale() < other.scale()) {
      return "(" + one.sql() + " * " + SqliteCasts.power(other.scale() - type.scale()) + ")";
    }
    if (type.isExact() && other.kind() == Type.Kind.DOUBLE) {
      return SqliteCasts.cast(one.sql(), type, Type.DOUBLE);
    }
    if (type.kind() == Type.Kind.DATE && other.kind() == Type.Kind.TIMESTAMP) {
      return "(" + one.sql() + " * " + MICROS_PER_DAY + ")";
    }
    return one.sql();
  }

  @Override
  public String aggregate(
      AggregateCall call,
      Optional<RenderedExpression> argument,
      Optional<String> filter,
      String over) {
    return SqliteAggregates.sql(call, argument, filter, over);
  }

  @Override
  public Clamped clamped(RenderedExpression value, Range range, BigDecimal grid) {
    return SqliteClamp.of(value, range, grid);
  }

  /**
   * SUM raises when it leaves 64 bits, so the upper and lower half of the digits are summed apart;
   * two billion rows fit. The text of both is put together when it is read.
   */
  @Override
  public String sum(Clamped clamped, Optional<String> filter) {
    String x = "(" + clamped.sql() + ")";
    String tail = where(filter);
    return "SUM(" + x + " >> 32)" + tail + " || ':' || SUM(" + x + " & 4294967295)" + tail;
  }

  @Override
  public boolean hasGroupingSets() {
    return false;
  }

  @Override
  public StatementLimits limits() {
    return LIMITS;
  }

  @Override
  public String values(List<String> names, List<List<String>> rows) {
    return "SELECT "
        + java.util.stream.IntStream.range(0, names.size())
            .mapToObj(i -> "column" + (i + 1) + " AS " + names.get(i))
            .collect(Collectors.joining(", "))
        + " FROM (VALUES "
        + rows.stream().map(r -> "(" + String.join(", ", r) + ")").collect(Collectors.joining(", "))
        + ")";
  }

  @Override
  public String limit(long offset, Optional<Long> count) {
    return offset > 0
        ? " LIMIT " + count.orElse(-1L) + " OFFSET " + offset
        : super.limit(offset, count);
  }

  /** A compound has no parentheses; copies are numbered where they have to be matched. */
  @Override
  public String setOperation(
      String kind, boolean all, List<String> names, String left, String right) {
    if (!all || kind.equals("UNION")) {
      return left + " " + kind + (all ? " ALL " : " ") + right;
    }
    return Sql.of(
        "SELECT {names} FROM ({left} {kind} {right})",
        String.join(", ", names),
        numbered(names, left),
        kind,
        numbered(names, right));
  }

  private static String numbered(List<String> names, String rows) {
    return Sql.of(
        "SELECT {list}, ROW_NUMBER() OVER (PARTITION BY {list}) AS copy FROM ({rows})",
        String.join(", ", names),
        rows);
  }

  /** A sum comes as two halves; what does not fit is far beyond every level. */
  @Override
  public String whole(String sql, BigInteger times, int bits) {
    String high = "CAST(" + sql + " AS INTEGER)";
    String low = "CAST(substr(" + sql + ", instr(" + sql + ", ':') + 1) AS INTEGER)";
    BigInteger most = BigInteger.ONE.shiftLeft(bits);
    BigInteger halves = most.shiftRight(32);
    String number =
        Sql.of(
            "CASE WHEN typeof({sql}) = 'integer' THEN {sql} WHEN {high} >= {halves} THEN {most} WHEN"
                + " {high} < -{halves} THEN -{most} ELSE {high} * 4294967296 + {low} END",
            sql,
            high,
            halves,
            most,
            low);
    if (times.equals(BigInteger.ONE)) {
      return "(" + number + ")";
    }
    // Both of a difference end at the same number, so that it grows by neither's end.
    BigInteger last = times.signum() == 0 ? most : most.divide(times.abs());
    BigInteger end = times.signum() < 0 ? most.negate() : most;
    return Sql.of(
        "(CASE WHEN ({n}) > {last} THEN {end} WHEN ({n}) < -{last} THEN {other} ELSE ({n}) * {times}"
            + " END)",
        number,
        last,
        end,
        end.negate(),
        times);
  }

  /** Its integers are of 64 bits, whatever they are called. */
  @Override
  public String wide(String count) {
    return count;
  }

  @Override
  public String total(String sql, String over) {
    return over.isEmpty()
        ? "SUM(" + sql + " >> 32) || ':' || SUM(" + sql + " & 4294967295)"
        : super.total(sql, over);
  }

  /** In two parts, since sums are of 64 bits and an error where they are more. */
  @Override
  public String squares(String number, String over) {
    String square = number + " * " + number;
    String high = "SUM((" + square + ") >> 20)" + over;
    String low = "SUM((" + square + ") & 1048575)" + over;
    return Sql.of(
        "CASE WHEN {high} >= 549755813888 THEN {most} ELSE MIN((({high}) << 20) + {low}, {most}) END",
        high,
        MOST_SQUARES,
        low);
  }

  @Override
  protected String inDouble(String number) {
    return "CAST(" + number + " AS REAL)";
  }

  /** A cast drops what is behind the point. */
  @Override
  protected String truncated(String real) {
    return "CAST(" + real + " AS INTEGER)";
  }

  /** In two steps, since x·times may not fit. */
  @Override
  public String share(String x, String size, BigInteger times, BigInteger most) {
    String whole = x + " / " + size + " * " + times;
    String rest = x + " % " + size + " * " + times + " / " + size;
    BigInteger bound = most.multiply(times);
    return Sql.of(
        "CASE WHEN {size} = 0 THEN 0 ELSE MAX(-{bound}, MIN({bound}, {whole} + {rest})) END",
        size,
        bound,
        whole,
        rest);
  }
}
