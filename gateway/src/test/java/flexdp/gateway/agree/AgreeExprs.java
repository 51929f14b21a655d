package flexdp.gateway.agree;

import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Expressions of every function, in anybody's words: a database that does not know one is not asked
 * it. In a template {@code {i}} stands for a whole number, {@code {k}} for a small constant, {@code
 * {n}} for any number, {@code {t}} for text, {@code {l}} for a constant text, {@code {d}} for a
 * day, {@code {m}} for a moment, {@code {c}} for a condition.
 */
final class AgreeExprs {
  static final List<String> WHOLE =
      List.of(
          "{i} + {i}",
          "{i} - {k}",
          "{i} * {k}",
          "{i} * 30000000",
          "{i} / {k}",
          "{i} % {k}",
          "MOD({i}, {k})",
          "-{i}",
          "ABS({i})",
          "SIGN({i})",
          "ROUND({i}, -1)",
          "FLOOR({n})",
          "CEIL({n})",
          "ROUND({n})",
          "CAST({n} AS INTEGER)",
          "CAST({n} AS BIGINT)",
          "CAST({n} AS SIGNED)",
          "CAST({c} AS INTEGER)",
          "LEAST({i}, {k})",
          "GREATEST({i}, {i})",
          "MIN({i}, {k})",
          "MAX({i}, {i})",
          "COALESCE({i}, {k})",
          "NULLIF({i}, {k})",
          "IFNULL({i}, {k})",
          "CASE WHEN {c} THEN {i} ELSE {k} END",
          "CASE {i} WHEN {k} THEN 1 WHEN 3 THEN 2 END",
          "LENGTH({t})",
          "CHAR_LENGTH({t})",
          "OCTET_LENGTH({t})",
          "POSITION({l} IN {t})",
          "STRPOS({t}, {l})",
          "INSTR({t}, {l})",
          "LOCATE({l}, {t})",
          "EXTRACT(YEAR FROM {d})",
          "EXTRACT(MONTH FROM {m})",
          "EXTRACT(DAY FROM {d})",
          "EXTRACT(HOUR FROM {m})",
          "EXTRACT(MINUTE FROM {m})",
          "EXTRACT(QUARTER FROM {d})",
          "EXTRACT(WEEK FROM {d})",
          "EXTRACT(DOW FROM {d})",
          "EXTRACT(ISODOW FROM {d})",
          "EXTRACT(DOY FROM {d})",
          "EXTRACT(ISOYEAR FROM {d})",
          "EXTRACT(EPOCH FROM {m})",
          "DATE_PART('week', {d})",
          "YEAR({d})",
          "MONTH({m})",
          "DAY({d})",
          "QUARTER({d})",
          "WEEK({d})",
          "WEEK({d}, 3)",
          "YEARWEEK({d})",
          "WEEKOFYEAR({d})",
          "WEEKDAY({d})",
          "DAYOFWEEK({d})",
          "DAYOFYEAR({d})",
          "DAYOFMONTH({m})",
          "HOUR({m})",
          "MINUTE({m})",
          "SECOND({m})",
          "ISODOW({d})",
          "DATE_DIFF('day', {d}, {d})",
          "DATE_DIFF('week', {d}, {d})",
          "DATE_DIFF('month', {d}, {d})",
          "DATE_DIFF('year', {m}, {m})",
          "DATE_DIFF('hour', {m}, {m})",
          "DATEDIFF({d}, {d})",
          "DATEDIFF('quarter', {d}, {d})",
          "TIMESTAMPDIFF(MONTH, {m}, {m})",
          "TIMESTAMPDIFF(HOUR, {m}, {m})",
          "TIMESTAMPDIFF(DAY, {m}, {m})",
          "TIMESTAMPDIFF(YEAR, {d}, {d})",
          "{d} - {d}",
          "UNIX_TIMESTAMP({m})",
          "UNIXEPOCH({m})",
          "TIME_TO_SEC(TIMEDIFF({m}, {m}))",
          "TRUNC({n})",
          "TRUNCATE({n}, 0)",
          "DIV({i}, {k})",
          "{i} DIV {k}",
          "WIDTH_BUCKET({x}, -5, 10, 6)",
          "FIELD({t}, 'hello', 'abc')",
          "ELT({k}, {i}, {k})",
          "IF({c}, {i}, {k})",
          "IIF({c}, {i}, {k})");

  static final List<String> NUMBER =
      List.of(
          "{n} + {n}",
          "{n} - {n}",
          "{n} * {k}",
          "{n} / {k}",
          "{x} * {x}",
          "{x} / {x}",
          "ROUND({n}, 1)",
          "ROUND({x})",
          "SQRT({n})",
          "LN({n})",
          "LOG({n})",
          "LOG({k}, {n})",
          "LOG10({n})",
          "LOG2({n})",
          "EXP({k})",
          "POWER({x}, 2)",
          "ABS({n})",
          "SIGN({x})",
          "LEAST({n}, {n})",
          "GREATEST({x}, {n})",
          "COALESCE({n}, {k})",
          "NULLIF({n}, {k})",
          "CAST({n} AS DECIMAL(12, 1))",
          "CAST({x} AS DECIMAL)",
          "CAST({i} AS DOUBLE PRECISION)",
          "CAST({t} AS DECIMAL(9, 2))",
          "CASE WHEN {c} THEN {n} END",
          "PI()",
          "JULIANDAY({m})",
          "{x} % {k}");

  static final List<String> TEXT =
      List.of(
          "LOWER({t})",
          "UPPER({t})",
          "TRIM({t})",
          "LTRIM({t})",
          "RTRIM({t})",
          "REVERSE({t})",
          "SUBSTR({t}, {k})",
          "SUBSTR({t}, {k}, {k})",
          "SUBSTRING({t}, -2)",
          "SUBSTRING({t}, 0, 3)",
          "SUBSTRING({t} FROM 2 FOR 3)",
          "SUBSTR({t}, {i}, 2)",
          "LEFT({t}, {k})",
          "RIGHT({t}, {k})",
          "REPLACE({t}, {l}, {l})",
          "CONCAT({t}, '-', {i})",
          "CONCAT({t}, {t})",
          "CONCAT({c}, 'x')",
          "{t} || {t}",
          "COALESCE({t}, 'n/a')",
          "NULLIF({t}, {l})",
          "CAST({i} AS VARCHAR(20))",
          "CAST({i} AS CHAR(20))",
          "CAST({c} AS VARCHAR(20))",
          "CAST({d} AS VARCHAR(20))",
          "CASE WHEN {c} THEN {t} ELSE {l} END",
          "SPLIT_PART({t}, '-', 2)",
          "SPLIT_PART({t}, '-', -1)",
          "SUBSTRING_INDEX({t}, '-', 1)",
          "DAYNAME({d})",
          "MONTHNAME({d})",
          "TO_CHAR({m}, 'YYYY-MM-DD HH24:MI')",
          "STRFTIME('%Y-%m', {m})",
          "STRFTIME({m}, '%Y-%m')",
          "DATE_FORMAT({m}, '%Y-%m')",
          "LEAST({u}, {u})",
          "GREATEST({u}, 'b')",
          "ELT({k}, {t}, {t})");

  static final List<String> DAY =
      List.of(
          "{d} + {k}",
          "{d} + INTERVAL '1' DAY",
          "CAST({d} + INTERVAL '1' MONTH AS DATE)",
          "DATE_ADD({d}, INTERVAL 1 MONTH)",
          "DATE_SUB({d}, INTERVAL 1 YEAR)",
          "DATE({m})",
          "DATE({d}, '+1 month')",
          "DATE({d}, '-1 month')",
          "DATE({d}, '+1 year')",
          "DATE({d}, 'start of month', '+1 month')",
          "CAST({m} AS DATE)",
          "LAST_DAY({d})",
          "COALESCE({d}, {d})",
          "LEAST({d}, {d})",
          "GREATEST({d}, {d})",
          "CASE WHEN {c} THEN {d} END",
          "CAST(DATE_TRUNC('month', {d}) AS DATE)",
          "CAST(DATE_TRUNC('week', {d}) AS DATE)",
          "MAKE_DATE(2024, 2, 29)");

  static final List<String> MOMENT =
      List.of(
          "{m} + INTERVAL '1' HOUR",
          "DATE_TRUNC('hour', {m})",
          "DATE_TRUNC('month', {m})",
          "DATE_TRUNC('quarter', {m})",
          "DATE_ADD({m}, INTERVAL 90 MINUTE)",
          "DATETIME({m}, '+1 month')",
          "COALESCE({m}, {m})",
          "GREATEST({m}, {m})",
          "FROM_UNIXTIME({i})");

  static final List<String> CONDITION =
      List.of(
          "{i} > {k}",
          "{n} <= {n}",
          "{x} = {k}",
          "{i} <> {i}",
          "{i} IN (3, 5, 10)",
          "{i} NOT IN (3, NULL)",
          "{n} BETWEEN -1 AND 3",
          "{t} IS NULL",
          "LEAST({i}, 5) IS NULL",
          "CONCAT({t}, '-', {i}) IS NULL",
          "{n} IS NOT NULL",
          "{i} IS DISTINCT FROM {i}",
          "{t} LIKE 'A%'",
          "{t} LIKE '%l_o%'",
          "s LIKE 'a\\%b'",
          "{t} LIKE 'a!_b%' ESCAPE '!'",
          "{t} NOT LIKE '%É%'",
          "{t} ILIKE 'h%O'",
          "{u} < {u}",
          "{u} = 'abc'",
          "{u} >= 'B'",
          "{d} < {d}",
          "{m} >= '2024-01-01 00:00:00'",
          "{d} = '2024-07-04'",
          "{c} AND {c}",
          "{c} OR {c}",
          "NOT ({c})",
          "STARTS_WITH({t}, 'a')",
          "CONTAINS({t}, {l})",
          "ENDS_WITH({t}, 'c')",
          "COALESCE({c}, {c})",
          "{i} + {i} > 2147483647",
          "p",
          "p IS TRUE",
          "p IS NOT FALSE");

  /** Of some of the rows: none of them, one, some, all. */
  static final List<String> AGGREGATES =
      List.of(
          "COUNT(*)",
          "COUNT(x)",
          "COUNT(DISTINCT j)",
          "SUM(j)",
          "SUM(d)",
          "AVG(x)",
          "MIN(x)",
          "MAX(e)",
          "STDDEV(y)",
          "VARIANCE(y)",
          "STDDEV_POP(y)",
          "VAR_SAMP(y)",
          "TOTAL(j)",
          "SUM(CASE WHEN p IS NULL THEN 1 ELSE 0 END)",
          "COUNT(*) FILTER (WHERE j > 2)",
          "MEDIAN(y)",
          "BOOL_OR(j > 5)",
          "SKEWNESS(y)");

  private static final Map<String, List<String>> COLUMNS =
      Map.of(
          "i", List.of("i", "j", "b", "j", "i"),
          "k", List.of("-2", "0", "1", "2", "3", "5"),
          "x", List.of("x", "y"),
          "t", List.of("s", "r", "c", "'aBc'"),
          "u", List.of("c"),
          "l", List.of("'l'", "'a'", "'-'", "'b'", "''"),
          "d", List.of("e", "f"),
          "m", List.of("ts", "tu"),
          "c", List.of("i > 2", "x < y", "p IS NULL", "s IS NOT NULL"));

  private static final Pattern ANY = Pattern.compile("\\{([a-z])}");

  private final SplittableRandom random;

  AgreeExprs(long seed) {
    this.random = new SplittableRandom(seed);
  }

  static List<List<String>> families() {
    return List.of(WHOLE, NUMBER, TEXT, DAY, MOMENT, CONDITION);
  }

  /** A template with its holes filled, by columns at depth 0. */
  String filled(String template, int depth) {
    Matcher hole = ANY.matcher(template);
    StringBuilder text = new StringBuilder();
    while (hole.find()) {
      hole.appendReplacement(text, Matcher.quoteReplacement(of(hole.group(1), depth)));
    }
    return hole.appendTail(text).toString();
  }

  /** Any expression. */
  String any(int depth) {
    List<List<String>> families = families();
    return filled(pick(families.get(random.nextInt(families.size()))), depth);
  }

  private String of(String kind, int depth) {
    if (kind.equals("n")) {
      return of(pick(List.of("i", "x", "x", "money")), depth);
    }
    if (kind.equals("money")) {
      return "d";
    }
    List<String> templates =
        switch (kind) {
          case "i" -> WHOLE;
          case "x" -> NUMBER;
          case "t" -> TEXT;
          case "d" -> DAY;
          case "m" -> MOMENT;
          case "c" -> CONDITION;
          default -> List.of();
        };
    return depth > 0 && !templates.isEmpty() && random.nextInt(3) == 0
        ? "(" + filled(pick(templates), depth - 1) + ")"
        : pick(COLUMNS.get(kind));
  }

  private String pick(List<String> all) {
    return all.get(random.nextInt(all.size()));
  }
}
