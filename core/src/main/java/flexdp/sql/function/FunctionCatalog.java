package flexdp.sql.function;

import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.Function;
import flexdp.policy.DialectSpelling;
import flexdp.policy.SpellingMeaning;
import flexdp.policy.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Every function that a question may call: its names in the dialects, how many arguments it takes,
 * and what it becomes. docs/functions.md says the same in words.
 */
public final class FunctionCatalog {
  private static final int MANY = 100_000;

  /** Makes the expression of a call. */
  interface Builder {
    Expr build(Arguments arguments);
  }

  /** How many arguments a function takes and what it becomes. */
  record Entry(int least, int most, Builder builder) {}

  private static final Map<String, Entry> ENTRIES = new HashMap<>(512);

  private FunctionCatalog() {}

  static Entry find(String name) {
    return ENTRIES.get(name);
  }

  public static List<String> names() {
    List<String> names = new ArrayList<>();
    for (String name : ENTRIES.keySet()) {
      names.add(name.toLowerCase(Locale.ROOT));
    }
    names.sort(null);
    return names;
  }

  static void add(String names, int least, int most, Builder builder) {
    Entry entry = new Entry(least, most, builder);
    for (String name : names.split(" ")) {
      ENTRIES.put(name, entry);
    }
  }

  static {
    // Numbers.
    add(
        "ABS",
        1,
        1,
        a -> NumberFunctions.same(Function.ABS, OperatorFunctions.wide(a.number(0), a.dialect())));
    add("SIGN SGN", 1, 1, a -> NumberFunctions.sign(a));
    add("FLOOR", 1, 2, a -> DateFunctions.orNumber(Function.FLOOR, a));
    add("CEIL CEILING", 1, 2, a -> DateFunctions.orNumber(Function.CEIL, a));
    add("ROUND", 1, 2, NumberFunctions::round);
    add("TRUNC TRUNCATE", 1, 2, DateFunctions::truncate);
    add("SQRT", 1, 1, a -> NumberFunctions.real(Function.SQRT, a.number(0)));
    add("LN", 1, 1, a -> NumberFunctions.real(Function.LN, a.number(0)));
    add("LOG10", 1, 1, a -> NumberFunctions.real(Function.LOG10, a.number(0)));
    add("LOG2", 1, 1, a -> NumberFunctions.log(Exprs.integer(2), a.number(0)));
    add("LOG", 1, 2, NumberFunctions::log);
    add("EXP", 1, 1, a -> NumberFunctions.real(Function.EXP, a.number(0)));
    add("POWER POW", 2, 2, a -> NumberFunctions.real(Function.POWER, a.number(0), a.number(1)));
    add("SQUARE", 1, 1, a -> NumberFunctions.real(Function.POWER, a.number(0), Exprs.integer(2)));
    add("MOD", 2, 2, a -> OperatorFunctions.mod(a.any(0), a.any(1), a.at()));
    add("DIV", 2, 2, a -> NumberFunctions.divided(a));
    add("WIDTH_BUCKET", 4, 4, WidthBucket::of);
    add("DP_BLOCK", 2, 2, BlockFunction::of);
    add("PI", 0, 0, a -> new Expr.Literal(Math.PI, Type.DOUBLE));

    // Choice.
    add(
        "COALESCE IFNULL NVL",
        1,
        MANY,
        a -> ConditionalFunctions.of(Function.COALESCE, a.all(), a));
    add("ISNULL", 1, 2, ConditionalFunctions::isNull);
    add("NVL2", 3, 3, ConditionalFunctions::ifNotNull);
    add("NULLIF", 2, 2, ConditionalFunctions::nullIf);
    add("IF IIF IFF", 2, 3, ConditionalFunctions::ifThen);
    add("DECODE", 3, MANY, ConditionalFunctions::decode);
    add("LEAST", 1, MANY, a -> ConditionalFunctions.extreme(Function.LEAST, a));
    add("GREATEST", 1, MANY, a -> ConditionalFunctions.extreme(Function.GREATEST, a));
    add("ZEROIFNULL", 1, 1, a -> ConditionalFunctions.zeroIfNull(a.number(0), a.at()));
    add("NULLIFZERO", 1, 1, a -> ConditionalFunctions.nullIfZero(a.number(0), a.at()));

    // Text.
    add("LOWER LCASE", 1, 1, a -> TextFunctions.letters(Function.LOWER, Function.LOWER_ASCII, a));
    add("UPPER UCASE", 1, 1, a -> TextFunctions.letters(Function.UPPER, Function.UPPER_ASCII, a));
    add("TRIM BTRIM", 1, 3, TextFunctions::trim);
    add("LTRIM", 1, 2, a -> TextFunctions.trim(Function.LTRIM, a));
    add("RTRIM", 1, 2, a -> TextFunctions.trim(Function.RTRIM, a));
    add("SUBSTRING SUBSTR MID", 2, 3, SubstringFunctions::of);
    add("LEFT", 2, 2, a -> TextFunctions.part(Function.LEFT, a));
    add("RIGHT", 2, 2, a -> TextFunctions.part(Function.RIGHT, a));
    add("REVERSE", 1, 1, a -> TextFunctions.text(Function.REVERSE, a.text(0)));
    add(
        "REPLACE",
        3,
        3,
        a -> TextFunctions.text(Function.REPLACE, a.text(0), a.text(1), a.text(2)));
    add(
        "CHAR_LENGTH CHARACTER_LENGTH",
        1,
        1,
        a -> TextFunctions.length(SpellingMeaning.CHARACTERS, a));
    add("LENGTH", 1, 1, a -> TextFunctions.length(DialectSpelling.LENGTH.in(a.dialect()), a));
    add("LEN", 1, 1, a -> TextFunctions.length(DialectSpelling.LEN.in(a.dialect()), a));
    add("OCTET_LENGTH", 1, 1, a -> TextFunctions.length(SpellingMeaning.BYTES, a));
    add("POSITION LOCATE CHARINDEX", 2, 2, a -> TextFunctions.position(a, 0, 1));
    add("STRPOS INSTR", 2, 2, a -> TextFunctions.position(a, 1, 0));
    add("CONTAINS", 2, 2, a -> TextFunctions.contains(a.text(0), a.text(1)));
    add(
        "STARTS_WITH STARTSWITH PREFIX",
        2,
        2,
        a -> Exprs.test(Function.STARTS_WITH, a.text(0), a.text(1)));
    add("ENDS_WITH ENDSWITH SUFFIX", 2, 2, a -> TextFunctions.endsWith(a.text(0), a.text(1)));
    add(
        "||",
        2,
        MANY,
        a -> OperatorFunctions.concat(TextFunctions.texts(a, DialectSpelling.TRUTH)));
    add("CONCAT", 1, MANY, TextFunctions::concat);
    add("TO_CHAR DATE_FORMAT STRFTIME FORMAT_DATE", 2, 2, DateFormats::format);

    // Dates and times; the clock is read once per question.
    add(
        "NOW CURRENT_TIMESTAMP LOCALTIMESTAMP GETDATE SYSDATE SYSTIMESTAMP TRANSACTION_TIMESTAMP"
            + " STATEMENT_TIMESTAMP UTC_TIMESTAMP GETUTCDATE",
        0,
        1,
        a -> FunctionFinder.moment(a.now()));
    add("CURRENT_DATE CURDATE TODAY UTC_DATE", 0, 0, a -> FunctionFinder.today(a.now()));
    add(
        "CURRENT_TIME LOCALTIME CURTIME",
        0,
        1,
        a -> new Expr.Literal(a.now().toLocalTime(), Type.TIME));
    add("YEAR", 1, 1, a -> DateFunctions.extract("YEAR", a.any(0), a.at()));
    add("QUARTER", 1, 1, a -> DateFunctions.extract("QUARTER", a.any(0), a.at()));
    add("MONTH", 1, 1, a -> DateFunctions.extract("MONTH", a.any(0), a.at()));
    add(
        "WEEKOFYEAR WEEK_OF_YEAR WEEK_ISO",
        1,
        1,
        a -> DateFunctions.extract("WEEK", a.any(0), a.at()));
    add("DAY DAYOFMONTH DAY_OF_MONTH", 1, 1, a -> DateFunctions.extract("DAY", a.any(0), a.at()));
    add("HOUR", 1, 1, a -> DateFunctions.extract("HOUR", a.any(0), a.at()));
    add("MINUTE", 1, 1, a -> DateFunctions.extract("MINUTE", a.any(0), a.at()));
    add("SECOND", 1, 1, a -> DateFunctions.extract("SECOND", a.any(0), a.at()));
    add("DOW", 1, 1, a -> CalendarFunctions.dayOfWeek(DialectSpelling.DOW, a));
    add(
        "ISODOW DAY_OF_WEEK DAYOFWEEK_ISO",
        1,
        1,
        a -> DateFunctions.extract("ISODOW", a.any(0), a.at()));
    add("DOY DAYOFYEAR DAY_OF_YEAR", 1, 1, a -> DateFunctions.extract("DOY", a.any(0), a.at()));
    add("EPOCH UNIX_TIMESTAMP TO_UNIXTIME", 0, 1, DateFunctions::epoch);
    add("FROM_UNIXTIME", 1, 1, DateFunctions::fromEpoch);
    add("DATE_TRUNC TIMESTAMP_TRUNC DATETIME_TRUNC DATETRUNC", 2, 2, DateFunctions::trunc);
    add("DATE", 1, 9, DateFunctions::date);
    add("TIMESTAMP", 1, 1, a -> CastFunctions.cast(a.any(0), Type.TIMESTAMP, a.at()));
    add(
        "DATE_ADD DATEADD ADDDATE TIMESTAMPADD TIMESTAMP_ADD DATETIME_ADD",
        2,
        3,
        a -> DateFunctions.add(a, false));
    add(
        "DATE_SUB DATESUB SUBDATE DATE_SUBTRACT TIMESTAMP_SUB DATETIME_SUB",
        2,
        3,
        a -> DateFunctions.add(a, true));
    add("ADD_MONTHS", 2, 2, a -> DateFunctions.addMonths(a.date(0), a.integer(1), a.at()));
    add(
        "DATEDIFF DATE_DIFF TIMESTAMPDIFF TIMESTAMP_DIFF DATETIME_DIFF",
        2,
        3,
        DateFunctions::difference);
    add("MAKE_DATE DATEFROMPARTS DATE_FROM_PARTS", 3, 3, DateFunctions::made);
    add("INTERVAL", 2, 2, DateFunctions::interval);

    DialectFunctions.addAll();

    // Error bars.
    add("DP_INTERVAL_LOW", 1, 1, a -> a.bar(Function.INTERVAL_LOW));
    add("DP_INTERVAL_HIGH", 1, 1, a -> a.bar(Function.INTERVAL_HIGH));
  }
}
