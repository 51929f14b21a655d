package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.budget.Allowances;
import flexdp.failure.Rejection;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.collect.Collector;
import flexdp.gateway.collect.MetricsFile;
import flexdp.gateway.collect.PolicyCheck;
import flexdp.gateway.collect.Progress;
import flexdp.gateway.collect.RequiredFrequencies;
import flexdp.gateway.database.Databases;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.engine.QueryEngine;
import flexdp.gateway.ledger.Ledger;
import flexdp.gateway.ledger.LedgerOpening;
import flexdp.gateway.livedata.LiveMetrics;
import flexdp.policy.Policy;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * All SQL that is sent while a policy is checked, tables are measured and questions are answered
 * names tables with their schema, and on PostgreSQL functions and types too. (Operators cannot be
 * written so everywhere; the search path of each transaction sees to them.)
 */
class QualifiedNamesTest {
  private static final Policy POLICY =
      OpenGateway.policy(
          """
          privacy: {neighbors: add-remove-one, epsilon: 1, delta: 1e-9, budget: {epsilon: 10000, delta: 1e-4}}
          people: {person: {key: people.id}}
          tables:
            t:
              unit: row
              columns:
                id: {type: bigint, nullable: false, unique: true}
                a: {type: integer, range: [0, 10]}
                b: {type: "decimal(9,2)", range: [0, 10]}
                c: {type: double, range: [0, 10]}
                s: {type: varchar, domain: [x, y]}
                d: {type: date}
                m: {type: timestamp}
                k: {type: integer, references: cities.id}
            cities: {public: true, columns: {id: {type: integer, nullable: false}, name: {type: varchar}}}
            people: {owners: {person: id}, columns: {id: {type: integer, nullable: false, unique: true}, age: {type: integer, range: [0, 100]}}}
            visits: {owners: {person: who}, columns: {id: {type: integer, nullable: false, unique: true}, who: {type: integer, references: people.id}, cost: {type: double, range: [0, 10]}}}
          """);

  /** Aggregates of statements that all databases share; the search path sees to them, too. */
  private static final Set<String> SHARED =
      Set.of(
          "function COUNT", "function MAX", "function MIN", "function ROW_NUMBER", "function SUM");

  private static final List<String> QUESTIONS =
      List.of(
          "SELECT COUNT(*), SUM(a), AVG(b), SUM(c) FROM t",
          "SELECT s, COUNT(*), COUNT(DISTINCT a) FROM t GROUP BY s",
          "SELECT k, COUNT(*) FROM t GROUP BY k",
          "SELECT c.name, COUNT(*) FROM t JOIN cities c ON t.k = c.id GROUP BY c.name",
          "SELECT name FROM cities ORDER BY name",
          "SELECT MEDIAN(a), MAX(a), MIN(c) FROM t",
          "SELECT VARIANCE(a), STDDEV(b) FROM t",
          "SELECT COUNT(*) FROM t WHERE upper(s) = 'X' AND length(s) > 0 AND s LIKE 'x%'",
          "SELECT COUNT(*) FROM t WHERE substring(s, 1, 1) || trim(s) = 'xx' AND position('x' IN s)"
              + " = 1",
          "SELECT COUNT(*) FROM t WHERE abs(a) > round(b, 1) AND floor(c) < sqrt(c) AND mod(a, 3) ="
              + " 1",
          "SELECT COUNT(*) FROM t WHERE power(c, 2) > exp(a) OR ln(c) > 1 OR sign(a) = 1",
          "SELECT COUNT(*) FROM t WHERE EXTRACT(YEAR FROM d) = 2020 AND EXTRACT(HOUR FROM m) = 1",
          "SELECT COUNT(*) FROM t WHERE DATE_TRUNC('month', m) > DATE '2020-01-01'",
          "SELECT COUNT(*) FROM t WHERE d + INTERVAL '1' DAY > CURRENT_DATE",
          "SELECT COUNT(*) FROM t WHERE CAST(s AS INTEGER) = 1 OR CAST(a AS VARCHAR) = '1'",
          "SELECT COUNT(*) FROM t WHERE CAST(c AS BIGINT) = 1 OR CAST(s AS DATE) = d",
          "SELECT COUNT(*) FROM t WHERE CAST(b AS DOUBLE) / a > 2 AND COALESCE(a, 0) < 5",
          "SELECT COUNT(*) FROM t WHERE CAST(s AS DECIMAL(9,2)) = b OR CAST(s AS TIMESTAMP) = m",
          "SELECT SUM(CASE WHEN a > 5 THEN c ELSE b END) FROM t",
          "SELECT COUNT(*) FROM t x JOIN t y ON x.id = y.id",
          "SELECT COUNT(*) FROM (SELECT a, COUNT(*) AS n FROM t GROUP BY a) q WHERE n > 1",
          "SELECT COUNT(*) FROM t WHERE a IN (SELECT id FROM cities)",
          "SELECT COUNT(*) FROM visits",
          "SELECT AVG(cost), SUM(cost) FROM visits",
          "SELECT COUNT(DISTINCT who) FROM visits",
          "SELECT COUNT(*) FROM visits v JOIN people p ON v.who = p.id WHERE p.age > 3",
          "SELECT COUNT(*) FROM (SELECT id, ROW_NUMBER() OVER (PARTITION BY a ORDER BY id) AS r"
              + " FROM t) q WHERE r = 1");

  @TempDir Path folder;

  @Test
  void onPostgreSql() throws Exception {
    try (FreshPostgres server = FreshPostgres.create();
        Connection writer = server.connect()) {
      OpenGateway.write(
          writer,
          "CREATE TABLE t(id bigint PRIMARY KEY, a int, b numeric(9,2), c float8, s text, d date, m"
              + " timestamp, k int)",
          "CREATE TABLE cities(id int NOT NULL, name text)",
          "CREATE TABLE people(id int PRIMARY KEY, age int)",
          "CREATE TABLE visits(id int PRIMARY KEY, who int, cost real)");
      Set<String> sent = sent(Databases.readOnly(server.url()), Databases.streaming(server.url()));
      Set<String> found = new TreeSet<>();
      sent.forEach(sql -> new Names(sql, true).unqualified().forEach(found::add));
      found.removeAll(SHARED);
      assertEquals(Set.of(), found, () -> example(found, sent, true));
    }
  }

  @Test
  void onMariaDb() throws Exception {
    MariaDbServer.create("qualified");
    try (Connection writer = MariaDbServer.writer("qualified")) {
      OpenGateway.write(
          writer,
          "CREATE TABLE t(id bigint PRIMARY KEY, a int, b decimal(9,2), c double, s text, d date, m"
              + " datetime, k int)",
          "CREATE TABLE cities(id int NOT NULL, name text)",
          "CREATE TABLE people(id int PRIMARY KEY, age int)",
          "CREATE TABLE visits(id int PRIMARY KEY, who int, cost double)");
    }
    String url = MariaDbServer.url("qualified") + "?user=root";
    Set<String> sent = sent(Databases.readOnly(url), Databases.streaming(url));
    Set<String> found = new TreeSet<>();
    sent.forEach(sql -> new Names(sql, false).unqualified().forEach(found::add));
    assertEquals(Set.of(), found, () -> example(found, sent, false));
  }

  private static String example(Set<String> found, Set<String> sent, boolean all) {
    return sent.stream()
        .filter(sql -> new Names(sql, all).unqualified().contains(found.iterator().next()))
        .findFirst()
        .orElse("");
  }

  private Set<String> sent(Connection measuring, Connection asking) throws Exception {
    RecordedSql recorded = new RecordedSql();
    Path file = folder.resolve("q.json");
    try (Connection connection = recorded.over(measuring)) {
      PolicyCheck.whole(POLICY, connection);
      MetricsFile.write(
          file,
          POLICY,
          new Collector(POLICY, RequiredFrequencies.of(POLICY), Progress.NONE, Clock.systemUTC())
              .collect(connection),
          Map.of());
    }
    int answered = 0;
    try (JdbcDatabase database =
            JdbcDatabase.over(
                recorded.over(asking), POLICY, Duration.ofMinutes(5), (what, cause) -> {});
        Ledger ledger =
            LedgerOpening.file(folder.resolve("q.ledger"), Allowances.of(POLICY), false)) {
      QueryEngine engine =
          new QueryEngine(
              POLICY,
              LiveMetrics.of(
                  POLICY,
                  MetricsFile.read(file, POLICY),
                  database.vendor(),
                  database.catalog(),
                  database.version()),
              "test",
              database,
              ledger,
              (what, cause) -> {},
              Clock.systemUTC());
      for (String sql : QUESTIONS) {
        try {
          engine.ask(QueryRequest.of(sql, "ann"));
          answered++;
        } catch (Rejection e) {
          // What is refused sends nothing.
        }
      }
    }
    assertTrue(answered > QUESTIONS.size() * 2 / 3, "answered " + answered);
    return recorded.sent;
  }

  @Test
  void aBareNameIsFound() {
    assertEquals(
        Set.of("table t", "function lower", "type text"),
        new Names("SELECT lower(x::text) FROM t WHERE 'from u' = \"from v\"", true).unqualified());
    assertEquals(
        Set.of(),
        new Names(
                "WITH q AS (SELECT 1) SELECT pg_catalog.lower(x) FROM q JOIN ONLY \"s\".\"t\" AS"
                    + " r(a) ON TRUE CROSS JOIN LATERAL (SELECT CAST(x AS pg_catalog.text)) AS z",
                true)
            .unqualified());
  }

  /** What a statement names without saying where it is. */
  private record Names(String sql, boolean functions) {
    /**
     * Words of the grammar that stand before a parenthesis, and types that are none but its own.
     */
    private static final Set<String> GRAMMAR =
        Set.of(
            ("all and any array as between bigint bit boolean by case cast char character coalesce"
                    + " current_date current_timestamp cross decimal distinct double else end except"
                    + " exists extract false filter float from full greatest group grouping having in"
                    + " inner int integer intersect interval is join lateral least left like limit"
                    + " local localtimestamp lock materialized not null nullif numeric on only or"
                    + " order outer over overlay partition position precision range real right row"
                    + " rows select session_user sets set smallint some substring table then time"
                    + " timestamp trim true union unique using values varchar when where window with"
                    + " within")
                .split(" "));

    private static final Pattern TOKEN =
        Pattern.compile(
            "'(?:[^'\\\\]|''|\\\\.)*'|\"(?:[^\"]|\"\")*\"|`[^`]*`|[A-Za-z_][A-Za-z_0-9$]*|::|[^\\sA-Za-z_]");

    Set<String> unqualified() {
      List<String> tokens =
          TOKEN.matcher(sql).results().map(java.util.regex.MatchResult::group).toList();
      Set<String> local = new TreeSet<>();
      for (int i = 0; i + 2 < tokens.size(); i++) {
        String next = tokens.get(i + 1).toLowerCase(Locale.ROOT);
        if (isName(tokens.get(i))
                && next.equals("as")
                && tokens.get(i + 2).matches("[(]|NOT|MATERIALIZED")
            || isName(tokens.get(i))
                && tokens.get(i + 1).equals("(")
                && i > 0
                && isWith(tokens.get(i - 1))) {
          local.add(tokens.get(i)); // the name of a common table expression
        }
      }
      Set<String> found = new TreeSet<>();
      for (int i = 0; i < tokens.size(); i++) {
        String token = tokens.get(i);
        String before = i == 0 ? "" : tokens.get(i - 1).toLowerCase(Locale.ROOT);
        String after = i + 1 < tokens.size() ? tokens.get(i + 1) : "";
        if (!isName(token)
            || GRAMMAR.contains(token.toLowerCase(Locale.ROOT))
            || after.equals(".")) {
          continue;
        }
        if (Set.of("from", "join", "only", "table").contains(before)
            && !before.equals(".")
            && !local.contains(token)
            && !isExtract(tokens, i)) {
          found.add("table " + token);
        } else if (functions
            && after.equals("(")
            && !before.equals(".")
            && !before.equals("as")
            && !isAlias(before, token, local)) {
          found.add("function " + token);
        } else if (functions && before.equals("::")) {
          found.add("type " + token);
        } else if (functions && before.equals("as") && isCast(tokens, i)) {
          found.add("type " + token);
        }
      }
      return found;
    }

    private static boolean isName(String token) {
      return Pattern.matches("[A-Za-z_\"`].*", token);
    }

    private static boolean isWith(String token) {
      return token.equalsIgnoreCase("WITH") || token.equalsIgnoreCase("RECURSIVE");
    }

    private static boolean isAlias(String before, String token, Set<String> local) {
      return local.contains(token)
          || before.equals(")")
          || isWith(before)
          || isName(before) && !GRAMMAR.contains(before);
    }

    /** EXTRACT(x FROM y), SUBSTRING(x FROM y), TRIM(x FROM y), IS DISTINCT FROM y. */
    private static boolean isExtract(List<String> tokens, int name) {
      if (tokens.get(name - 2).equalsIgnoreCase("DISTINCT")) {
        return true;
      }
      int depth = 0;
      for (int i = name - 1; i > 0; i--) {
        String token = tokens.get(i);
        if (token.equals(")")) {
          depth++;
        } else if (token.equals("(") && depth-- == 0) {
          return Set.of("extract", "substring", "trim", "overlay")
              .contains(tokens.get(i - 1).toLowerCase(Locale.ROOT));
        }
      }
      return false;
    }

    /** CAST(x AS type), not SELECT x AS name. */
    private static boolean isCast(List<String> tokens, int type) {
      int depth = 0;
      for (int i = type - 1; i > 0; i--) {
        String token = tokens.get(i);
        if (token.equals(")")) {
          depth++;
        } else if (token.equals("(") && depth-- == 0) {
          return tokens.get(i - 1).equalsIgnoreCase("CAST");
        } else if (depth == 0 && token.equalsIgnoreCase("SELECT")) {
          return false;
        }
      }
      return false;
    }
  }
}
