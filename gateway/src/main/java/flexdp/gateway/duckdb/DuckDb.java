package flexdp.gateway.duckdb;

import flexdp.algebra.AggregateCall;
import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
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
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** DuckDB: TRY and TRY_CAST make expressions total, HUGEINT and DECIMAL(38) hold sums. */
public final class DuckDb extends TargetDialect {
  private static final StatementLimits LIMITS =
      new StatementLimits(150, 150, 12, 60, 5_000, 100, StatementLimits.MOST_BYTES);

  /** The most digits behind the point that leave enough before it in 18. */
  private static final int MOST_NARROW = 8;

  private static final int MAX_PRECISION = 38;

  private static final Set<Type.Kind> CALENDAR = Set.of(Type.Kind.DATE, Type.Kind.TIMESTAMP);
  private static final Set<Function> RING =
      Set.of(Function.PLUS, Function.MINUS, Function.TIMES, Function.NEGATE);

  /**
   * Floats are not compared with constants as they are: DuckDB looks at each of two conditions on a
   * stored one in full. One on a column costs nothing where it knows its least and greatest value.
   */
  private static final NonCanonicalValues FORMLESS =
      new NonCanonicalValues(
          RING,
          RING,
          CALENDAR,
          CALENDAR,
          Set.of(Type.Kind.DOUBLE, Type.Kind.DATE, Type.Kind.TIMESTAMP),
          DuckDbCanonicalForm::condition,
          DuckDbCanonicalForm::edge,
          true,
          NonCanonicalValues::isShiftedFloat);

  @Override
  public String qualified(String name) {
    return super.qualified(name.contains(".") ? name : "main." + name);
  }

  @Override
  public String typeName(Type type) {
    return switch (type.kind()) {
      case BOOLEAN, SMALLINT, INTEGER, BIGINT, DOUBLE, VARCHAR, DATE, TIME, TIMESTAMP, UUID ->
          type.kind().name();
      case DECIMAL -> "DECIMAL(" + type.precision() + ", " + type.scale() + ")";
      case INTERVAL_MONTHS, INTERVAL_MICROS -> "INTERVAL";
      case OPAQUE -> "VARCHAR";
      case NULL -> "INTEGER";
    };
  }

  @Override
  public String literal(Expr.Literal literal) {
    Type type = literal.type();
    if (literal.isNull()) {
      return type.kind() == Type.Kind.NULL ? "NULL" : "CAST(NULL AS " + typeName(type) + ")";
    }
    Object value = literal.value();
    return switch (type.kind()) {
      case BOOLEAN -> ((Boolean) value) ? "TRUE" : "FALSE";
      case SMALLINT, INTEGER, BIGINT, DECIMAL -> exact((BigDecimal) value, type);
      case DOUBLE -> "CAST('" + ((Double) value + 0.0) + "' AS DOUBLE)";
      case VARCHAR, OPAQUE, NULL -> SqlConstants.quoted(value.toString(), "chr(0)");
      case DATE -> "DATE '" + SqlConstants.date((java.time.LocalDate) value) + "'";
      case TIME -> "TIME '" + SqlConstants.time((java.time.LocalTime) value) + "'";
      case TIMESTAMP ->
          "TIMESTAMP '" + SqlConstants.timestamp((java.time.LocalDateTime) value) + "'";
      case INTERVAL_MONTHS -> "to_months(" + value + ")";
      case INTERVAL_MICROS -> "to_microseconds(" + value + ")";
      case UUID -> "CAST('" + value + "' AS UUID)";
    };
  }

  private String exact(BigDecimal value, Type type) {
    String digits = value.toPlainString();
    // Not the least integer: DuckDB reads its digits before its sign and finds them too large.
    boolean plain =
        type.kind() == Type.Kind.INTEGER
            && value.stripTrailingZeros().scale() <= 0
            && value.abs().compareTo(BigDecimal.valueOf(Integer.MAX_VALUE)) <= 0;
    if (plain) {
      return digits;
    }
    // A constant of more than 38 digits, the 0 before the point among them, is read as a double.
    String written = digits.length() > MAX_PRECISION ? "'" + digits + "'" : digits;
    return "CAST(" + written + " AS " + typeName(type) + ")";
  }

  @Override
  public String cast(String sql, Type from, Type to) {
    if (from.equals(to) || from.kind() == Type.Kind.VARCHAR && to.kind() == Type.Kind.OPAQUE) {
      return sql;
    }
    if (from.kind() == Type.Kind.TIMESTAMP && to.kind() == Type.Kind.TIME) {
      // TRY_CAST raises on an infinite timestamp.
      return "TRY(CAST(" + sql + " AS TIME))";
    }
    boolean signed = from.kind() == Type.Kind.DOUBLE && typeName(to).equals("VARCHAR");
    String value = signed ? DuckDbCanonicalForm.unsignedZero(sql) : sql;
    String converted = "TRY_CAST(" + value + " AS " + typeName(to) + ")";
    return from.kind() == Type.Kind.VARCHAR || from.kind() == Type.Kind.OPAQUE
        ? canonicalize(converted, to)
        : converted;
  }

  @Override
  public String canonicalize(String sql, Type type) {
    return DuckDbCanonicalForm.of(sql, type);
  }

  /** A value of one of DuckDB's calendar types, converted where it lies in the years 1 to 9999. */
  public String within(String sql, String typeName, String converted) {
    return "CASE WHEN "
        + sql
        + DuckDbCanonicalForm.calendar(typeName)
        + " THEN "
        + converted
        + " END";
  }

  @Override
  public NonCanonicalValues nonCanonical() {
    return FORMLESS;
  }

  @Override
  public String call(Function function, List<RenderedExpression> arguments, Type type) {
    return new DuckDbFunctions(this).call(function, arguments, type);
  }

  /**
   * Columns are unequal when one is less or greater: given {@code <>} in a correlated EXISTS beside
   * another comparison, DuckDB 1.5 loses rows or makes them up as soon as NULL takes part.
   */
  @Override
  public String compare(String operator, RenderedExpression left, RenderedExpression right) {
    if (operator.equals("<>")
        && !(left.expr() instanceof Expr.Literal)
        && !(right.expr() instanceof Expr.Literal)
        && left.type().kind() != Type.Kind.OPAQUE) {
      return "(" + compare("<", left, right) + " OR " + compare(">", left, right) + ")";
    }
    return total(operator, left, right);
  }

  @Override
  public String distinctness(boolean distinct, RenderedExpression left, RenderedExpression right) {
    return total(distinct ? "IS DISTINCT FROM" : "IS NOT DISTINCT FROM", left, right);
  }

  /**
   * A comparison raises only when no DECIMAL holds both sides, text meets another type, or a
   * timestamp meets a day that is beyond all timestamps; of these only text needs a TRY.
   */
  private String total(String operator, RenderedExpression left, RenderedExpression right) {
    Type one = left.type();
    Type two = right.type();
    String comparison =
        "(" + aligned(left, right) + " " + operator + " " + aligned(right, left) + ")";
    boolean safe =
        one.kind() == two.kind()
            || one.kind() == Type.Kind.NULL
            || two.kind() == Type.Kind.NULL
            || one.isDateTime() && two.isDateTime()
            || one.isInterval() && two.isInterval()
            || one.isNumeric() && two.isNumeric();
    return safe ? comparison : "TRY(" + comparison + ")";
  }

  /** A value in the type in which it meets another, where not every value has that type. */
  String aligned(RenderedExpression value, RenderedExpression other) {
    Type one = value.type();
    Type two = other.type();
    if (one.isExact() && two.isExact() && !TargetDialect.oneDecimal(one, two)) {
      Type both = Type.decimal(MAX_PRECISION, Math.max(one.scale(), two.scale()));
      return cast(value.sql(), one, both);
    }
    return one.isDateTime() && two.isDateTime() && !(value.expr() instanceof Expr.Literal)
        ? cast(value.sql(), one, one.equals(two) ? one : Type.TIMESTAMP)
        : value.sql();
  }

  @Override
  public String aggregate(
      AggregateCall call,
      Optional<RenderedExpression> argument,
      Optional<String> filter,
      String over) {
    return DuckDbAggregates.sql(this, call, argument, filter, over);
  }

  @Override
  public boolean hasDistinctInWindows() {
    return true;
  }

  @Override
  public String ranked(String sql, Type type) {
    return "TRY_CAST(" + sql + " AS " + typeName(type) + ")";
  }

  @Override
  public Clamped clamped(RenderedExpression value, Range range, BigDecimal grid) {
    return DuckDbClamp.of(value, range, grid);
  }

  /**
   * Whole numbers of 64 bits are a multiple faster than those of 128, and a decimal of 128 bits
   * takes longer to be made whole than to be summed. So what fits is made narrow first, which
   * changes no digit.
   */
  @Override
  public String whole(String sql, BigInteger times, int bits) {
    BigInteger most = BigInteger.ONE.shiftLeft(bits);
    String wide = "CAST(" + within(times(sql, times), most) + " AS BIGINT)";
    int digits = new BigDecimal(times).precision() - 1;
    if (digits == 0 || digits > MOST_NARROW || !times.equals(BigInteger.TEN.pow(digits))) {
      return wide;
    }
    String narrow = "TRY_CAST(" + sql + " AS DECIMAL(" + (17 - digits) + ", " + digits + "))";
    String few = "CAST(" + times(narrow, times) + " AS BIGINT)";
    return within("COALESCE(" + few + ", " + wide + ")", most);
  }

  @Override
  public String wide(String count) {
    return "CAST(" + count + " AS HUGEINT)";
  }

  private static String within(String sql, BigInteger most) {
    return "LEAST(GREATEST(" + sql + ", " + most.negate() + "), " + most + ")";
  }

  /** Sums of 64 bits are of 128; sizes are wanted in 64. */
  @Override
  public String total(String sql, String over) {
    String sum = super.total(sql, over);
    return over.isEmpty() ? sum : "CAST(LEAST(" + sum + ", " + (1L << 62) + ") AS BIGINT)";
  }

  @Override
  protected String truncated(String real) {
    return "CAST(TRUNC(" + real + ") AS BIGINT)";
  }

  @Override
  public String squares(String number, String over) {
    String sum = "SUM(" + number + " * " + number + ")" + over;
    return "CAST(LEAST(" + sum + ", " + MOST_SQUARES + ") AS BIGINT)";
  }

  @Override
  public String share(String x, String size, BigInteger times, BigInteger most) {
    long small = 1L << (62 - times.bitLength());
    return Sql.of(
        "CASE WHEN {size} = 0 THEN 0 WHEN {x} BETWEEN {least} AND {most} THEN ({x} * {times}) //"
            + " {size} ELSE CAST((CAST({x} AS HUGEINT) * {times}) // {size} AS BIGINT) END",
        size,
        x,
        -small,
        small,
        times);
  }

  @Override
  public StatementLimits limits() {
    return LIMITS;
  }

  /** DuckDB cannot look up rows of a FULL JOIN whose tables are cut, so it is put together. */
  @Override
  public boolean hasFullJoin(Relation.Join join) {
    boolean[] cut = {false};
    AlgebraWalker.visit(join, r -> cut[0] |= r instanceof Relation.TopRows);
    return !cut[0];
  }
}
