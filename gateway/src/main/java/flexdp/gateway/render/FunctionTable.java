package flexdp.gateway.render;

import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import java.util.function.BiFunction;

/**
 * How each function is written in each database. What a function means is said where it is asked,
 * in {@link Function}; whatever is written here never raises on any row.
 *
 * <p>In a template, {@code {a}} and {@code {b}} are the arguments as they are, {@code {a.text}} and
 * {@code {a.real}} the same as text and double. Of all arguments, {@code {all}} are as they are,
 * {@code {texts}} as text and {@code {values}} in the type of the call, with commas; {@code
 * {joined}} are texts with ||. {@code {type}} is the name of the call's type, {@code {blanks}} what
 * TRIM takes off. What stands behind the arrow is the type that the database gives it, from which
 * it is converted to that of the call: {@code a} that of the first argument, FLOAT a double that
 * may be infinite or NaN.
 */
public final class FunctionTable {
  /** The database's own class writes it: a template does not do. */
  static final String OWN = "";

  private FunctionTable() {}

  /** How one function is written. */
  sealed interface Row {}

  /** In words that all databases share, though perhaps not the same in each. */
  record Alike(BiFunction<ExprRenderer, Expr.Call, String> written) implements Row {}

  /** A template for each database. */
  public record Each(String duckdb, String sqlite, String postgresql, String mariadb, String trino)
      implements Row {}

  private static final Row OWN_EACH = new Each(OWN, OWN, OWN, OWN, OWN);

  private static Row alike(BiFunction<ExprRenderer, Expr.Call, String> written) {
    return new Alike(written);
  }

  private static Row truth(boolean negated, boolean value) {
    return alike((r, call) -> r.truth(r.first(call), negated, value));
  }

  private static Row comparison(String operator) {
    return alike((r, call) -> r.compare(operator, call.arguments()));
  }

  /** In the order in which {@link Function} has them. */
  static Row of(Function function) {
    return switch (function) {
      case EQ -> comparison("=");
      case NE -> comparison("<>");
      case LT -> comparison("<");
      case LE -> comparison("<=");
      case GT -> comparison(">");
      case GE -> comparison(">=");
      case IS_DISTINCT -> alike((r, call) -> r.distinctness(true, call.arguments()));
      case IS_NOT_DISTINCT -> alike((r, call) -> r.distinctness(false, call.arguments()));
      case IN_LIST -> alike((r, call) -> r.inList(call.arguments()));
      case AND -> alike((r, call) -> r.joined(call.arguments(), " AND "));
      case OR -> alike((r, call) -> r.joined(call.arguments(), " OR "));
      case NOT -> alike((r, call) -> r.negated(call.arguments().getFirst()));
      case IS_NULL -> alike((r, call) -> Sql.of("({x} IS NULL)", r.first(call)));
      case IS_NOT_NULL -> alike((r, call) -> Sql.of("({x} IS NOT NULL)", r.first(call)));
      case IS_TRUE -> truth(false, true);
      case IS_NOT_TRUE -> truth(true, true);
      case IS_FALSE -> truth(false, false);
      case IS_NOT_FALSE -> truth(true, false);
      case PLUS, MINUS, TIMES, DIVIDE, MOD -> OWN_EACH;
      case NEGATE -> new Each("TRY(-({a})) -> a", OWN, OWN, OWN, OWN);
      case ABS -> new Each("TRY(abs({a})) -> a", OWN, OWN, OWN, "TRY(abs({a})) -> a");
      case SIGN ->
          new Each(
              "TRY_CAST(TRY(sign({a})) AS {type})",
              "sign({a}) -> INTEGER",
              "pg_catalog.sign({a.real}) -> DOUBLE",
              "SIGN({a}) -> SMALLINT",
              "TRY_CAST(TRY(sign({a})) AS {type})");
      case FLOOR -> new Each(OWN, OWN, OWN, OWN, "TRY_CAST(TRY(floor({all})) AS {type})");
      case CEIL, ROUND -> OWN_EACH;
      case SQRT ->
          new Each(
              "TRY(sqrt({a.real})) -> DOUBLE",
              "sqrt({a.real}) -> DOUBLE",
              OWN,
              "SQRT({a.real}) -> DOUBLE",
              "sqrt({a.real}) -> FLOAT");
      case LN ->
          new Each(
              "TRY(ln({a.real})) -> DOUBLE",
              "ln({a.real}) -> DOUBLE",
              OWN,
              "LN({a.real}) -> DOUBLE",
              "ln({a.real}) -> FLOAT");
      case LOG10 ->
          new Each(
              "TRY(log10({a.real})) -> DOUBLE",
              "log10({a.real}) -> DOUBLE",
              OWN,
              "LOG10({a.real}) -> DOUBLE",
              "log10({a.real}) -> FLOAT");
      case EXP -> new Each("TRY(exp({a.real})) -> FLOAT", OWN, OWN, OWN, "exp({a.real}) -> FLOAT");
      case POWER ->
          new Each(
              "TRY(pow({a.real}, {b.real})) -> FLOAT",
              OWN,
              OWN,
              OWN,
              "power({a.real}, {b.real}) -> FLOAT");
      case COALESCE -> alike(ExprRenderer::coalesce);
      case NULLIF -> alike(ExprRenderer::nullIf);
      case LEAST ->
          new Each(
              "least({values})",
              OWN,
              OWN,
              OWN,
              "array_min(filter(ARRAY[{values}], v -> v IS NOT NULL))");
      case GREATEST ->
          new Each(
              "greatest({values})",
              OWN,
              OWN,
              OWN,
              "array_max(filter(ARRAY[{values}], v -> v IS NOT NULL))");
      case CONCAT -> new Each(OWN, "({joined})", "({joined})", OWN, "TRY({joined})");
      case LOWER ->
          new Each(
              "lower({a.text})",
              "flexdp_lower({a.text})",
              OWN,
              "LOWER({a.text})",
              "lower({a.text})");
      case LOWER_ASCII ->
          new Each(
              "translate({a.text}, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')",
              "lower({a.text})",
              "pg_catalog.lower({a.text} COLLATE pg_catalog.\"C\")", // knows no other letters
              OWN,
              "translate({a.text}, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')");
      case UPPER_ASCII ->
          new Each(
              "translate({a.text}, 'abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ')",
              "upper({a.text})",
              "pg_catalog.upper({a.text} COLLATE pg_catalog.\"C\")",
              OWN,
              "translate({a.text}, 'abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ')");
      case UPPER ->
          new Each(
              "upper({a.text})",
              "flexdp_upper({a.text})",
              OWN,
              "UPPER({a.text})",
              "upper({a.text})");
      case TRIM ->
          new Each(
              "trim({a.text}, {blanks})",
              "trim({a.text}, {blanks})",
              "pg_catalog.btrim({a.text}, {blanks})",
              OWN,
              "trim(BOTH {blanks} FROM {a.text})");
      case LTRIM ->
          new Each(
              "ltrim({a.text}, {blanks})",
              "ltrim({a.text}, {blanks})",
              "pg_catalog.ltrim({a.text}, {blanks})",
              OWN,
              "trim(LEADING {blanks} FROM {a.text})");
      case RTRIM ->
          new Each(
              "rtrim({a.text}, {blanks})",
              "rtrim({a.text}, {blanks})",
              "pg_catalog.rtrim({a.text}, {blanks})",
              OWN,
              "trim(TRAILING {blanks} FROM {a.text})");
      case SUBSTRING -> OWN_EACH;
      case CHAR_LENGTH ->
          new Each(
              "TRY(length({a.text})) -> BIGINT",
              "length({a.text}) -> BIGINT",
              "CAST(pg_catalog.char_length({a.text}) AS {type})",
              "CHAR_LENGTH({a.text}) -> INTEGER",
              "length({a.text}) -> BIGINT");
      case BYTE_LENGTH ->
          new Each(
              "TRY(strlen({a.text})) -> BIGINT",
              "length(CAST({a.text} AS BLOB)) -> BIGINT",
              "CAST(pg_catalog.octet_length(pg_catalog.convert_to({a.text}, 'UTF8')) AS {type})",
              "LENGTH({a.text}) -> INTEGER",
              "length(to_utf8({a.text})) -> BIGINT");
      case POSITION ->
          new Each(
              "TRY_CAST(TRY(strpos({b.text}, {a.text})) AS {type})",
              "instr({b.text}, {a.text}) -> BIGINT",
              "CAST(pg_catalog.strpos({b.text}, {a.text}) AS {type})",
              "LOCATE({a.text}, {b.text}) -> INTEGER",
              "strpos({b.text}, {a.text}) -> BIGINT");
      case REPLACE -> new Each("replace({texts})", OWN, "pg_catalog.replace({texts})", OWN, OWN);
      case LEFT, RIGHT -> OWN_EACH;
      case REVERSE ->
          new Each(
              // Its own keeps accents behind the letters that they stand over.
              "array_to_string(list_reverse(string_split({a.text}, '')), '')",
              "flexdp_reverse({a.text})",
              "pg_catalog.reverse({a.text})",
              "REVERSE({a.text})",
              "reverse({a.text})");
      case LIKE, ILIKE -> OWN_EACH;
      case STARTS_WITH ->
          new Each(
              "starts_with({texts})",
              OWN,
              "pg_catalog.starts_with({texts})",
              OWN,
              "starts_with({texts})");
      case HASH ->
          new Each(
              "CAST('0x' || substring(sha256({a.text}), 1, 15) AS BIGINT)",
              "flexdp_hash({a.text})",
              // Fifteen hexadecimal digits, as the bits that they are.
              "(('x' || pg_catalog.substr(pg_catalog.encode(pg_catalog.sha256("
                  + "pg_catalog.convert_to({a.text}, 'UTF8')), 'hex'), 1, 15))"
                  + "::pg_catalog.bit(60)::pg_catalog.int8)",
              "CAST(CONV(LEFT(SHA2({a.text}, 256), 15), 16, 10) AS SIGNED)",
              "from_base(substr(to_hex(sha256(to_utf8({a.text}))), 1, 15), 16)");
      case EXTRACT, DATE_TRUNC, DATE_ADD, DATE_DIFF -> OWN_EACH;
      // Below the noise there is none.
      case EXCEEDS_NOISE -> alike(ExprRenderer::isPositive);
      case INTERVAL_LOW, INTERVAL_HIGH ->
          throw new IllegalArgumentException("computed above release points: " + function);
    };
  }
}
