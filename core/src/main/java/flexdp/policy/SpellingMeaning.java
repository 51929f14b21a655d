package flexdp.policy;

/**
 * One sense of a spelling that dialects do not read alike; {@link DialectSpelling} says which reads
 * it how.
 */
public enum SpellingMeaning {
  WHOLE("3"),
  REAL("3.5"),
  OWN_WIDTH("as wide as the wider one, and 32 bits"),
  LONG("64 bits"),
  ANY_NUMBER("any number, rounded"),
  DIGITS("digits and a sign, with blanks around them"),
  ROUNDED("3"),
  CUT("2"),
  DECIMAL_38_10("decimal(38, 10)"),
  DECIMAL_38_9("decimal(38, 9)"),
  DECIMAL_38_0("decimal(38, 0)"),
  DECIMAL_18_3("decimal(18, 3)"),
  DECIMAL_18_0("decimal(18, 0)"),
  DECIMAL_10_0("decimal(10, 0)"),
  AWAY("3"),
  EVEN("2, the even one"),
  NO_POINT("`3`"),
  POINT_AND_ZERO("`3.0`"),
  FILLED_UP("`3.00`"),
  TENS("to tens"),
  ONES("as `ROUND(x)`"),
  EXACT_REST("the rest, with what is after the point"),
  WHOLE_REST("the rest of the whole parts"),
  WHOLE_NUMBER("a whole number"),
  SAME_TYPE("a number as x is"),
  ADDS_DAYS("so many days later, and days between"),
  NO_SENSE("sums of digits, refused"),
  DECIMAL_LOG("to the base 10"),
  NATURAL("natural"),
  BASE_FIRST("a is the base"),
  BASE_LAST("b is the base"),
  NULL_LARGEST("NULL comes last, and first with DESC"),
  NULL_SMALLEST("first, and last with DESC"),
  NULL_LAST("last, with DESC too"),
  NULL_PASSED_OVER("NULLs are passed over"),
  NULL_WINS("NULL if one is"),
  WORDS("`true`, `false`"),
  LETTERS("`t`, `f`"),
  NUMBERS("`1`, `0`"),
  BARE("`2`"),
  POINT_ZERO("`2.0`"),
  SAME_CASE("case counts"),
  ASCII_CASE("the case of ASCII letters does not count"),
  ANY_CASE("case does not count"),
  ALL_LETTERS("all letters"),
  ASCII_LETTERS("ASCII letters"),
  PLAIN_BACKSLASH("a backslash is a character"),
  ESCAPING_BACKSLASH("a backslash escapes what follows"),
  BEFORE("places before the first character, which take up length"),
  FROM_END("counted from the end; 0, and what is beyond it, before the first character"),
  FROM_END_OR_EMPTY("counted from the end; 0, and what is beyond it, empty"),
  FROM_END_OR_FIRST("counted from the end; 0, and what is beyond it, as 1"),
  FROM_END_OR_ONE("counted from the end, what is beyond it empty; 0 as 1"),
  ALL_BUT("all but so many"),
  NOTHING("empty"),
  NO_VALUE("NULL"),
  SPACES("spaces"),
  UNICODE_SPACES("spaces of Unicode"),
  JAVA_WHITESPACE("whitespace: spaces that break, tabs, ends of lines"),
  UNICODE_WHITESPACE("whitespace of Unicode"),
  CHARACTERS("characters"),
  BYTES("bytes of UTF-8"),
  NO_BLANKS("characters, without blanks at the end"),
  SAMPLE("of a sample"),
  POPULATION("of the whole population"),
  MONDAY_0("Monday is 0"),
  SUNDAY_0("Sunday is 0"),
  SUNDAY_1("Sunday is 1"),
  MONDAY_1("Monday is 1, Sunday 7"),
  ISO("ISO"),
  WEEK_0("from Sunday, beginning with 0"),
  WEEK_OF_SUNDAY("that of its Sunday"),
  JANUARY_1("from Sunday, the first of January in week 1"),
  FROM_MONDAY("from Monday"),
  FROM_SUNDAY("from Sunday"),
  SEVEN_DAYS("every seven days"),
  BOUNDARIES("boundaries crossed"),
  COMPLETE("units that are over, to the second"),
  IN_FULL("in full"),
  THREE_LETTERS("three letters"),
  ANYWHERE("anywhere in the text"),
  ENTIRE("of the whole text");

  private final String words;

  SpellingMeaning(String words) {
    this.words = words;
  }

  /** As docs/dialects.md says it. */
  public String words() {
    return words;
  }
}
