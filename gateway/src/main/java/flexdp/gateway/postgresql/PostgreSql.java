package flexdp.gateway.postgresql;

import flexdp.algebra.AggregateCall;
import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Column;
import flexdp.algebra.Equalities;
import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.gateway.render.Clamped;
import flexdp.gateway.render.NonCanonicalValues;
import flexdp.gateway.render.RenderedExpression;
import flexdp.gateway.render.Sql;
import flexdp.gateway.render.SqlConstants;
import flexdp.gateway.render.TargetDialect;
import flexdp.policy.Range;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * PostgreSQL has no TRY: what could raise is guarded by CASE, and exact arithmetic is done in
 * NUMERIC, which does not overflow. Functions are named in full so that no search path can put
 * another in their place.
 */
public final class PostgreSql extends TargetDialect {
  /** Text is ordered alike in every database, whatever the locale. */
  static final String BY_CODE_POINT = " COLLATE pg_catalog.\"C\"";

  /**
   * Keeps PostgreSQL from putting columns of a subquery back into every place that reads them. Of
   * this very type, it is seen to leave no row out before the constants are computed; otherwise no
   * worker would run what is below.
   */
  private static final String FENCE = " OFFSET BIGINT '0'";

  private static final Pattern NAME = Pattern.compile("\\w+|\"([^\"]|\"\")*\"");

  private static final Set<Type.Kind> COMPARED =
      Set.of(Type.Kind.DATE, Type.Kind.TIMESTAMP, Type.Kind.DOUBLE, Type.Kind.DECIMAL);

  /** The guards of arithmetic, which keep it from raising, take nothing infinite and no NaN. */
  private static final NonCanonicalValues FORMLESS =
      new NonCanonicalValues(
          Set.of(),
          Set.of(Function.PLUS, Function.MINUS, Function.TIMES),
          COMPARED,
          COMPARED,
          COMPARED,
          PostgreSqlCanonicalForm::condition,
          PostgreSqlCanonicalForm::edge,
          false,
          expr -> NonCanonicalValues.isShiftedFloat(expr) || PostgreSqlArithmetic.isExact(expr));

  static boolean isText(Type type) {
    return type.kind() == Type.Kind.VARCHAR;
  }

  @Override
  public String qualified(String name) {
    return super.qualified(name.contains(".") ? name : "public." + name);
  }

  @Override
  public String typeName(Type type) {
    return switch (type.kind()) {
      case BOOLEAN, SMALLINT, INTEGER, BIGINT, TIME, TIMESTAMP -> type.kind().name();
      case DATE -> "pg_catalog.date"; // no words of the grammar, as the others are
      case UUID -> "pg_catalog.uuid";
      case DOUBLE -> "DOUBLE PRECISION";
      case VARCHAR, OPAQUE -> "pg_catalog.text";
      case DECIMAL -> "NUMERIC(" + type.precision() + ", " + type.scale() + ")";
      case INTERVAL_MONTHS, INTERVAL_MICROS -> "INTERVAL";
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
      case SMALLINT, INTEGER, BIGINT ->
          "CAST(" + ((BigDecimal) value).toPlainString() + " AS " + typeName(type) + ")";
      case DECIMAL -> "CAST(" + ((BigDecimal) value).toPlainString() + " AS NUMERIC)";
      case DOUBLE -> "CAST('" + ((Double) value + 0.0) + "' AS DOUBLE PRECISION)";
      case VARCHAR, OPAQUE, NULL -> text(value.toString());
      case DATE -> "DATE '" + era(SqlConstants.date((java.time.LocalDate) value)) + "'";
      case TIME -> "TIME '" + SqlConstants.time((java.time.LocalTime) value) + "'";
      case TIMESTAMP ->
          "TIMESTAMP '" + era(SqlConstants.timestamp((java.time.LocalDateTime) value)) + "'";
      case INTERVAL_MONTHS -> "(" + value + " * INTERVAL '1 month')";
      case INTERVAL_MICROS -> "(" + value + " * INTERVAL '1 microsecond')";
      case UUID -> "CAST('" + value + "' AS pg_catalog.uuid)";
    };
  }

  private static String era(String date) {
    return date.replace(" (BC)", " BC");
  }

  /** Text constants: no backslash escapes, and no NUL, which PostgreSQL's text cannot hold. */
  private static String text(String value) {
    if (value.indexOf('\0') >= 0) {
      throw Rejection.of(
          RejectionCode.UNSUPPORTED,
          "PostgreSQL has no text with a NUL character.",
          "Leave the NUL character out.");
    }
    String quoted = value.replace("'", "''");
    boolean plain = quoted.indexOf('\\') < 0;
    String constant = plain ? "'" + quoted + "'" : "E'" + quoted.replace("\\", "\\\\") + "'";
    return "CAST(" + constant + " AS pg_catalog.text)";
  }

  @Override
  public String cast(String sql, Type from, Type to) {
    return PostgreSqlCasts.cast(this, sql, from, to);
  }

  @Override
  public String canonicalize(String sql, Type type) {
    return PostgreSqlCanonicalForm.of(sql, type);
  }

  @Override
  public NonCanonicalValues nonCanonical() {
    return FORMLESS;
  }

  /** A timestamp with time zone as that of UTC; a cast would follow the session's zone. */
  public String inUtc(String sql) {
    return "CASE WHEN "
        + sql
        + PostgreSqlCanonicalForm.ZONED
        + " THEN "
        + sql
        + " AT TIME ZONE 'UTC' END";
  }

  /** A stored REAL as a DOUBLE. */
  public String fromReal(String sql) {
    return Sql.of(
        "CASE WHEN {x}{real} THEN CAST({x} AS DOUBLE PRECISION) END",
        sql,
        PostgreSqlCanonicalForm.REAL);
  }

  /** A number of any digits rounded to those of the type. */
  public String rounded(String sql, Type type) {
    return PostgreSqlCasts.toDecimal(this, sql, type, type);
  }

  /** Text by its bytes, whatever its type and collation. */
  public String byBytes(String sql) {
    return "(CAST(" + sql + " AS pg_catalog.text)" + BY_CODE_POINT + ")";
  }

  /**
   * Partners are found by an equality between the sides. IS NOT DISTINCT FROM is none to it, and
   * neither are several of which one holds.
   */
  @Override
  public boolean hasFullJoin(Relation.Join join) {
    Set<Integer> left = ids(join.left());
    Set<Integer> right = ids(join.right());
    return Equalities.conjuncts(join.condition()).stream()
        .anyMatch(
            c ->
                c instanceof Expr.Call call
                    && call.function() == Function.EQ
                    && (isBetween(call, left, right) || isBetween(call, right, left)));
  }

  private static boolean isBetween(Expr.Call call, Set<Integer> one, Set<Integer> other) {
    Set<Integer> first = AlgebraWalker.references(call.arguments().get(0));
    Set<Integer> second = AlgebraWalker.references(call.arguments().get(1));
    return !first.isEmpty()
        && !second.isEmpty()
        && one.containsAll(first)
        && other.containsAll(second);
  }

  private static Set<Integer> ids(Relation relation) {
    return relation.columns().stream().map(Column::id).collect(Collectors.toSet());
  }

  @Override
  public String call(Function function, List<RenderedExpression> arguments, Type type) {
    return new PostgreSqlFunctions(this).call(function, arguments, type);
  }

  /**
   * A value that is used several times, computed once. A window function stays where it is, for
   * inside a subquery it would see one row; PostgreSQL computes equal ones once.
   */
  static String once(String sql, UnaryOperator<String> body) {
    boolean simple = NAME.matcher(sql).matches();
    return simple || sql.contains(" OVER (")
        ? body.apply(sql)
        : "(SELECT " + body.apply("v") + " FROM (SELECT " + sql + " AS v" + FENCE + ") AS once)";
  }

  @Override
  public String ordered(String sql, Type type) {
    return isText(type) ? sql + BY_CODE_POINT : sql;
  }

  @Override
  public String compare(String operator, RenderedExpression left, RenderedExpression right) {
    boolean ordered = !operator.equals("=") && !operator.equals("<>");
    String byCodePoint =
        ordered && isText(left.type()) && isText(right.type()) ? BY_CODE_POINT : "";
    return "(" + left.sql() + " " + operator + " " + right.sql() + byCodePoint + ")";
  }

  @Override
  public String distinctness(boolean distinct, RenderedExpression left, RenderedExpression right) {
    String operator = distinct ? " IS DISTINCT FROM " : " IS NOT DISTINCT FROM ";
    return "(" + left.sql() + operator + right.sql() + ")";
  }

  @Override
  public String aggregate(
      AggregateCall call,
      Optional<RenderedExpression> argument,
      Optional<String> filter,
      String over) {
    return PostgreSqlAggregates.sql(this, call, argument, filter, over);
  }

  @Override
  public String ranked(String sql, Type type) {
    return "CAST(pg_catalog." + sql + " AS " + typeName(type) + ")";
  }

  @Override
  public String count(Optional<String> argument, boolean distinct, Optional<String> filter) {
    String inner = argument.map(a -> (distinct ? "DISTINCT " : "") + a).orElse("*");
    return "pg_catalog.count(" + inner + ")" + where(filter);
  }

  @Override
  public boolean repeatsColumns() {
    return true;
  }

  @Override
  public String fence(Collection<String> computed, boolean repeated) {
    return repeated || computed.stream().anyMatch(sql -> sql.contains("(SELECT ")) ? FENCE : "";
  }

  @Override
  public Optional<RenderedExpression> computed(
      Expr expr, java.util.function.Function<Expr, String> sql) {
    return PostgreSqlArithmetic.computed(expr, sql);
  }

  @Override
  public Clamped clamped(RenderedExpression value, Range range, BigDecimal grid) {
    return PostgreSqlClamp.of(this, value, range, grid);
  }

  @Override
  public Optional<Clamped> filled(
      RenderedExpression value, Range range, BigDecimal grid, BigDecimal otherwise) {
    return PostgreSqlClamp.filled(value, range, grid, otherwise);
  }

  @Override
  public String sum(Clamped clamped, Optional<String> filter) {
    return "pg_catalog.sum(" + clamped.sql() + ")" + where(filter);
  }

  @Override
  public String whole(String sql, BigInteger times, int bits) {
    return times("CAST(" + sql + " AS NUMERIC)", times);
  }

  @Override
  public String wide(String count) {
    return "CAST(" + count + " AS NUMERIC)";
  }

  @Override
  public String total(String sql, String over) {
    return "pg_catalog.sum(" + sql + ")" + over;
  }

  @Override
  protected String inDouble(String number) {
    return "CAST(" + number + " AS pg_catalog.float8)";
  }

  @Override
  protected String truncated(String real) {
    return "CAST(pg_catalog.trunc(" + real + ") AS pg_catalog.int8)";
  }

  @Override
  public String share(String x, String size, BigInteger times, BigInteger most) {
    return Sql.of(
        "pg_catalog.div({x} * {times}, CASE WHEN {size} = 0 THEN 1 ELSE {size} END)",
        x,
        times,
        size);
  }
}
