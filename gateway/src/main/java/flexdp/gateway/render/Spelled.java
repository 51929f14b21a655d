package flexdp.gateway.render;

/**
 * The functions that every database spells in its own way; {@link ExprRenderer} writes all others.
 * What they mean is said where they are asked, in {@link flexdp.algebra.Function}.
 */
public enum Spelled {
  LEAST,
  GREATEST,
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
  ROUND,
  SQRT,
  LN,
  LOG10,
  EXP,
  POWER,
  CONCAT,
  LOWER,
  LOWER_ASCII,
  UPPER,
  TRIM,
  LTRIM,
  RTRIM,
  SUBSTRING,
  CHAR_LENGTH,
  BYTE_LENGTH,
  POSITION,
  REPLACE,
  LEFT,
  RIGHT,
  REVERSE,
  LIKE,
  ILIKE,
  STARTS_WITH,
  HASH,
  EXTRACT,
  DATE_TRUNC,
  DATE_ADD,
  DATE_DIFF
}
