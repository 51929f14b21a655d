package flexdp.gateway.hostile;

import flexdp.gateway.hostile.HostileExprs.Name;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Calls of the functions that one or two databases have, of every family. In a template {@code {i}}
 * stands for a whole number, {@code {n}} for any number, {@code {t}} for text, {@code {d}} for a
 * day, {@code {s}} for a moment, {@code {m}} for a time of day, {@code {c}} for a condition and
 * {@code {x}} for more of the family itself.
 */
final class HostileSpellings {
  private static final List<String> WHOLE =
      List.of(
          "YEAR({d})",
          "QUARTER({s})",
          "MONTH({d})",
          "DAY({s})",
          "HOUR({s})",
          "MINUTE({m})",
          "SECOND({s})",
          "DAYOFWEEK({d})",
          "ISODOW({s})",
          "DAYOFYEAR({d})",
          "WEEK({d})",
          "WEEK({s}, 3)",
          "WEEKOFYEAR({s})",
          "YEARWEEK({d})",
          "YEARWEEK({s}, 3)",
          "WEEKDAY({s})",
          "DATEPART(weekday, {d})",
          "DATE_PART('month', {s})",
          "UNIX_TIMESTAMP({s})",
          "UNIXEPOCH({d})",
          "TIME_TO_SEC({m})",
          "EXTRACT(YEAR FROM age({s}, {s}))",
          "EXTRACT(MONTH FROM age({d}))",
          "DATEDIFF({d}, {s})",
          "DATEDIFF(week, {d}, {d})",
          "TIMESTAMPDIFF(MONTH, {s}, {s})",
          "TIMESTAMPDIFF(HOUR, {s}, {d})",
          "LENGTH({t})",
          "INSTR({t}, {t})",
          "LOCATE({t}, {t})",
          "CHARINDEX({t}, {t})",
          "WIDTH_BUCKET({n}, -5, 100, 7)",
          "RANGE_BUCKET({n}, [0, 1, 255])",
          "FIELD({t}, 'a', 'victim', '')",
          "ELT({i}, 1, 2, NULL)",
          "CHOOSE({i}, {i}, {i})",
          "IFNULL({i}, {i})",
          "NVL2({t}, {i}, {i})",
          "IF({c}, {i}, {i})",
          "ZEROIFNULL({i})",
          "NULLIFZERO({i})",
          "MOD({i}, {i})",
          "TRUNC({i}, -2)",
          "BITAND({i}, 7)",
          "TO_NUMBER({t})");

  private static final List<String> REAL =
      List.of(
          "LOG2({n})",
          "LOG({n})",
          "POW({n}, 2)",
          "SQUARE({n})",
          "SAFE_DIVIDE({n}, {n})",
          "DIV0({n}, {n})",
          "DIV0(EXTRACT(MINUTE FROM {s}), {n})",
          "MONTHS_BETWEEN({d}, {s})",
          "JULIANDAY({s})",
          "(JULIANDAY({d}) - JULIANDAY({d}))",
          "(PI() * {n})",
          "IIF({c}, {x}, {x})");

  private static final List<String> TEXTS =
      List.of(
          "LCASE({t})",
          "MID({t}, 2, {i})",
          "CONCAT({t}, {t}, {i})",
          "SPLIT_PART({t}, 'a', 2)",
          "SPLIT_PART({t}, ' ', -1)",
          "SUBSTRING_INDEX({t}, 'a', 1)",
          "DAYNAME({d})",
          "MONTHNAME({s})",
          "DATENAME(month, {s})",
          "TO_CHAR({s}, 'YYYY-MM-DD HH24:MI:SS')",
          "TO_CHAR({d}, 'Dy Mon')",
          "DATE_FORMAT({s}, '%Y-%m %H')",
          "STRFTIME({s}, '%Y-W%j')",
          "TO_VARCHAR({n})",
          "CONVERT(VARCHAR(7), {s}, 120)",
          "REGEXP_REPLACE({t}, 'a', 'bb', 'g')",
          "REGEXP_SUBSTR({t}, '^[a-z]{2}')",
          "REGEXP_EXTRACT({t}, '^(\\d{4})')",
          "FORMAT({n}, 2)",
          "printf('%.2f', {n})",
          "DECODE({t}, 'a', {t}, {t})",
          "ISNULL({t}, {t})");

  private static final List<String> DAYS =
      List.of(
          "EOMONTH({s})",
          "EOMONTH({d}, {i})",
          "LAST_DAY({s})",
          "DATE({s})",
          "DATE({s}, '+1 month', 'start of month')",
          "MAKE_DATE(YEAR({d}), MONTH({d}), 1)",
          "TO_DATE({t})",
          "TO_DATE('2024-02-29', 'YYYY-MM-DD')",
          "DATEADD(month, {i}, {d})",
          "DATE_ADD({d}, INTERVAL '1' YEAR)",
          "DATE_SUB({d}, INTERVAL {i} DAY)",
          "DATE_TRUNC({d}, WEEK)",
          "TRUNC({d}, 'month')");

  private static final List<String> MOMENTS =
      List.of(
          "DATETIME({s}, '-1 day', 'start of day')",
          "TO_TIMESTAMP({i})",
          "TIMESTAMP({d})",
          "DATEADD(hour, {i}, {s})",
          "TIMESTAMPADD(SECOND, {i}, {s})",
          "DATE_SUB({s}, INTERVAL {i} HOUR)",
          "TIME_SLICE({s}, 1, 'WEEK')",
          "DATEADD(day, DATEDIFF(day, 0, {s}), 0)",
          "COALESCE({s}, NOW())");

  private static final List<String> CONDITIONS =
      List.of(
          "{t} ~ '^a.?b*'",
          "{t} ~ 'a.*b'",
          "{t} ~* '^(a|vic).m$'",
          "{t} !~ '[a-c]|x{1,2}$'",
          "{t} ~ '^[a-z0-9._-]+@'",
          "{t} !~ '^[0-9]+$'",
          "{t} ~ '[^0-9 +]'",
          "PATINDEX('%[^a-z]%', {t}) > 0",
          "{t} SIMILAR TO '(a|victim)%'",
          "{t} RLIKE '\\d\\d'",
          "REGEXP_LIKE({t}, 'A', 'i')",
          "REGEXP_CONTAINS({t}, 'b.+')",
          "{t} GLOB 'a*[ab]?'",
          "{t} LIKE ANY ('a%', '%b', '\\%')",
          "{t} ILIKE ANY ('A%', '_')",
          "CONTAINS_SUBSTR({t}, 'A')",
          "{i} = ANY (ARRAY[0, 1, NULL])",
          "{t} IN UNNEST(['a', 'victim'])",
          "{i} = (SELECT MAX(v.a) FROM (VALUES (1), (2)) v(a))",
          "{n} NOT BETWEEN {n} AND {n}",
          "{s} LIKE '2024-02%'");

  /** All templates, whatever they make. */
  static List<String> templates() {
    return Stream.of(WHOLE, REAL, TEXTS, DAYS, MOMENTS, CONDITIONS).flatMap(List::stream).toList();
  }

  /** Every template once, over columns b, x, m, name, d and ts of a table t. */
  static List<String> questions() {
    List<String> all = new ArrayList<>();
    for (List<String> some : List.of(WHOLE, REAL, TEXTS, DAYS, MOMENTS)) {
      some.forEach(call -> all.add(counted("(" + call + ") IS NOT NULL")));
    }
    CONDITIONS.forEach(condition -> all.add(counted(condition)));
    return all;
  }

  private static String counted(String condition) {
    return "SELECT COUNT(*) AS n FROM t WHERE "
        + condition
            .replace("{i}", "b")
            .replaceFirst("\\{n\\}", "m")
            .replace("{n}", "x")
            .replace("{x}", "x")
            .replace("{t}", "name")
            .replace("{d}", "d")
            .replace("{s}", "ts")
            .replace("{m}", "ts")
            .replace("{c}", "name = 'a'");
  }

  private final HostileExprs exprs;

  HostileSpellings(HostileExprs exprs) {
    this.exprs = exprs;
  }

  /** A call whose result is of this family; none where no database has such functions. */
  String of(List<Name> scope, Family family, int depth) {
    List<String> templates =
        switch (family) {
          case INT, DEC -> WHOLE;
          case DBL -> REAL;
          case TEXT -> TEXTS;
          case DATE -> DAYS;
          case STAMP -> MOMENTS;
          case TIME -> List.of("TIME({s})", "CAST({t} AS TIME)");
          case BOOL -> CONDITIONS;
          case SPAN -> List.of("({s} - {s})", "({s} - {d})");
          case UUID, OPAQUE -> List.of("{x}");
        };
    return filled(exprs.one(templates), scope, family, depth);
  }

  private String filled(String template, List<Name> scope, Family family, int depth) {
    StringBuilder sql = new StringBuilder();
    for (int i = 0; i < template.length(); i++) {
      boolean hole = template.startsWith("{", i) && template.startsWith("}", i + 2);
      char what = hole ? template.charAt(i + 1) : ' ';
      if (!hole || Character.isDigit(what)) {
        sql.append(template.charAt(i));
        continue;
      }
      i += 2;
      sql.append(
          switch (what) {
            case 'i' -> exprs.of(scope, Family.INT, depth);
            case 'n' -> exprs.number(scope, depth);
            case 't' -> exprs.of(scope, Family.TEXT, depth);
            case 'd' -> exprs.of(scope, Family.DATE, depth);
            case 's' -> exprs.of(scope, Family.STAMP, depth);
            case 'm' -> exprs.of(scope, exprs.one(Family.TIME, Family.STAMP), depth);
            case 'c' -> exprs.condition(scope, depth);
            default -> exprs.leaf(scope, family);
          });
    }
    return sql.toString();
  }
}
