package flexdp.sql.function;

import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.Function;
import flexdp.policy.InputDialect;
import flexdp.policy.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.sql.SqlCall;

/** Dates as text: the numeric fields of TO_CHAR and DATE_FORMAT, composed from EXTRACT. */
final class DateFormats {
  /** TO_CHAR, in any case; HH is of twelve hours there. */
  private static final String[][] TO_CHAR = {
    {"IYYY", "ISOYEAR", "4"},
    {"YYYY", "YEAR", "4"},
    {"YY", "YEAR", "2"},
    {"DDD", "DOY", "3"},
    {"IW", "WEEK", "2"},
    {"Q", "QUARTER", "1"},
    {"MM", "MONTH", "2"},
    {"DD", "DAY", "2"},
    {"HH24", "HOUR", "2"},
    {"MI", "MINUTE", "2"},
    {"SS", "SECOND", "2"},
  };

  /** Letters of Java, as Spark has them. */
  private static final String[][] LETTERS = {
    {"YYYY", "YEAR", "4"},
    {"yyyy", "YEAR", "4"},
    {"MMMM", "month", "9"},
    {"MMM", "month", "3"},
    {"MM", "MONTH", "2"},
    {"dddd", "day", "9"},
    {"ddd", "day", "3"},
    {"DD", "DAY", "2"},
    {"dd", "DAY", "2"},
    {"HH24", "HOUR", "2"},
    {"HH", "HOUR", "2"},
    {"MI", "MINUTE", "2"},
    {"mm", "MINUTE", "2"},
    {"SS", "SECOND", "2"},
    {"ss", "SECOND", "2"},
  };

  private static final String[][] PERCENT = {
    {"%Y", "YEAR", "4"},
    {"%m", "MONTH", "2"},
    {"%d", "DAY", "2"},
    {"%H", "HOUR", "2"},
    {"%S", "SECOND", "2"},
    {"%j", "DOY", "3"},
    {"%w", "DOW", "1"},
    {"%y", "YEAR", "2"},
    {"%a", "day", "3"},
    {"%b", "month", "3"},
  };

  /** Names of PostgreSQL's TO_CHAR, which fills them up with blanks to the longest. */
  private static final String[][] NAMES = {
    {"FMMonth", "month", "9"},
    {"FMDay", "day", "9"},
    {"FMMONTH", "month", "9", "capitals"},
    {"FMDAY", "day", "9", "capitals"},
    {"Month", "month", "9", "padded"},
    {"Day", "day", "9", "padded"},
    {"MONTH", "month", "9", "padded capitals"},
    {"DAY", "day", "9", "padded capitals"},
    {"Mon", "month", "3"},
    {"MON", "month", "3", "capitals"},
    {"Dy", "day", "3"},
    {"DY", "day", "3", "capitals"},
  };

  /** MySQL's own; its %M is the name of the month. */
  private static final String[][] DATE_FORMAT = {
    {"%i", "MINUTE", "2"},
    {"%s", "SECOND", "2"},
    {"%M", "month", "9"},
    {"%W", "day", "9"},
  };

  /** Of C; its %s counts from 1970. */
  private static final String[][] STRFTIME = {
    {"%M", "MINUTE", "2"},
    {"%A", "day", "9"},
    {"%B", "month", "9"},
    {"%s", "EPOCH", "0"},
  };

  private DateFormats() {}

  static Expr format(Arguments a) {
    boolean swapped = a.any(0) instanceof Expr.Literal first && isFormat(first);
    Expr x = a.any(swapped ? 1 : 0);
    x = x instanceof Expr.Literal ? a.moment(swapped ? 1 : 0) : a.date(swapped ? 1 : 0);
    if (!(a.any(swapped ? 0 : 1) instanceof Expr.Literal format)
        || format.type().kind() != Type.Kind.VARCHAR
        || format.isNull()) {
      throw Rejections.types("The format must be a constant.", "Write it as text.", a.at());
    }
    String function = FunctionFinder.nameOf(a.call());
    return format(x, expanded((String) format.value(), function), function, a);
  }

  /**
   * Whether a dialect compares moments as texts with a pattern: {@code t LIKE '2025-03%'} reads no
   * more than seconds, which all of them write alike.
   */
  static boolean isTextToo(SqlCall like, FunctionContext around) {
    return (around.dialect() == InputDialect.MYSQL || around.dialect() == InputDialect.SQLITE)
        && around.bind(like.operand(1)) instanceof Expr.Literal literal
        && literal.value() instanceof String pattern
        && pattern.matches("[0-9: _-]{1,19}%");
  }

  /** A day or moment as 2025-03-31 23:59:59. */
  static Expr iso(Expr x) {
    boolean day = x.type().kind() == Type.Kind.DATE;
    String pattern = day ? "YYYY-MM-DD" : "YYYY-MM-DD HH24:MI:SS";
    List<Expr> parts = new ArrayList<>();
    for (int i = 0; i < pattern.length(); ) {
      String[] field = field(known("TO_CHAR", pattern), pattern, i);
      parts.add(field == null ? Exprs.text(pattern.substring(i, i + 1)) : part(field, x));
      i += field == null ? 1 : field[0].length();
    }
    return new Expr.Call(Function.CONCAT, parts, Type.VARCHAR);
  }

  /** The styles of T-SQL's CONVERT that are numbers only. */
  static Expr styled(Expr x, int style, int length, Arguments a) {
    String whole =
        switch (style) {
          case 23 -> "YYYY-MM-DD";
          case 101 -> "MM/DD/YYYY";
          case 103 -> "DD/MM/YYYY";
          case 104 -> "DD.MM.YYYY";
          case 108 -> "HH24:MI:SS";
          case 112 -> "YYYYMMDD";
          case 120 -> "YYYY-MM-DD HH24:MI:SS";
          case 126 -> "YYYY-MM-DDTHH24:MI:SS";
          default ->
              throw Rejections.unsupported(
                  "This style of CONVERT", "Use FORMAT(x, '…').", a.call());
        };
    // A short text of a date reads no more of it than it shows.
    boolean iso = whole.startsWith("YYYY-MM-DD");
    String pattern =
        iso && (length == 4 || length == 7 || length == 10) ? whole.substring(0, length) : whole;
    return format(x, pattern, "TO_CHAR", a);
  }

  /** Short words for several fields, written out. */
  static String expanded(String pattern, String function) {
    return pattern
        .replace("%F", "%Y-%m-%d")
        .replace("%T", function.equals("DATE_FORMAT") ? "%H:%i:%s" : "%H:%M:%S");
  }

  private static Expr format(Expr x, String pattern, String function, Arguments a) {
    if (pattern.isEmpty()) {
      throw Rejections.types("The format is empty.", "Name parts of the date in it.", a.at());
    }
    List<String[][]> known = known(function, pattern);
    List<Expr> parts = new ArrayList<>();
    for (int i = 0; i < pattern.length(); ) {
      String[] field = field(known, pattern, i);
      if (field != null) {
        parts.add(part(field, x));
        i += field[0].length();
      } else if (pattern.charAt(i) == '"' && pattern.indexOf('"', i + 1) > 0) {
        int end = pattern.indexOf('"', i + 1);
        parts.add(Exprs.text(pattern.substring(i + 1, end)));
        i = end + 1;
      } else if (Character.isLetter(pattern.charAt(i)) && pattern.charAt(i) != 'T'
          || pattern.charAt(i) == '%') {
        throw Rejections.unsupported(
            "The date format '" + TextLiterals.shown(pattern) + "'",
            "Use DATE_TRUNC or EXTRACT.",
            a.call());
      } else {
        parts.add(Exprs.text(pattern.substring(i, ++i)));
      }
    }
    return parts.size() == 1 ? parts.get(0) : new Expr.Call(Function.CONCAT, parts, Type.VARCHAR);
  }

  private static Expr part(String[] field, Expr x) {
    String how = field.length > 3 ? field[3] : "";
    return switch (field[1]) {
      case "day", "month" ->
          CalendarFunctions.name(
              field[1].equals("day"),
              x,
              digits(field),
              how.contains("padded"),
              how.contains("capitals"));
      case "EPOCH" -> new Expr.Cast(CalendarFunctions.part("EPOCH", x), Type.VARCHAR);
      default -> padded(field[1], digits(field), x);
    };
  }

  static int digits(String[] field) {
    return Integer.parseInt(field[2]);
  }

  /** The number that a part of a date is the text of: SQLite computes with such text. */
  static Optional<Expr> number(Expr text) {
    if (text instanceof Expr.Call right
        && right.function() == Function.RIGHT
        && right.arguments().get(0) instanceof Expr.Call concat
        && concat.function() == Function.CONCAT
        && concat.arguments().getLast() instanceof Expr.Cast cast
        && cast.operand() instanceof Expr.Call part
        && part.function() == Function.EXTRACT) {
      return Optional.of(part);
    }
    return text instanceof Expr.Cast cast
            && cast.type().kind() == Type.Kind.VARCHAR
            && cast.operand() instanceof Expr.Call part
            && part.function() == Function.EXTRACT
        ? Optional.of(part)
        : Optional.empty();
  }

  private static boolean isFormat(Expr.Literal literal) {
    return literal.value() instanceof String text && text.indexOf('%') >= 0;
  }

  /** One letter means different things in different functions: what a format may say here. */
  static List<String[][]> known(String function, String pattern) {
    if (pattern.indexOf('%') >= 0) {
      return List.of(PERCENT, function.equals("DATE_FORMAT") ? DATE_FORMAT : STRFTIME);
    }
    return function.equals("TO_CHAR") ? List.of(NAMES, TO_CHAR) : List.<String[][]>of(LETTERS);
  }

  static String[] field(List<String[][]> known, String pattern, int at) {
    for (String[][] fields : known) {
      boolean anyCase = fields == TO_CHAR;
      for (String[] field : fields) {
        if (pattern.regionMatches(anyCase, at, field[0], 0, field[0].length())) {
          return field;
        }
      }
    }
    return null;
  }

  private static Expr padded(String unit, int digits, Expr x) {
    Expr number = Exprs.call(Function.EXTRACT, Type.BIGINT, Exprs.text(unit), x);
    Expr padded =
        Exprs.call(
            Function.CONCAT,
            Type.VARCHAR,
            Exprs.text("0".repeat(digits)),
            new Expr.Cast(number, Type.VARCHAR));
    return Exprs.call(Function.RIGHT, Type.VARCHAR, padded, Exprs.integer(digits));
  }
}
