package flexdp.gateway.agree;

import flexdp.policy.InputDialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Questions as analysts put them together: joins, groups, HAVING, subqueries, windows, set
 * operations and what is computed of groups, over tables with NULLs, ties, orphans and labels
 * without rows. What they order by is unique, and what they compare has no noise left.
 */
final class AgreeQuestions {
  private static final int ROWS = 60;
  private static final int PEOPLE = 20;

  private final InputDialect dialect;
  private final SplittableRandom random;
  private boolean byPeople;

  AgreeQuestions(InputDialect dialect, long seed) {
    this.dialect = dialect;
    this.random = new SplittableRandom(seed);
  }

  static void create(AgreeTestBed ground, Connection own) throws SQLException {
    SplittableRandom random = new SplittableRandom(12);
    String text = ground.physical(AgreeTable.Kind.BYTES);
    try (Statement statement = own.createStatement()) {
      for (String table : List.of("q", "r", "k", "persons")) {
        statement.execute("DROP TABLE IF EXISTS " + table);
      }
      statement.execute("CREATE TABLE persons (id INTEGER PRIMARY KEY)");
      statement.execute(
          "CREATE TABLE r (id INTEGER PRIMARY KEY, person INTEGER, g %s, h INTEGER, v INTEGER, w %s,"
                  .formatted(text, ground.physical(AgreeTable.Kind.MONEY))
              + " e %s, p %s)"
                  .formatted(
                      ground.physical(AgreeTable.Kind.DAY),
                      ground.physical(AgreeTable.Kind.TRUTH)));
      statement.execute(
          "CREATE TABLE q (id INTEGER PRIMARY KEY, rid INTEGER, person INTEGER, g %s, n INTEGER)"
              .formatted(text));
      statement.execute(
          "CREATE TABLE k (code INTEGER PRIMARY KEY, name %s, f INTEGER)".formatted(text));
      for (int i = 1; i <= PEOPLE; i++) {
        statement.execute("INSERT INTO persons VALUES (" + i + ")");
      }
      for (int i = 1; i <= ROWS; i++) {
        String values =
            String.join(
                ", ",
                some(random, "'a'", "'a'", "'b'", "'c'", "NULL"),
                some(random, "1", "2", "2", "3", "5", "NULL"),
                or(random, String.valueOf(random.nextInt(41) - 20)),
                or(random, random.nextInt(100) + ".25"),
                or(random, day(1 + random.nextInt(6), 1 + random.nextInt(28))),
                some(random, "TRUE", "FALSE", "NULL"));
        int person = 1 + i % PEOPLE;
        statement.execute("INSERT INTO r VALUES (" + i + ", " + person + ", " + values + ")");
      }
      for (int i = 1; i <= ROWS; i++) {
        int row = 1 + i * 7 % 50;
        String values =
            String.join(
                ", ",
                or(random, String.valueOf(row)),
                String.valueOf(1 + row % PEOPLE),
                some(random, "'a'", "'b'", "'b'", "NULL"),
                or(random, String.valueOf(random.nextInt(10))));
        statement.execute("INSERT INTO q VALUES (" + i + ", " + values + ")");
      }
      for (int i = 1; i <= 5; i++) {
        String name = i == 4 ? "NULL" : "'n" + i % 3 + "'";
        statement.execute("INSERT INTO k VALUES (" + i + ", " + name + ", " + i % 2 + ")");
      }
    }
  }

  private static String day(int month, int day) {
    return "'" + LocalDate.of(2024, month, day) + "'";
  }

  /** A value, or NULL. */
  private static String or(SplittableRandom random, String value) {
    return random.nextInt(7) == 0 ? "NULL" : value;
  }

  private static String some(SplittableRandom random, String... all) {
    return all[random.nextInt(all.length)];
  }

  private String some(String... all) {
    return some(random, all);
  }

  private boolean chance(int in) {
    return random.nextInt(in) == 0;
  }

  /**
   * A question over what people own, whose rows stay apart. What noise decides is what each of them
   * counts for: nothing is asked that hangs on one row.
   */
  String ofPeople() {
    byPeople = true;
    return switch (random.nextInt(5)) {
      case 0 -> total();
      case 1, 2 -> grouped();
      case 3 -> "SELECT COUNT(DISTINCT t.person) AS n FROM " + from() + where();
      default ->
          "SELECT COUNT(*) AS n, COALESCE(SUM(t.v), 0) AS s FROM r t JOIN persons y ON y.id = t.person"
              + where();
    };
  }

  String next() {
    return switch (random.nextInt(12)) {
      case 0 -> total();
      case 1, 2, 3 -> grouped();
      case 4 -> nested();
      case 5 -> first();
      case 6 -> windows();
      case 7 -> joinedGroups();
      case 8 -> sets();
      case 9 -> greatest();
      case 10 -> labels();
      default -> shares();
    };
  }

  private String total() {
    StringBuilder list = new StringBuilder(aggregate());
    list.append(" AS x0");
    for (int i = 1; i <= random.nextInt(4); i++) {
      list.append(", ").append(aggregate()).append(" AS x").append(i);
    }
    return "SELECT " + list + " FROM " + from() + where();
  }

  private String grouped() {
    String key = key();
    boolean two = chance(3);
    String other = two ? some("t.g", "t.h", "t.p") : "";
    if (two && other.equals(key)) {
      return grouped();
    }
    String keys = key + " AS k1" + (two ? ", " + other + " AS k2" : "");
    String by = key + (two ? ", " + other : "");
    String order = "k1" + some("", " DESC") + (two ? ", k2" + some("", " DESC") : "");
    return "SELECT "
        + keys
        + ", COUNT(*) AS n, "
        + aggregate()
        + " AS x FROM "
        + from()
        + where()
        + " GROUP BY "
        + by
        + " HAVING COUNT(*) > "
        + (byPeople ? 0 : random.nextInt(3))
        + (chance(3) && !byPeople
            ? " AND COUNT(t.v) " + some("<", ">=", "<>") + " " + random.nextInt(8)
            : "")
        + " ORDER BY "
        + (chance(3) && !byPeople ? "n" + some("", " DESC") + ", " : "")
        + order
        + (chance(3) && !byPeople ? " LIMIT " + (1 + random.nextInt(4)) : "");
  }

  /** Groups of groups. */
  private String nested() {
    String inner =
        some(
            "SELECT rid, COUNT(*) AS n, MAX(n) AS m FROM q GROUP BY rid",
            "SELECT rid, COUNT(n) AS n, SUM(n) AS m FROM q WHERE n > 1 GROUP BY rid",
            "SELECT t.id, COUNT(u.id) AS n, MIN(u.n) AS m FROM r t LEFT JOIN q u ON u.rid = t.id"
                + " GROUP BY t.id",
            "SELECT t.id, COUNT(DISTINCT u.g) AS n, SUM(t.v) AS m FROM r t JOIN q u ON u.rid = t.id"
                + " GROUP BY t.id HAVING COUNT(*) > 1");
    return "SELECT "
        + some("COUNT(*)", "COUNT(m)", "SUM(n)", "COALESCE(SUM(CASE WHEN m > 2 THEN n END), 0)")
        + " AS x FROM ("
        + inner
        + ") z"
        + some("", " WHERE n > 1", " WHERE m IS NOT NULL", " WHERE n = 2 OR m < 4");
  }

  /** The first rows, in all or of each group. */
  private String first() {
    String by = some("v", "w", "e", "g", "h") + some("", " DESC");
    String inner =
        chance(2)
            ? "SELECT * FROM r ORDER BY " + by + ", id LIMIT " + (1 + random.nextInt(30))
            : "SELECT * FROM (SELECT r.*, "
                + some("ROW_NUMBER()", "RANK()", "DENSE_RANK()")
                + " OVER ("
                + some("", "PARTITION BY g ")
                + "ORDER BY "
                + by
                + ", id) AS o FROM r) y WHERE o <= "
                + (1 + random.nextInt(9));
    return "SELECT COUNT(*) AS n, COUNT(t.v) AS m, COALESCE(SUM(t.h), 0) AS s FROM ("
        + inner
        + ") t"
        + where();
  }

  private static final String GROUPS =
      "WITH c AS (SELECT t.g, t.h, COUNT(*) AS n, COUNT(t.v) AS m FROM r t%s GROUP BY t.g, t.h"
          + " HAVING COUNT(*) > 0)";

  private String groups() {
    return GROUPS.formatted(where());
  }

  private String windows() {
    String over =
        some("ORDER BY g, h", "PARTITION BY g ORDER BY n DESC, h", "ORDER BY n, g, h DESC");
    String whole = some("", "PARTITION BY g", "PARTITION BY h");
    String frame = some("", " ROWS BETWEEN 1 PRECEDING AND CURRENT ROW");
    return groups()
        + " SELECT g, h, n, "
        + some("ROW_NUMBER()", "RANK()", "DENSE_RANK()", "LAG(n)", "LEAD(n, 2)", "NTILE(3)")
        + " OVER ("
        + over
        + ") AS a, "
        + some("SUM(n)", "COUNT(*)", "MAX(m)", "MIN(n)", "AVG(n)")
        + " OVER ("
        + over
        + frame
        + ") AS b, "
        + some("SUM(n)", "MAX(n)", "COUNT(h)")
        + " OVER ("
        + whole
        + ") AS d FROM c ORDER BY g, h";
  }

  private String joinedGroups() {
    return groups()
        + ", u AS (SELECT u.g, COUNT(*) AS n FROM q u GROUP BY u.g HAVING COUNT(*) > 0)"
        + " SELECT c.g, c.h, c.n, u.n AS un, c.n - COALESCE(u.n, 0) AS o FROM c "
        + some("JOIN", "LEFT JOIN")
        + " u ON "
        + some("c.g = u.g", "c.g = u.g AND c.n > 1", "c.g = u.g AND u.n > c.n")
        + some("", " WHERE c.n < 4", " WHERE u.n IS NULL")
        + " ORDER BY c.g, c.h";
  }

  private String sets() {
    String one = "SELECT t.g FROM r t" + where() + " GROUP BY t.g HAVING COUNT(*) > 1";
    String two = "SELECT u.g FROM q u WHERE u.n > 2 GROUP BY u.g HAVING COUNT(*) > 1";
    return one + some(" UNION ALL ", " UNION ", " EXCEPT ", " INTERSECT ") + two + " ORDER BY 1";
  }

  private String greatest() {
    return groups()
        + " SELECT g, h, n FROM c WHERE n "
        + some(
            "= (SELECT MAX(n) FROM c)",
            "= (SELECT MIN(n) FROM c)",
            "< (SELECT MAX(n) FROM c)",
            "> (SELECT AVG(n) FROM c)",
            "* 3 > (SELECT SUM(n) FROM c)",
            "> (SELECT COUNT(*) FROM c) - 5")
        + " ORDER BY g, h";
  }

  /** Of a public table. */
  private String labels() {
    boolean all = chance(2);
    return "SELECT k.name, k.code, COUNT(t.id) AS n, COUNT(t.v) AS m FROM k "
        + (all ? "LEFT JOIN" : "JOIN")
        + " r t ON t.h = k.code"
        + some("", " AND t.v > 0", " AND t.p")
        + " GROUP BY k.name, k.code HAVING COUNT(t.id) >"
        + (all ? "= 0" : " 0")
        + " ORDER BY k.code";
  }

  private String shares() {
    return groups()
        + " SELECT g, h, n, CASE WHEN n > m THEN 'more' WHEN n = m THEN 'same' END AS c, n * "
        + some("100.0", "2", "1e0")
        + " / "
        + some("m", "(SELECT SUM(n) FROM c)", "NULLIF(m - 1, 0)", "(n + 1)")
        + " AS share, COALESCE(g, 'none') AS l, "
        + some("n % 3", "n / 2", "-n", "ABS(n - m)", "n - m * 2")
        + " AS a FROM c WHERE "
        + some("n > 0", "m > 0 AND g IS NOT NULL", "h IS NULL OR h > 1", "NOT (n = 2)")
        + " ORDER BY g, h";
  }

  private String key() {
    String month =
        dialect == InputDialect.SQLITE ? "STRFTIME('%m', t.e)" : "EXTRACT(MONTH FROM t.e)";
    return some(
        "t.g",
        "t.h",
        "t.p",
        "COALESCE(t.g, 'none')",
        "CASE WHEN t.v > 0 THEN 'up' WHEN t.v < 0 THEN 'down' END",
        "CASE WHEN t.h > 2 THEN t.h ELSE 0 END",
        month);
  }

  /** One row that a person does not count for may be the least or the greatest. */
  private String aggregate() {
    String any = anyAggregate();
    return byPeople && any.startsWith("M") ? aggregate() : any;
  }

  private String anyAggregate() {
    return some(
        "COUNT(*)",
        "COUNT(t.v)",
        "COUNT(DISTINCT t.h)",
        "COUNT(DISTINCT t.g)",
        "COALESCE(SUM(t.v), 0)",
        "COALESCE(SUM(t.h), 0)",
        "COALESCE(SUM(CASE WHEN t.p THEN 1 ELSE 0 END), 0)",
        "COUNT(CASE WHEN t.v > 3 OR t.h IS NULL THEN 1 END)",
        "AVG(t.v)",
        "AVG(t.w)",
        "MIN(t.v)",
        "MAX(t.v)",
        "MAX(t.h)",
        "MIN(t.e)");
  }

  private String from() {
    String on = "q u ON u.rid = t.id" + (byPeople ? " AND u.person = t.person" : "");
    return switch (random.nextInt(9)) {
      case 0 -> "r t JOIN " + on;
      case 1 -> "r t LEFT JOIN " + on;
      case 2 -> "r t LEFT JOIN " + on + " AND u.n > 4";
      case 3 -> "r t LEFT JOIN k ON k.code = t.h";
      case 4 -> "(SELECT * FROM r WHERE v > -10) t";
      case 5 -> "(SELECT DISTINCT id, person, g, h, v, w, e, p FROM r) t";
      default -> "r t";
    };
  }

  private String where() {
    return chance(4) ? "" : " WHERE " + condition(2);
  }

  private String condition(int depth) {
    if (depth > 0 && chance(3)) {
      return some("(", "NOT (")
          + condition(depth - 1)
          + some(" AND ", " OR ")
          + condition(depth - 1)
          + ")";
    }
    return some(
        "t.v > 0",
        "t.v IS NULL",
        "t.v <> t.h",
        "t.v BETWEEN -5 AND 7",
        "t.g = 'a'",
        "t.g <> 'a'",
        "t.g IN ('a', 'c')",
        "t.g NOT IN ('a', 'b')",
        "t.h IS NOT NULL",
        "t.h % 2 = 1",
        "t.p",
        "NOT t.p",
        "t.w < 50.5",
        "t.e >= '2024-03-01'",
        "COALESCE(t.v, 0) = 0",
        "t.h IN (SELECT code FROM k WHERE f = 1)",
        "t.h NOT IN (SELECT code FROM k WHERE name = 'n1')",
        "t.id IN (SELECT rid FROM q WHERE n > 5)",
        "EXISTS (SELECT 1 FROM q y WHERE y.rid = t.id)",
        "NOT EXISTS (SELECT 1 FROM q y WHERE y.rid = t.id AND y.g = t.g)",
        "t.v > (SELECT 3)",
        "CASE WHEN t.h IS NULL THEN t.v > 0 ELSE t.v < 5 END",
        "(SELECT COUNT(*) FROM q y WHERE y.rid = t.id) > 1",
        "t.id > ALL (SELECT code FROM k)");
  }

  /** So many of them, different ones. */
  static List<String> some(InputDialect dialect, long seed, int count, boolean people) {
    AgreeQuestions questions = new AgreeQuestions(dialect, seed);
    List<String> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String sql = people ? questions.ofPeople() : questions.next();
      if (!Differences.isKnownOfWhole(dialect, sql)) {
        all.add(sql);
      }
    }
    return all;
  }
}
