package flexdp.gateway.render;

import flexdp.algebra.AggregateCall;
import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.algebra.WindowCall;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.policy.Range;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What one database spells in its own way. Everything here is total: the text it gives never raises
 * on any row, because an error would tell something about that row (guarantee §11). What all
 * databases share is in {@link ExprRenderer}, {@link RelationRenderer} and {@link
 * ReleaseStatement}.
 */
public abstract class TargetDialect {
  /** The name in quotes that keep its case and admit any character. */
  public String quote(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  /** A table's name in full; a policy may write schema.table. */
  public String qualified(String name) {
    return Arrays.stream(name.split("\\.")).map(this::quote).collect(Collectors.joining("."));
  }

  /** The database's name of a type. */
  public abstract String typeName(Type type);

  /** A constant that has exactly its declared type. */
  public abstract String literal(Expr.Literal literal);

  /** A conversion that gives NULL where it has no value. */
  public abstract String cast(String sql, Type from, Type to);

  /**
   * A value that a function or a stored column gave, in the one form of its type, so that equal
   * values are the same for whatever is computed of them (guarantee §12).
   */
  public String canonicalize(String sql, Type type) {
    return sql;
  }

  /** Where values without a form may stay as they are; nowhere unless that is proven. */
  public NonCanonicalValues nonCanonical() {
    return NonCanonicalValues.NOWHERE;
  }

  /** A function other than comparisons and logic. */
  public abstract String call(Function function, List<RenderedExpression> arguments, Type type);

  /** Equality and order; the operator is one of {@code = <> < <= > >=}. */
  public abstract String compare(
      String operator, RenderedExpression left, RenderedExpression right);

  /** IS NOT DISTINCT FROM, or with {@code distinct} IS DISTINCT FROM. */
  public abstract String distinctness(
      boolean distinct, RenderedExpression left, RenderedExpression right);

  /** IS TRUE or IS FALSE, or with {@code negated} IS NOT. */
  public String truth(String sql, boolean negated, boolean value) {
    return "(" + sql + (negated ? " IS NOT " : " IS ") + (value ? "TRUE" : "FALSE") + ")";
  }

  /**
   * An aggregate whose value does not depend on the order of rows and cannot overflow.
   *
   * @param filter a condition on rows, in SQL
   */
  public final String aggregate(
      AggregateCall call, Optional<RenderedExpression> argument, Optional<String> filter) {
    return aggregate(call, argument, filter, "");
  }

  /** A statistic that is not computed of distinct values. */
  public static void requireAll(AggregateCall call) {
    if (call.distinct()) {
      throw Rejection.of(
          RejectionCode.UNSUPPORTED,
          call.kind() + "(DISTINCT ...) below another aggregate is not supported.",
          "Take the distinct values in a subquery first.",
          call.at());
    }
  }

  /** An aggregate, as a window function when {@code over}, OVER and what it says, is not empty. */
  public abstract String aggregate(
      AggregateCall call,
      Optional<RenderedExpression> argument,
      Optional<String> filter,
      String over);

  /** A window function; {@code over} is the text inside OVER (...). */
  public String window(
      WindowCall call, List<RenderedExpression> arguments, Optional<String> filter, String over) {
    String tail = " OVER (" + over + ")";
    if (call.aggregate().isPresent()) {
      if (call.aggregate().get().distinct() && !hasDistinctInWindows()) {
        throw Rejection.of(
            RejectionCode.WINDOW_UNSUPPORTED,
            "This database has no DISTINCT in window functions.",
            "Take the distinct values in a subquery first.",
            call.at());
      }
      return aggregate(call.aggregate().get(), arguments.stream().findFirst(), filter, tail);
    }
    // NULL alone is of no type, and LEAD of it would be of none; what is of none is read as
    // INTEGER.
    String list =
        arguments.stream()
            .map(a -> a.type().kind() == Type.Kind.NULL ? nothing() : a.sql())
            .collect(Collectors.joining(", "));
    String ranking = call.rank().orElseThrow() + "(" + list + ")" + tail;
    return ranked(ranking, call.output().type());
  }

  private String nothing() {
    return literal(new Expr.Literal(null, Type.INTEGER));
  }

  /** ROW_NUMBER and its like in the type that was decided for it. */
  public String ranked(String sql, Type type) {
    return sql;
  }

  /** COUNT(*), or of non-NULL or distinct values, over rows where the filter is true. */
  public String count(Optional<String> argument, boolean distinct, Optional<String> filter) {
    String inner = argument.map(a -> (distinct ? "DISTINCT " : "") + a).orElse("*");
    return "COUNT(" + inner + ")" + where(filter);
  }

  /** The rows that an aggregate reads, as the standard says it. */
  public static String where(Optional<String> filter) {
    return filter.map(f -> " FILTER (WHERE " + f + ")").orElse("");
  }

  /**
   * Whether a column of a derived table is computed anew wherever it is read, unless the table ends
   * with a {@link #fence}.
   */
  public boolean repeatsColumns() {
    return false;
  }

  /**
   * Ends a derived table whose columns must be computed once, however often they are used.
   *
   * @param repeated whether some of them are read several times
   */
  public String fence(Collection<String> computed, boolean repeated) {
    return "";
  }

  /**
   * An exact value without the checks that {@link #clamped} makes by the way, where that spares
   * work: NULL or NaN where a column that it reads is, and a number otherwise.
   *
   * @param sql how parts of it are written
   */
  public Optional<RenderedExpression> computed(
      Expr expr, java.util.function.Function<Expr, String> sql) {
    return Optional.empty();
  }

  /**
   * The value clamped to the range and rounded to the grid; NULL for NULL, NaN and infinities.
   * Range and grid are public. The operand is simple, so its text may be repeated.
   */
  public abstract Clamped clamped(RenderedExpression value, Range range, BigDecimal grid);

  /**
   * A clamped value with a number on the grid where {@link #clamped} gives NULL, where that spares
   * the database to count what is not NULL.
   */
  public Optional<Clamped> filled(
      RenderedExpression value, Range range, BigDecimal grid, BigDecimal otherwise) {
    return Optional.empty();
  }

  /** The exact sum of clamped values, or NULL without rows; it cannot overflow. */
  public String sum(Clamped clamped, Optional<String> filter) {
    return "SUM(" + clamped.sql() + ")" + where(filter);
  }

  /**
   * An exact count or sum times a whole number that makes it whole, in a type for wide whole
   * numbers; for what people contribute.
   *
   * @param bits a database without wide numbers may keep it below 2^bits, at most 62
   */
  public String whole(String sql, BigInteger times, int bits) {
    return "CAST(" + times(sql, times) + " AS DECIMAL(38, 0))";
  }

  /** A number of rows in a type in which it can be multiplied by any end of a range. */
  public String wide(String count) {
    return "CAST(" + count + " AS DECIMAL(38, 0))";
  }

  protected static String times(String sql, BigInteger times) {
    return times.equals(BigInteger.ONE) ? sql : sql + " * " + times;
  }

  /** The exact sum of such numbers; also over windows, where they are sizes. */
  public String total(String sql, String over) {
    return "SUM(" + sql + ")" + over;
  }

  /**
   * x·times/size, truncated toward zero; 0 where the size is 0.
   *
   * @param most |x|/size is not above this
   */
  public String share(String x, String size, BigInteger times, BigInteger most) {
    return Sql.of(
        "(({scaled} - MOD({scaled}, {divisor})) / {divisor})",
        "(" + x + " * " + times + ")",
        Sql.of("(CASE WHEN {size} = 0 THEN 1 ELSE {size} END)", size));
  }

  /** So large a sum of squares is the size of nobody: who has it counts for nothing. */
  protected static final long MOST_SQUARES = 1L << 60;

  /** The exact sum of squares of such numbers up to 2^25 over a window; 2^60 if it is more. */
  public String squares(String number, String over) {
    return "LEAST(" + total(number + " * " + number, over) + ", " + MOST_SQUARES + ")";
  }

  /**
   * x·factor/√squares, truncated toward zero; 0 where the squares are 0 or too many.
   *
   * <p>In doubles: x, the squares, their root, the product and the quotient are each off by a part
   * of 2⁻⁵² at most, and the factor holds 1 − 2⁻⁴⁰. So it is no larger than the exact one. Never a
   * conversion, which rounds, nor FLOOR, by which what is below 0 would be larger.
   */
  public final String rootShare(String x, String squares, double factor) {
    String number = new BigDecimal(factor).round(new MathContext(17)).toString();
    BigDecimal digits = new BigDecimal(number);
    String written = digits.unscaledValue() + "E" + -digits.scale();
    return Sql.of(
        "CASE WHEN {squares} > 0 AND {squares} < {most} THEN {share} ELSE 0 END",
        squares,
        MOST_SQUARES,
        truncated(inDouble(x) + " * " + inDouble(written) + " / SQRT(" + inDouble(squares) + ")"));
  }

  /** A number as a double. */
  protected String inDouble(String number) {
    return "CAST(" + number + " AS DOUBLE)";
  }

  /** A double as a whole number, truncated toward zero, in a type whose {@link #total} is exact. */
  protected abstract String truncated(String real);

  /**
   * Whether it has FULL JOIN on such a condition; without, it is put together from a LEFT JOIN and
   * what is left.
   */
  public boolean hasFullJoin(Relation.Join join) {
    return true;
  }

  /** Whether aggregates over windows may count each value once. */
  public boolean hasDistinctInWindows() {
    return false;
  }

  /** Whether it has GROUPING SETS; without, there is one SELECT for each set. */
  public boolean hasGroupingSets() {
    return true;
  }

  /** Whether a subquery in FROM may read the columns of the queries around it. */
  public boolean readsOuterColumnsInFrom() {
    return true;
  }

  /** By how many texts rows can be sorted or grouped at once. */
  public int mostTextKeys() {
    return Integer.MAX_VALUE;
  }

  /** What one statement may hold. */
  public StatementLimits limits() {
    return StatementLimits.COMMON;
  }

  /** Constant rows, at least one, with names for their columns. */
  public String values(List<String> names, List<List<String>> rows) {
    return "SELECT * FROM (VALUES "
        + rows.stream().map(r -> "(" + String.join(", ", r) + ")").collect(Collectors.joining(", "))
        + ") AS v("
        + String.join(", ", names)
        + ")";
  }

  /** What ORDER BY sorts by so that text is ordered by code point. */
  public String ordered(String sql, Type type) {
    return sql;
  }

  /** ORDER BY's way to say where NULL stands. */
  public String sortKey(String sql, boolean descending, boolean nullsFirst) {
    return sql + (descending ? " DESC" : " ASC") + (nullsFirst ? " NULLS FIRST" : " NULLS LAST");
  }

  /** LIMIT and OFFSET, with a leading space. */
  public String limit(long offset, Optional<Long> count) {
    return count.map(n -> " LIMIT " + n).orElse("") + (offset > 0 ? " OFFSET " + offset : "");
  }

  /**
   * UNION, INTERSECT or EXCEPT of two SELECTs without ORDER BY.
   *
   * @param names the columns of both
   */
  public String setOperation(
      String kind, boolean all, List<String> names, String left, String right) {
    return "(" + left + ") " + kind + (all ? " ALL" : "") + " (" + right + ")";
  }

  /** Whether one DECIMAL of 38 digits holds every value of both types. */
  public static boolean oneDecimal(Type one, Type two) {
    int scale = Math.max(one.scale(), two.scale());
    return Math.max(one.wholeDigits(), two.wholeDigits()) + scale <= 38;
  }
}
