package flexdp.gateway.agree;

import flexdp.policy.InputDialect;
import java.util.ArrayList;
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
          "FLOOR(EXTRACT(MONTH FROM {d}) / 2)",
          "TRUNC({i})",
          "FLOOR({i}) / 2",
          "CEIL({i}) / {k}",
          "ROUND({i}) / 2",
          "SIGN({i}) / 2",
          "LENGTH({t}) / 2",
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
          "EXTRACT(DAY FROM {d}) / 2",
          "ROUND({n}, 1)",
          "ROUND({x})",
          "ROUND({x}, -1)",
          "ROUND({x} / 2)",
          "ROUND({n} / 2)",
          "ROUND(CAST({i} AS DOUBLE PRECISION) / 2)",
          "ROUND(CAST(2.5 AS DOUBLE PRECISION))",
          "ROUND(SIGN({i}) / 2)",
          "ROUND(ROUND(NULLIF({i}, {k})) / 2)",
          "ROUND(SIGN(LOG(5, {i})) / 2)",
          "ROUND(ROUND(CASE WHEN {c} THEN {i} END) / 2)",
          "ROUND(ROUND(LENGTH({t})) / 2)",
          "ROUND(ROUND(IF({c}, {i}, {k})) / 2)",
          "ROUND(SIGN({x}) / 2)",
          "ROUND(POWER({k}, 2) / 2)",
          "ROUND(SQRT({k}) / 2)",
          "ROUND(EXP(0) / 2)",
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
          "SIGN(0.25)",
          "TRUNC(0.25)",
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
          "LOWER((TRIM({t})))",
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
          "LEFT({t}, -2)",
          "RIGHT({t}, -2)",
          "REPLACE({t}, {l}, {l})",
          "CONCAT({t}, '-', {i})",
          "CONCAT({t}, {t})",
          "CONCAT({c}, 'x')",
          "{t} || {t}",
          "COALESCE({t}, 'n/a')",
          "NULLIF({t}, {l})",
          "CAST({i} AS VARCHAR(20))",
          "CAST({i} AS CHAR(20))",
          "CAST({x} AS VARCHAR(30))",
          "CONCAT({x}, '%')",
          "CONCAT(ROUND({n}, 1), '%')",
          "CONCAT(ROUND({i}), '%')",
          "{x} || ' '",
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

  /** With NULLs, ties, and labels without rows. */
  static final List<String> GROUPS =
      List.of(
          "SELECT p, COUNT(*) AS n, AVG(j) AS a, SUM(j) AS s FROM t GROUP BY p"
              + " HAVING COUNT(*) > 0 ORDER BY n DESC, a",
          "SELECT CASE WHEN i > 2 THEN 'a' WHEN i IS NULL THEN 'n' ELSE 'b' END AS g, COUNT(*) AS"
              + " n, MIN(j) AS lo, MAX(j) AS hi FROM t GROUP BY 1 ORDER BY 1",
          "SELECT EXTRACT(MONTH FROM e) AS m, COUNT(*) AS n, AVG(j) AS a FROM t WHERE e IS NOT NULL"
              + " GROUP BY 1 HAVING COUNT(*) > 0 ORDER BY n DESC, m",
          "SELECT EXTRACT(HOUR FROM tz) AS h, COUNT(*) AS n FROM t WHERE tz IS NOT NULL GROUP BY 1"
              + " HAVING COUNT(*) > 0 ORDER BY 1",
          "SELECT p, COUNT(*) AS n FROM t GROUP BY p ORDER BY n, p LIMIT 2",
          "SELECT p, COUNT(*) AS n FROM t GROUP BY p ORDER BY p DESC LIMIT 1",
          "SELECT p, MAX(j) AS m FROM t GROUP BY p ORDER BY m DESC, p",
          "SELECT p, COUNT(j) AS n, RANK() OVER (ORDER BY COUNT(*) DESC) AS r FROM t GROUP BY p"
              + " ORDER BY r, p",
          "SELECT p, SUM(COUNT(*)) OVER (ORDER BY p) AS s FROM t GROUP BY p ORDER BY 2, p",
          "SELECT COUNT(*) AS n, AVG(j) AS a, MIN(j) AS m FROM t WHERE j IS NULL",
          "SELECT COUNT(*) AS n, AVG(j) AS a, MAX(j) AS m, STDDEV(y) AS s FROM t WHERE id < 0",
          "SELECT COUNT(*) AS n, STDDEV_SAMP(j) AS s FROM t WHERE id = 2",
          "SELECT AVG(j) AS a, AVG(y) AS b, SUM(y) AS s, VAR_POP(j) AS v FROM t",
          "SELECT AVG(j) AS a FROM t WHERE id IN (2, 3)",
          "SELECT COUNT(DISTINCT j) AS n, COUNT(DISTINCT p) AS q FROM t",
          "SELECT COUNT(*) AS n FROM t WHERE j > (SELECT 3)",
          "SELECT COUNT(*) AS n FROM (SELECT * FROM t ORDER BY x DESC, id LIMIT 5) z"
              + " WHERE x IS NULL",
          "SELECT COUNT(*) AS n FROM (SELECT id, x, ROW_NUMBER() OVER (ORDER BY x, id) AS r FROM t)"
              + " z WHERE r <= 3 AND x IS NULL",
          "SELECT SUM(CASE WHEN x > 0 THEN 1 ELSE 0 END) * 100.0 / COUNT(*) AS share FROM t",
          "WITH g AS (SELECT p, COUNT(*) AS n FROM t GROUP BY p) SELECT p, n FROM g"
              + " WHERE n = (SELECT MAX(n) FROM g) ORDER BY p");

  private static final Map<String, List<String>> COLUMNS =
      Map.of(
          "i", List.of("i", "j", "b", "j", "i"),
          "k", List.of("-2", "0", "1", "2", "3", "5"),
          "x", List.of("x", "y"),
          "t", List.of("s", "r", "c", "'aBc'"),
          "u", List.of("c"),
          "l", List.of("'l'", "'a'", "'-'", "'b'", "''"),
          "d", List.of("e", "f"),
          "m", List.of("ts", "tu", "tz"),
          "c", List.of("i > 2", "x < y", "p IS NULL", "s IS NOT NULL"));

  /** What stands above the noise is computed of counts and constants. */
  private static final Map<String, List<String>> COUNTS =
      Map.of(
          "i", List.of("COUNT(*)", "COUNT(i)", "SUM(j)"),
          "k", List.of("-2", "0", "1", "2", "3", "5"),
          "x", List.of("COUNT(x)"),
          "t", List.of("'aBc'", "' x '"),
          "u", List.of("'abc'"),
          "l", List.of("'l'", "'a'", "'-'", "'b'", "''"),
          "c", List.of("COUNT(*) > 2", "COUNT(i) < COUNT(x)"));

  private static final Pattern ANY = Pattern.compile("\\{([a-z])}");

  private final SplittableRandom random;

  private final Map<String, List<String>> columns;

  private AgreeExprs(long seed, Map<String, List<String>> columns) {
    this.random = new SplittableRandom(seed);
    this.columns = columns;
  }

  AgreeExprs(long seed) {
    this(seed, COLUMNS);
  }

  static AgreeExprs above(long seed) {
    return new AgreeExprs(seed, COUNTS);
  }

  /** A text and what it is made of. */
  record Some(List<String> family, String text) {}

  /** What counts rows by an expression. */
  static List<String> aggregates(Some some, InputDialect dialect) {
    String x = some.text();
    if (some.family() == CONDITION) {
      return List.of(count(x));
    }
    boolean bytes = dialect != InputDialect.MYSQL;
    boolean lite = dialect == InputDialect.SQLITE;
    String least = lite ? "MIN" : "LEAST";
    String greatest = lite ? "MAX" : "GREATEST";
    List<String> all = new ArrayList<>(List.of("COUNT(" + x + ")"));
    if (some.family() == WHOLE) {
      all.add("COALESCE(SUM(%s(%s(%s, -5), 5)), 0)".formatted(least, greatest, x));
    } else if (some.family() == NUMBER) {
      all.add(count("(" + x + ") > 0.7"));
    } else if (some.family() == TEXT) {
      if (bytes || !x.matches(".*\\bc\\b.*")) {
        all.add(count("(" + x + ") " + (bytes ? "= 'abc'" : "LIKE '%a%'")));
      }
    } else if (!lite) {
      all.add(count("(" + x + ") >= '2024-01-01'"));
    }
    return all;
  }

  private static String count(String condition) {
    return "COUNT(CASE WHEN " + condition + " THEN 1 END)";
  }

  /** Of numbers, texts and conditions, which need no columns of their own. */
  String aboveNoise(int depth) {
    List<String> family = List.of(WHOLE, NUMBER, TEXT, CONDITION).get(random.nextInt(4));
    String template = pick(family);
    return template.matches(".*(\\{[dm]}|\\bp\\b|\\bs\\b).*")
        ? aboveNoise(depth)
        : filled(template, depth);
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
  Some any(int depth) {
    List<List<String>> families = families();
    List<String> family = families.get(random.nextInt(families.size()));
    return new Some(family, filled(pick(family), depth));
  }

  private String of(String kind, int depth) {
    if (kind.equals("n")) {
      List<String> kinds = columns == COUNTS ? List.of("i", "x") : List.of("i", "x", "x", "money");
      return of(pick(kinds), depth);
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
    return depth > 0 && columns == COLUMNS && !templates.isEmpty() && random.nextInt(3) == 0
        ? "(" + filled(pick(templates), depth - 1) + ")"
        : pick(columns.get(kind));
  }

  private String pick(List<String> all) {
    return all.get(random.nextInt(all.size()));
  }
}
