package flexdp.gateway.mariadb;

import flexdp.algebra.AggregateCall;
import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.algebra.WindowCall;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.gateway.render.Clamped;
import flexdp.gateway.render.RenderedExpression;
import flexdp.gateway.render.SqlConstants;
import flexdp.gateway.render.StatementLimits;
import flexdp.gateway.render.TargetDialect;
import flexdp.policy.Range;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * MariaDB. Text is compared character by character, trailing spaces included, whatever collation a
 * column has: every text is of the collation {@link #EXACT}. Conversions give NULL where they have
 * no value; exact arithmetic runs in integers or decimals too wide to overflow. Every floating
 * number has 0 added, because GROUP BY takes 0 and -0 for two values and {@code =} for one.
 *
 * <p>A subquery in FROM cannot read outer columns here, so a value cannot be computed once and used
 * twice: its text is repeated, and what would grow too long is rejected.
 */
public final class MariaDb extends TargetDialect {
  /** Compares code points, and pads nothing. */
  public static final String EXACT = "utf8mb4_nopad_bin";

  /** The most tables that one query of MariaDB may join. */
  private static final StatementLimits LIMITS =
      new StatementLimits(300, 60, 60, 60, 5_000, 60, StatementLimits.MOST_BYTES);

  private static final int LONGEST_REPEATED = 20_000;

  /** Digits that 64 bits with a sign always hold. */
  private static final int MACHINE_DIGITS = 18;

  /** Four bytes for each character are what a session compares, see max_sort_length there. */
  public static final int LONGEST_TEXT = 65_535;

  /** How many texts at once fit into the memory that a session has for sorting. */
  private static final int MOST_TEXT_KEYS = 16;

  @Override
  public String quote(String name) {
    return '`' + name.replace("`", "``") + '`';
  }

  @Override
  public boolean hasFullJoin(Relation.Join join) {
    return false;
  }

  @Override
  public boolean hasGroupingSets() {
    return false;
  }

  @Override
  public boolean readsOuterColumnsInFrom() {
    return false;
  }

  @Override
  public int mostTextKeys() {
    return MOST_TEXT_KEYS;
  }

  @Override
  public StatementLimits limits() {
    return LIMITS;
  }

  /** The names that CAST knows; they are wider than the types where it has no name for them. */
  @Override
  public String typeName(Type type) {
    return switch (type.kind()) {
      case BOOLEAN, SMALLINT, INTEGER, BIGINT, INTERVAL_MONTHS, INTERVAL_MICROS, NULL -> "SIGNED";
      case DOUBLE, DATE, UUID -> type.kind().name();
      case DECIMAL -> "DECIMAL(" + type.precision() + ", " + type.scale() + ")";
      case VARCHAR, OPAQUE -> "CHAR CHARACTER SET utf8mb4";
      case TIME -> "TIME(6)";
      case TIMESTAMP -> "DATETIME(6)";
    };
  }

  @Override
  public String literal(Expr.Literal literal) {
    Type type = literal.type();
    if (literal.isNull()) {
      return type.kind() == Type.Kind.NULL ? "NULL" : nothing(type);
    }
    Object value = literal.value();
    return switch (type.kind()) {
      case BOOLEAN -> ((Boolean) value) ? "TRUE" : "FALSE";
      case SMALLINT, INTEGER, BIGINT, DECIMAL -> exact((BigDecimal) value);
      case DOUBLE -> real((Double) value);
      case VARCHAR, OPAQUE, NULL -> text(value.toString());
      case DATE -> "DATE '" + SqlConstants.date(known((LocalDate) value)) + "'";
      case TIME -> "TIME '" + SqlConstants.time((LocalTime) value) + "'";
      case TIMESTAMP -> {
        known(((LocalDateTime) value).toLocalDate());
        yield "TIMESTAMP '" + SqlConstants.timestamp((LocalDateTime) value) + "'";
      }
      case INTERVAL_MONTHS, INTERVAL_MICROS -> signed(value.toString());
      case UUID -> "CAST('" + value + "' AS UUID)";
    };
  }

  /** NULL of a type. */
  String nothing(Type type) {
    String sql = "CAST(NULL AS " + typeName(type) + ")";
    return type.kind() == Type.Kind.VARCHAR || type.kind() == Type.Kind.OPAQUE ? exact(sql) : sql;
  }

  /** Computed text, cut to what the database compares: two texts that it holds equal are equal. */
  static String cut(String sql) {
    return "LEFT(" + sql + ", " + LONGEST_TEXT + ")";
  }

  /** Text that compares exactly. */
  static String exact(String sql) {
    return "(" + sql + " COLLATE " + EXACT + ")";
  }

  /** From 2^63 on the database would take a constant for one without a sign, and compute so. */
  private static String exact(BigDecimal value) {
    String digits = value.toPlainString();
    return value.scale() <= 0 && value.precision() - value.scale() > MACHINE_DIGITS
        ? "CAST(" + digits + " AS DECIMAL(" + (value.precision() - value.scale()) + ", 0))"
        : signed(digits);
  }

  private static String signed(String digits) {
    return digits.startsWith("-") ? "(" + digits + ")" : digits;
  }

  private String real(double value) {
    if (!Double.isFinite(value)) {
      return nothing(Type.DOUBLE);
    }
    String digits = Double.toString(value + 0.0);
    return signed(digits.contains("E") ? digits : digits + "e0");
  }

  /** What a backslash means depends on settings, so such text is spelled in hexadecimal. */
  static String text(String value) {
    if (value.length() > LONGEST_TEXT) {
      throw Rejection.of(
          RejectionCode.TOO_COMPLEX,
          "MariaDB compares texts of at most " + LONGEST_TEXT + " characters.",
          "Use a shorter text.");
    }
    boolean plain = value.chars().allMatch(c -> c >= ' ' && c != '\\');
    return exact(
        plain
            ? "_utf8mb4'" + value.replace("'", "''") + "'"
            : "_utf8mb4 X'"
                + HexFormat.of().formatHex(value.getBytes(StandardCharsets.UTF_8))
                + "'");
  }

  private static LocalDate known(LocalDate date) {
    if (date.getYear() < 1 || date.getYear() > 9999) {
      throw Rejection.of(
          RejectionCode.UNSUPPORTED,
          "MariaDB knows dates of the years 1 to 9999 only.",
          "Use a date of these years.");
    }
    return date;
  }

  /** Text that uses a value several times. */
  static String once(String sql, UnaryOperator<String> body) {
    if (sql.length() > LONGEST_REPEATED) {
      throw Rejection.of(
          RejectionCode.TOO_COMPLEX,
          "An expression is nested too deeply for MariaDB.",
          "Simplify the expression, or compute it in steps.");
    }
    return body.apply(sql);
  }

  @Override
  public String cast(String sql, Type from, Type to) {
    return new MariaDbCasts(this).cast(sql, from, to);
  }

  @Override
  public String call(Function function, List<RenderedExpression> arguments, Type type) {
    return new MariaDbFunctions(this).call(function, arguments, type);
  }

  @Override
  public String compare(String operator, RenderedExpression left, RenderedExpression right) {
    return "(" + left.sql() + " " + operator + " " + right.sql() + ")";
  }

  @Override
  public String distinctness(boolean distinct, RenderedExpression left, RenderedExpression right) {
    String same = "(" + left.sql() + " <=> " + right.sql() + ")";
    return distinct ? "(NOT " + same + ")" : same;
  }

  @Override
  public String aggregate(
      AggregateCall call,
      Optional<RenderedExpression> argument,
      Optional<String> filter,
      String over) {
    return MariaDbAggregates.sql(this, call, argument, filter, over);
  }

  @Override
  public String window(
      WindowCall call, List<RenderedExpression> arguments, Optional<String> filter, String over) {
    return call.aggregate().isPresent()
        ? super.window(call, arguments, filter, over)
        : MariaDbAggregates.ranking(call, arguments, over);
  }

  @Override
  public String count(Optional<String> argument, boolean distinct, Optional<String> filter) {
    String inner =
        filter.isEmpty() ? argument.orElse("*") : chosen(argument.orElse("1"), filter.get());
    return "COUNT(" + (distinct ? "DISTINCT " : "") + inner + ")";
  }

  /** There is no FILTER; aggregates pass over NULL. */
  static String chosen(String value, String filter) {
    return "CASE WHEN " + filter + " THEN " + value + " END";
  }

  @Override
  public Clamped clamped(RenderedExpression value, Range range, BigDecimal grid) {
    return MariaDbClamp.of(value, range, grid);
  }

  @Override
  public String sum(Clamped clamped, Optional<String> filter) {
    return "SUM(" + filter.map(f -> chosen(clamped.sql(), f)).orElse(clamped.sql()) + ")";
  }

  @Override
  public String values(List<String> names, List<List<String>> rows) {
    return rows.stream()
        .map(
            row -> {
              StringBuilder select = new StringBuilder("SELECT ");
              for (int i = 0; i < names.size(); i++) {
                select.append(i > 0 ? ", " : "").append(row.get(i));
                select.append(" AS ").append(names.get(i));
              }
              return select.toString();
            })
        .collect(Collectors.joining(" UNION ALL "));
  }

  /** NULL comes first in ascending order and last in descending order, unless told otherwise. */
  @Override
  public String sortKey(String sql, boolean descending, boolean nullsFirst) {
    String key = sql + (descending ? " DESC" : " ASC");
    if (nullsFirst == !descending) {
      return key;
    }
    return "(" + sql + " IS NULL) " + (nullsFirst ? "DESC, " : "ASC, ") + key;
  }

  /** There is no OFFSET without LIMIT. */
  @Override
  public String limit(long offset, Optional<Long> count) {
    return offset > 0
        ? " LIMIT " + count.orElse(Long.MAX_VALUE) + " OFFSET " + offset
        : super.limit(offset, count);
  }

  @Override
  public String whole(String sql, BigInteger times, int bits) {
    return "CAST(" + times(sql, times) + " AS DECIMAL(65, 0))";
  }

  @Override
  protected String truncated(String real) {
    return "CAST(TRUNCATE(" + real + ", 0) AS SIGNED)";
  }
}
