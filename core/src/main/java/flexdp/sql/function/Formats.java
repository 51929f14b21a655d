package flexdp.sql.function;

import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.Function;
import flexdp.policy.Type;
import java.util.ArrayList;
import java.util.List;

/** Dates as text: the numeric fields of TO_CHAR and DATE_FORMAT, composed from EXTRACT. */
final class Formats {
  /** TO_CHAR, in any case; HH is of twelve hours there. */
  private static final String[][] TO_CHAR = {
    {"YYYY", "YEAR", "4"},
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
    {"MM", "MONTH", "2"},
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
  };

  /** MySQL's own; its %M is the name of the month. */
  private static final String[][] DATE_FORMAT = {{"%i", "MINUTE", "2"}, {"%s", "SECOND", "2"}};

  /** Of C; its %s counts from 1970. */
  private static final String[][] STRFTIME = {{"%M", "MINUTE", "2"}};

  private Formats() {}

  static Expr format(Arguments a) {
    boolean swapped = a.any(0) instanceof Expr.Literal first && isFormat(first);
    Expr x = a.date(swapped ? 1 : 0);
    if (!(a.any(swapped ? 0 : 1) instanceof Expr.Literal format)
        || format.type().kind() != Type.Kind.VARCHAR
        || format.isNull()) {
      throw Reject.types("The format must be a constant.", "Write it as text.", a.at());
    }
    String pattern = (String) format.value();
    List<String[][]> known = known(FunctionFinder.nameOf(a.call()), pattern);
    List<Expr> parts = new ArrayList<>();
    for (int i = 0; i < pattern.length(); ) {
      String[] field = field(known, pattern, i);
      if (field != null) {
        parts.add(padded(field[1], Integer.parseInt(field[2]), x));
        i += field[0].length();
      } else if (Character.isLetter(pattern.charAt(i)) && pattern.charAt(i) != 'T'
          || pattern.charAt(i) == '%') {
        throw Reject.unsupported(
            "The date format '" + TextLiterals.shown(pattern) + "'",
            "Use DATE_TRUNC or EXTRACT.",
            a.call());
      } else {
        parts.add(Exprs.text(pattern.substring(i, ++i)));
      }
    }
    return new Expr.Call(Function.CONCAT, parts, Type.VARCHAR);
  }

  private static boolean isFormat(Expr.Literal literal) {
    return literal.value() instanceof String text && text.indexOf('%') >= 0;
  }

  /** One letter means different things in different functions: what a format may say here. */
  private static List<String[][]> known(String function, String pattern) {
    if (pattern.indexOf('%') >= 0) {
      return List.of(PERCENT, function.equals("DATE_FORMAT") ? DATE_FORMAT : STRFTIME);
    }
    return List.<String[][]>of(function.equals("TO_CHAR") ? TO_CHAR : LETTERS);
  }

  private static String[] field(List<String[][]> known, String pattern, int at) {
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
