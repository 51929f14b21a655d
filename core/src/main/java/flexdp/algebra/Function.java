package flexdp.algebra;

import flexdp.policy.Type;
import java.util.Optional;

/**
 * Every operator and function that an expression may use. All are deterministic, free of side
 * effects and total: where SQL would raise (division by zero, a logarithm of a negative number, an
 * overflow) the value is NULL. What is not here cannot be asked. Each states its facts here, once;
 * how it is bound, bounded, computed and spelled is an exhaustive switch in the room that does it.
 */
public enum Function {
  // Comparisons; text compares by code point unless the database says otherwise.
  EQ(Arity.TWO, NullRule.STRICT, Partiality.NONE, TextRule.NO_TEXT, IntervalRule.NOT_PROPAGATED),
  NE(Arity.TWO, NullRule.STRICT, Partiality.NONE, TextRule.NO_TEXT, IntervalRule.NOT_PROPAGATED),
  LT(Arity.TWO, NullRule.STRICT, Partiality.NONE, TextRule.NO_TEXT, IntervalRule.NOT_PROPAGATED),
  LE(Arity.TWO, NullRule.STRICT, Partiality.NONE, TextRule.NO_TEXT, IntervalRule.NOT_PROPAGATED),
  GT(Arity.TWO, NullRule.STRICT, Partiality.NONE, TextRule.NO_TEXT, IntervalRule.NOT_PROPAGATED),
  GE(Arity.TWO, NullRule.STRICT, Partiality.NONE, TextRule.NO_TEXT, IntervalRule.NOT_PROPAGATED),
  IS_DISTINCT(
      Arity.TWO, NullRule.AS_VALUE, Partiality.NONE, TextRule.NO_TEXT, IntervalRule.NOT_PROPAGATED),
  IS_NOT_DISTINCT(
      Arity.TWO, NullRule.AS_VALUE, Partiality.NONE, TextRule.NO_TEXT, IntervalRule.NOT_PROPAGATED),
  /** First argument equals one of the others, all literals. */
  IN_LIST(
      Arity.TWO_OR_MORE,
      NullRule.FIRST,
      Partiality.NONE,
      TextRule.NO_TEXT,
      IntervalRule.NOT_PROPAGATED),
  // Logic, three-valued.
  AND(Arity.SOME, NullRule.LOGIC, Partiality.NONE, TextRule.NO_TEXT, IntervalRule.NOT_PROPAGATED),
  OR(Arity.SOME, NullRule.LOGIC, Partiality.NONE, TextRule.NO_TEXT, IntervalRule.NOT_PROPAGATED),
  NOT(Arity.ONE, NullRule.STRICT, Partiality.NONE, TextRule.NO_TEXT, IntervalRule.NOT_PROPAGATED),
  IS_NULL(
      Arity.ONE, NullRule.ASKED, Partiality.NONE, TextRule.NO_TEXT, IntervalRule.NOT_PROPAGATED),
  IS_NOT_NULL(
      Arity.ONE, NullRule.ASKED, Partiality.NONE, TextRule.NO_TEXT, IntervalRule.NOT_PROPAGATED),
  IS_TRUE(
      Arity.ONE, NullRule.ASKED, Partiality.NONE, TextRule.NO_TEXT, IntervalRule.NOT_PROPAGATED),
  IS_NOT_TRUE(
      Arity.ONE, NullRule.ASKED, Partiality.NONE, TextRule.NO_TEXT, IntervalRule.NOT_PROPAGATED),
  IS_FALSE(
      Arity.ONE, NullRule.ASKED, Partiality.NONE, TextRule.NO_TEXT, IntervalRule.NOT_PROPAGATED),
  IS_NOT_FALSE(
      Arity.ONE, NullRule.ASKED, Partiality.NONE, TextRule.NO_TEXT, IntervalRule.NOT_PROPAGATED),
  // Arithmetic. Integer / integer truncates; x / 0 and mod(x, 0) are NULL.
  PLUS(Arity.TWO, NullRule.STRICT, Partiality.SOME, RangeRule.SUM, IntervalRule.PROPAGATED),
  MINUS(Arity.TWO, NullRule.STRICT, Partiality.SOME, RangeRule.DIFFERENCE, IntervalRule.PROPAGATED),
  TIMES(Arity.TWO, NullRule.STRICT, Partiality.SOME, RangeRule.PRODUCT, IntervalRule.PROPAGATED),
  DIVIDE(Arity.TWO, NullRule.STRICT, Partiality.SOME, RangeRule.QUOTIENT, IntervalRule.PROPAGATED),
  MOD(
      Arity.TWO,
      NullRule.STRICT,
      Partiality.SOME,
      RangeRule.REMAINDER,
      IntervalRule.NOT_PROPAGATED),
  NEGATE(
      Arity.ONE,
      NullRule.STRICT,
      Partiality.LEAST_INTEGER,
      RangeRule.OPPOSITE,
      IntervalRule.PROPAGATED),
  ABS(
      Arity.ONE,
      NullRule.STRICT,
      Partiality.LEAST_INTEGER,
      RangeRule.SIZE,
      IntervalRule.PROPAGATED),
  SIGN(Arity.ONE, NullRule.STRICT, Partiality.NONE, RangeRule.SIGN, IntervalRule.PROPAGATED),
  FLOOR(
      Arity.ONE,
      NullRule.STRICT,
      Partiality.WIDEST_DECIMAL,
      RangeRule.WHOLE,
      IntervalRule.PROPAGATED),
  CEIL(
      Arity.ONE,
      NullRule.STRICT,
      Partiality.WIDEST_DECIMAL,
      RangeRule.WHOLE,
      IntervalRule.PROPAGATED),
  /** ROUND(x) or ROUND(x, literal digits), half away from zero. */
  ROUND(
      Arity.ONE_OR_TWO,
      NullRule.STRICT,
      Partiality.SOME,
      RangeRule.ROUNDED,
      IntervalRule.PROPAGATED),
  SQRT(Arity.ONE, NullRule.STRICT, Partiality.SOME, RangeRule.ROOT, IntervalRule.PROPAGATED),
  LN(Arity.ONE, NullRule.STRICT, Partiality.SOME, TextRule.NO_TEXT, IntervalRule.PROPAGATED),
  LOG10(Arity.ONE, NullRule.STRICT, Partiality.SOME, TextRule.NO_TEXT, IntervalRule.PROPAGATED),
  EXP(Arity.ONE, NullRule.STRICT, Partiality.SOME, TextRule.NO_TEXT, IntervalRule.PROPAGATED),
  POWER(Arity.TWO, NullRule.STRICT, Partiality.SOME, RangeRule.POWER, IntervalRule.NOT_PROPAGATED),
  // Choice.
  COALESCE(
      Arity.SOME,
      NullRule.FALLBACK,
      Partiality.NONE,
      TextRule.LONGEST,
      IntervalRule.PROPAGATED,
      RangeRule.ANY),
  NULLIF(
      Arity.TWO,
      NullRule.FIRST,
      Partiality.SOME,
      TextRule.FIRST,
      IntervalRule.PROPAGATED,
      RangeRule.FIRST),
  LEAST(
      Arity.SOME,
      NullRule.PASSED_OVER,
      Partiality.NONE,
      TextRule.LONGEST,
      IntervalRule.PROPAGATED,
      RangeRule.LEAST),
  GREATEST(
      Arity.SOME,
      NullRule.PASSED_OVER,
      Partiality.NONE,
      TextRule.LONGEST,
      IntervalRule.PROPAGATED,
      RangeRule.GREATEST),
  // Text.
  CONCAT(
      Arity.SOME, NullRule.STRICT, Partiality.NONE, TextRule.TOGETHER, IntervalRule.NOT_PROPAGATED),
  LOWER(
      Arity.ONE,
      NullRule.STRICT,
      Partiality.NONE,
      TextRule.OTHER_CASE,
      IntervalRule.NOT_PROPAGATED),
  /** LOWER_ASCII(x): the letters A to Z in lower case, all others as they are. */
  LOWER_ASCII(
      Arity.ONE, NullRule.STRICT, Partiality.NONE, TextRule.FIRST, IntervalRule.NOT_PROPAGATED),
  /** UPPER_ASCII(x): the letters a to z in upper case, all others as they are. */
  UPPER_ASCII(
      Arity.ONE, NullRule.STRICT, Partiality.NONE, TextRule.FIRST, IntervalRule.NOT_PROPAGATED),
  UPPER(
      Arity.ONE,
      NullRule.STRICT,
      Partiality.NONE,
      TextRule.OTHER_CASE,
      IntervalRule.NOT_PROPAGATED),
  /** TRIM(x [, characters]): of spaces, or of any of the characters, a literal. */
  TRIM(
      Arity.ONE_OR_TWO,
      NullRule.STRICT,
      Partiality.NONE,
      TextRule.FIRST,
      IntervalRule.NOT_PROPAGATED),
  LTRIM(
      Arity.ONE_OR_TWO,
      NullRule.STRICT,
      Partiality.NONE,
      TextRule.FIRST,
      IntervalRule.NOT_PROPAGATED),
  RTRIM(
      Arity.ONE_OR_TWO,
      NullRule.STRICT,
      Partiality.NONE,
      TextRule.FIRST,
      IntervalRule.NOT_PROPAGATED),
  /** SUBSTRING(x, from [, length]), from counts from 1. */
  SUBSTRING(
      Arity.TWO_OR_THREE,
      NullRule.STRICT,
      Partiality.SOME,
      TextRule.CUT,
      IntervalRule.NOT_PROPAGATED),
  CHAR_LENGTH(
      Arity.ONE, NullRule.STRICT, Partiality.NONE, RangeRule.COUNT, IntervalRule.NOT_PROPAGATED),
  /** BYTE_LENGTH(x): how many bytes it has in UTF-8. */
  BYTE_LENGTH(
      Arity.ONE, NullRule.STRICT, Partiality.NONE, RangeRule.COUNT, IntervalRule.NOT_PROPAGATED),
  /** POSITION(needle, haystack), 0 when absent. */
  POSITION(
      Arity.TWO, NullRule.STRICT, Partiality.NONE, RangeRule.COUNT, IntervalRule.NOT_PROPAGATED),
  REPLACE(
      Arity.THREE,
      NullRule.STRICT,
      Partiality.SOME,
      TextRule.REPLACED,
      IntervalRule.NOT_PROPAGATED),
  LEFT(Arity.TWO, NullRule.STRICT, Partiality.SOME, TextRule.CUT, IntervalRule.NOT_PROPAGATED),
  RIGHT(Arity.TWO, NullRule.STRICT, Partiality.SOME, TextRule.CUT, IntervalRule.NOT_PROPAGATED),
  REVERSE(Arity.ONE, NullRule.STRICT, Partiality.SOME, TextRule.FIRST, IntervalRule.NOT_PROPAGATED),
  /** LIKE(x, pattern [, '!']): a constant pattern within {@link ConstantLimits}. */
  LIKE(
      Arity.TWO_OR_THREE,
      NullRule.STRICT,
      Partiality.NONE,
      TextRule.NO_TEXT,
      IntervalRule.NOT_PROPAGATED),
  ILIKE(
      Arity.TWO_OR_THREE,
      NullRule.STRICT,
      Partiality.NONE,
      TextRule.MATCHED_IN_OTHER_CASE,
      IntervalRule.NOT_PROPAGATED),
  STARTS_WITH(
      Arity.TWO, NullRule.STRICT, Partiality.NONE, TextRule.NO_TEXT, IntervalRule.NOT_PROPAGATED),
  /** HASH(x) of a text: a fixed whole number of sixty bits. No question names it. */
  HASH(Arity.ONE, NullRule.STRICT, Partiality.NONE, TextRule.NO_TEXT, IntervalRule.NOT_PROPAGATED),
  // Dates. The unit is a VARCHAR literal: YEAR, QUARTER, MONTH, WEEK (ISO), DAY, HOUR, MINUTE,
  // SECOND, DOW (0 = Sunday), DOY, EPOCH, ISOYEAR.
  /** EXTRACT(unit, x), an integer (BIGINT). */
  EXTRACT(Arity.TWO, NullRule.STRICT, Partiality.NONE, RangeRule.PART, IntervalRule.NOT_PROPAGATED),
  /** DATE_TRUNC(unit, x), of x's own type. */
  DATE_TRUNC(
      Arity.TWO, NullRule.STRICT, Partiality.NONE, TextRule.NO_TEXT, IntervalRule.NOT_PROPAGATED),
  /** DATE_ADD(x, interval): x is a DATE or TIMESTAMP; DATE plus months or whole days stays DATE. */
  DATE_ADD(
      Arity.TWO, NullRule.STRICT, Partiality.SOME, RangeRule.LATER, IntervalRule.NOT_PROPAGATED),
  /** DATE_DIFF(unit, from, to): how many unit boundaries lie between. */
  DATE_DIFF(
      Arity.THREE,
      NullRule.STRICT,
      Partiality.SOME,
      RangeRule.BOUNDARIES,
      IntervalRule.NOT_PROPAGATED),
  // Error bars of what is computed from noisy values; no database ever sees them.
  /** INTERVAL_LOW(x): with probability 95 % the value of x without noise is not below this. */
  INTERVAL_LOW(
      Arity.ONE, NullRule.UNSTATED, Partiality.SOME, TextRule.NO_TEXT, IntervalRule.NOT_PROPAGATED),
  /** INTERVAL_HIGH(x): the other end. Both ends hold together. */
  INTERVAL_HIGH(
      Arity.ONE, NullRule.UNSTATED, Partiality.SOME, TextRule.NO_TEXT, IntervalRule.NOT_PROPAGATED),
  /**
   * EXCEEDS_NOISE(n): whether a noisy count is at least one, or another number above zero, and its
   * interval, where that is public, lies above zero. What is computed from fewer rows than that, or
   * divided by less, is NULL. Without noise it is n > 0.
   */
  EXCEEDS_NOISE(
      Arity.ONE, NullRule.UNSTATED, Partiality.NONE, TextRule.NO_TEXT, IntervalRule.NOT_PROPAGATED);

  private final Arity arity;
  private final NullRule nulls;
  private final Partiality gaps;
  private final TextRule text;
  private final IntervalRule errors;
  private final RangeRule range;

  Function(Arity arity, NullRule nulls, Partiality gaps, TextRule text, IntervalRule errors) {
    this(arity, nulls, gaps, text, errors, RangeRule.UNKNOWN);
  }

  /** Of what has bounds and no length. */
  Function(Arity arity, NullRule nulls, Partiality gaps, RangeRule range, IntervalRule errors) {
    this(arity, nulls, gaps, TextRule.NO_TEXT, errors, range);
  }

  Function(
      Arity arity,
      NullRule nulls,
      Partiality gaps,
      TextRule text,
      IntervalRule errors,
      RangeRule range) {
    this.arity = arity;
    this.nulls = nulls;
    this.gaps = gaps;
    this.text = text;
    this.errors = errors;
    this.range = range;
  }

  Arity arity() {
    return arity;
  }

  /** What NULL does to it. */
  public NullRule nulls() {
    return nulls;
  }

  /** Where the function has no value though no argument is NULL. */
  public Partiality gaps() {
    return gaps;
  }

  /** How long a text it makes. */
  public TextRule text() {
    return text;
  }

  /** Whether error bars go through it. */
  public IntervalRule errors() {
    return errors;
  }

  /** Between which numbers its values lie. */
  public RangeRule range() {
    return range;
  }

  /** The comparison that says the same of exchanged arguments. */
  public Optional<Function> mirrored() {
    return switch (this) {
      case EQ, NE, IS_DISTINCT, IS_NOT_DISTINCT -> Optional.of(this);
      case LT -> Optional.of(GT);
      case LE -> Optional.of(GE);
      case GT -> Optional.of(LT);
      case GE -> Optional.of(LE);
      default -> Optional.empty();
    };
  }

  /** The predicate that is false where this one is true, true where it is false, and else NULL. */
  public Optional<Function> opposite() {
    return switch (this) {
      case EQ -> Optional.of(NE);
      case NE -> Optional.of(EQ);
      case LT -> Optional.of(GE);
      case LE -> Optional.of(GT);
      case GT -> Optional.of(LE);
      case GE -> Optional.of(LT);
      case IS_NULL -> Optional.of(IS_NOT_NULL);
      case IS_NOT_NULL -> Optional.of(IS_NULL);
      case IS_TRUE -> Optional.of(IS_NOT_TRUE);
      case IS_NOT_TRUE -> Optional.of(IS_TRUE);
      case IS_FALSE -> Optional.of(IS_NOT_FALSE);
      case IS_NOT_FALSE -> Optional.of(IS_FALSE);
      case IS_DISTINCT -> Optional.of(IS_NOT_DISTINCT);
      case IS_NOT_DISTINCT -> Optional.of(IS_DISTINCT);
      default -> Optional.empty();
    };
  }

  /** What NULL among its arguments does to the value of a function. */
  public enum NullRule {
    /** NULL where any argument is. */
    STRICT,
    /** NULL where the first argument is; of the others it depends. */
    FIRST,
    /** Three-valued logic: NULL at most where an argument is, and not always there. */
    LOGIC,
    /** The first argument that is not NULL stands for the others. */
    FALLBACK,
    /** NULLs are passed over: they count only where every argument is one. */
    PASSED_OVER,
    /** NULL is a value like others, and the outcome never is NULL. */
    AS_VALUE,
    /** The question whether something is NULL or true; the outcome never is NULL. */
    ASKED,
    /** Nothing is said: the value may be NULL whatever the arguments are. */
    UNSTATED
  }

  /** How many arguments a function takes. */
  record Arity(int least, int most) {
    static final Arity ONE = new Arity(1, 1);
    static final Arity ONE_OR_TWO = new Arity(1, 2);
    static final Arity TWO = new Arity(2, 2);
    static final Arity TWO_OR_THREE = new Arity(2, 3);
    static final Arity THREE = new Arity(3, 3);
    static final Arity TWO_OR_MORE = new Arity(2, Integer.MAX_VALUE);
    static final Arity SOME = new Arity(1, Integer.MAX_VALUE);

    boolean holds(int arguments) {
      return least <= arguments && arguments <= most;
    }
  }

  /**
   * Where a function has no value, and so is NULL, though no argument is NULL. Days and moments
   * count as those of the calendar, as declared; what a database may hold beyond is another matter,
   * which proofs have to mind.
   */
  enum Partiality {
    /** Nowhere. */
    NONE,
    /** The least integer has no opposite. */
    LEAST_INTEGER,
    /** What is rounded up may have one digit more than the widest type. */
    WIDEST_DECIMAL,
    /** Somewhere: at zero, beyond a range, where the result overflows. */
    SOME;

    private static final int MOST_DIGITS = 38;

    /** Whether a result of this type can be missing. */
    public boolean in(Type result) {
      return switch (this) {
        case NONE -> false;
        case LEAST_INTEGER -> result.isInteger();
        case WIDEST_DECIMAL -> result.precision() == MOST_DIGITS;
        case SOME -> true;
      };
    }
  }

  /** How long a text a function makes, from the lengths of those it is given. */
  public enum TextRule {
    /** The function makes no text. */
    NO_TEXT,
    /** At most the first argument. */
    FIRST,
    /** At most the longest argument. */
    LONGEST,
    /** All arguments one after the other. */
    TOGETHER,
    /** The first argument in the other case, in which letters may take more bytes. */
    OTHER_CASE,
    /** Makes no text, but databases look at the first argument in the other case. */
    MATCHED_IN_OTHER_CASE,
    /** At most as many characters of the first argument as the last one says. */
    CUT,
    /** The first argument with every place of the second taken by the third. */
    REPLACED
  }

  /** Whether an interval around noisy arguments gives one around the value of a function. */
  public enum IntervalRule {
    /** Intervals go through the function: the ends of the arguments give those of the value. */
    PROPAGATED,
    /** None is known; asking for the error bar is refused. */
    NOT_PROPAGATED
  }

  /** How bounds of a value come from those of the arguments; the rules are {@code ExprRanges}. */
  public enum RangeRule {
    /** Nothing is known. */
    UNKNOWN,
    /** How many of something there are: not negative. */
    COUNT,
    SUM,
    DIFFERENCE,
    PRODUCT,
    QUOTIENT,
    REMAINDER,
    POWER,
    OPPOSITE,
    /** The argument without its sign. */
    SIZE,
    SIGN,
    /** The argument, to the next whole number below or above. */
    WHOLE,
    /** The argument, to as many digits as the second one says. */
    ROUNDED,
    ROOT,
    /** One of the arguments. */
    ANY,
    /** The first argument. */
    FIRST,
    LEAST,
    GREATEST,
    /** A day or moment as much later as the second argument says. */
    LATER,
    /** How many boundaries of a unit lie between two days or moments. */
    BOUNDARIES,
    /** A part of a day or moment. */
    PART
  }
}
