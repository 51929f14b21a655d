package flexdp.bench;

import java.util.List;

/**
 * Ordinary questions on columns of every type. What they cost beside the plain query is the cost of
 * reading each value in its one form (guarantee §12).
 */
final class TypeQuestions {
  /**
   * A question.
   *
   * @param aim how many times as long as the plain query it may take
   * @param limit how many times as long as in an earlier commit
   */
  record Typed(String name, double aim, double limit, String sql) {}

  private static final double NOTHING = 1.1;
  private static final double FLOAT = 1.15;
  private static final double SUM = 1.6;

  private TypeQuestions() {}

  static List<Typed> all() {
    return List.of(
        count("count", ""),
        count("whole number >", " WHERE n > 50"),
        count("text =", " WHERE code = 'north'"),
        count("text IN", " WHERE code IN ('north', 'south')"),
        count("text <>", " WHERE code <> 'north'"),
        count("text <", " WHERE name < 'person 5'"),
        count("text LIKE", " WHERE name LIKE 'person 9%'"),
        count("decimal >", " WHERE m > 500"),
        count("day >=", " WHERE d >= DATE '2019-01-01'"),
        count(
            "moment between",
            " WHERE ts BETWEEN TIMESTAMP '2016-01-01 00:00:00'"
                + " AND TIMESTAMP '2017-01-01 00:00:00'"),
        count("year of a day", " WHERE EXTRACT(YEAR FROM d) = 2019"),
        floats("float >", " WHERE x > 50"),
        floats("two floats >", " WHERE x > 50 AND y > 50"),
        floats("float <> ", " WHERE x <> 50"),
        floats("product of floats >", " WHERE x * y > 2500"),
        floats("sum of floats >", " WHERE x + y > 100"),
        floats("float > float", " WHERE x > y"),
        new Typed(
            "histogram by text", NOTHING, NOTHING, "SELECT code, COUNT(*) FROM t GROUP BY code"),
        new Typed(
            "histogram by two",
            NOTHING,
            NOTHING,
            "SELECT code, flag, COUNT(*) FROM t GROUP BY code, flag"),
        new Typed("sum of whole numbers", SUM, NOTHING, "SELECT SUM(n) FROM t"),
        new Typed("sum of decimals", SUM, NOTHING, "SELECT SUM(m) FROM t"),
        new Typed("sum of floats", SUM, FLOAT, "SELECT SUM(x) FROM t"),
        new Typed("mean of floats by text", SUM, FLOAT, "SELECT code, AVG(x) FROM t GROUP BY code"),
        new Typed("distinct whole numbers", NOTHING, NOTHING, "SELECT COUNT(DISTINCT k) FROM t"),
        new Typed("distinct texts", NOTHING, NOTHING, "SELECT COUNT(DISTINCT name) FROM t"),
        new Typed("distinct days", NOTHING, NOTHING, "SELECT COUNT(DISTINCT d) FROM t"),
        new Typed("distinct floats", FLOAT, FLOAT, "SELECT COUNT(DISTINCT x) FROM t"),
        new Typed(
            "distinct months",
            NOTHING,
            NOTHING,
            "SELECT COUNT(DISTINCT DATE_TRUNC('month', ts)) FROM t"),
        new Typed("join by number", NOTHING, NOTHING, "SELECT COUNT(*) FROM t JOIN u ON t.k = u.k"),
        new Typed(
            "join by text", NOTHING, NOTHING, "SELECT COUNT(*) FROM t JOIN u ON t.name = u.name"));
  }

  private static Typed count(String name, String where) {
    return new Typed(name, NOTHING, NOTHING, "SELECT COUNT(*) FROM t" + where);
  }

  private static Typed floats(String name, String where) {
    return new Typed(name, FLOAT, FLOAT, "SELECT COUNT(*) FROM t" + where);
  }
}
