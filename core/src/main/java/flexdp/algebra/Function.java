package flexdp.algebra;

/**
 * Every operator and function that an expression may use. All are deterministic, free of side
 * effects and total: where SQL would raise (division by zero, a logarithm of a negative number, an
 * overflow) the value is NULL. What is not here cannot be asked.
 */
public enum Function {
  // Comparisons; text compares by code point unless the database says otherwise.
  EQ,
  NE,
  LT,
  LE,
  GT,
  GE,
  IS_DISTINCT,
  IS_NOT_DISTINCT,
  /** First argument equals one of the others, all literals. */
  IN_LIST,
  // Logic, three-valued.
  AND,
  OR,
  NOT,
  IS_NULL,
  IS_NOT_NULL,
  IS_TRUE,
  IS_NOT_TRUE,
  IS_FALSE,
  IS_NOT_FALSE,
  // Arithmetic. Integer / integer truncates; x / 0 and mod(x, 0) are NULL.
  PLUS,
  MINUS,
  TIMES,
  DIVIDE,
  MOD,
  NEGATE,
  ABS,
  SIGN,
  FLOOR,
  CEIL,
  /** ROUND(x) or ROUND(x, literal digits), half away from zero. */
  ROUND,
  SQRT,
  LN,
  LOG10,
  EXP,
  POWER,
  // Choice.
  COALESCE,
  NULLIF,
  LEAST,
  GREATEST,
  // Text.
  CONCAT,
  LOWER,
  UPPER,
  /** TRIM(x), of spaces. */
  TRIM,
  LTRIM,
  RTRIM,
  /** SUBSTRING(x, from [, length]), from counts from 1. */
  SUBSTRING,
  CHAR_LENGTH,
  /** POSITION(needle, haystack), 0 when absent. */
  POSITION,
  REPLACE,
  LEFT,
  RIGHT,
  REVERSE,
  /** LIKE(x, pattern [, escape]); pattern and escape are literals. */
  LIKE,
  ILIKE,
  STARTS_WITH,
  // Dates. The unit is a VARCHAR literal: YEAR, QUARTER, MONTH, WEEK (ISO), DAY, HOUR, MINUTE,
  // SECOND, DOW (0 = Sunday), DOY, EPOCH, ISOYEAR.
  /** EXTRACT(unit, x), an integer (BIGINT). */
  EXTRACT,
  /** DATE_TRUNC(unit, x), of x's own type. */
  DATE_TRUNC,
  /** DATE_ADD(x, interval): x is a DATE or TIMESTAMP; DATE plus months or whole days stays DATE. */
  DATE_ADD,
  /** DATE_DIFF(unit, from, to): how many unit boundaries lie between. */
  DATE_DIFF,
  // Error bars of what is computed from noisy values; no database ever sees them.
  /** INTERVAL_LOW(x): with probability 95 % the value of x without noise is not below this. */
  INTERVAL_LOW,
  /** INTERVAL_HIGH(x): the other end. Both ends hold together. */
  INTERVAL_HIGH
}
