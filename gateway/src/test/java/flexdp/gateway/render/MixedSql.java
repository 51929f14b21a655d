package flexdp.gateway.render;

import java.util.List;
import java.util.Random;

/** Random questions in which columns of different types meet wherever two values can meet. */
final class MixedSql {
  private final Random random;
  private List<String> family = MixedTables.NUMBERS;

  MixedSql(Random random) {
    this.random = random;
  }

  String query() {
    family = random.nextInt(8) == 0 ? MixedTables.MOMENTS : MixedTables.NUMBERS;
    return "SELECT COUNT(*) FROM " + rows();
  }

  private String rows() {
    return switch (random.nextInt(12)) {
      case 0 -> "t a " + join() + " u b ON " + equal("a." + column(), "b." + column());
      case 1 -> "t a WHERE a." + column() + " IN (SELECT b." + column() + " FROM u b)";
      case 2 -> "t a WHERE " + not() + "EXISTS (SELECT 1 FROM u b WHERE " + both() + ")";
      case 3 -> "(" + union() + ") q " + join() + " u b ON " + equal("q.z", "b." + column());
      case 4 ->
          "(SELECT z, COUNT(*) OVER (PARTITION BY z) AS w FROM ("
              + union()
              + ") q) r WHERE w % 2 = 0";
      case 5 -> "t a JOIN (VALUES " + values() + ") v(z) ON " + equal("v.z", "a." + column());
      case 6 ->
          "(SELECT "
              + column()
              + " AS z FROM t) a "
              + join()
              + " (SELECT "
              + column()
              + " AS z FROM u) b USING (z)";
      case 7 -> "(SELECT z FROM (" + union() + ") q GROUP BY z HAVING COUNT(*) >= 2) r";
      case 8 ->
          "t a WHERE a."
              + column()
              + " = (SELECT MAX(b."
              + column()
              + ") FROM u b WHERE "
              + both()
              + ")";
      case 9 -> "(" + union() + ") q JOIN (" + union() + ") r ON " + equal("q.z", "r.z");
      case 10 ->
          "t a JOIN u b ON "
              + both()
              + " AND COALESCE(a."
              + column()
              + ", b."
              + column()
              + ") "
              + one("<", ">=")
              + " a."
              + column();
      default ->
          "(SELECT DISTINCT CASE WHEN a.i2 = b.i4 THEN a."
              + column()
              + " ELSE b."
              + column()
              + " END AS z FROM t a JOIN u b ON "
              + both()
              + ") q";
    };
  }

  private String both() {
    return equal("b." + column(), "a." + column());
  }

  private String equal(String one, String two) {
    return one + one(" = ", " IS NOT DISTINCT FROM ") + two;
  }

  private String join() {
    return one("JOIN", "JOIN", "LEFT JOIN", "FULL JOIN");
  }

  private String not() {
    return one("", "NOT ");
  }

  private String union() {
    String other =
        random.nextInt(3) > 0
            ? "SELECT " + column() + " FROM u"
            : family == MixedTables.MOMENTS
                ? "SELECT TIMESTAMP '2020-01-01 12:00:00'"
                : "SELECT " + one("CAST(-1 AS DOUBLE)", "CAST(1 AS DECIMAL(38, 10))", "1.5", "2e0");
    return "SELECT "
        + column()
        + " AS z FROM t "
        + one("UNION ALL", "UNION ALL", "UNION", "EXCEPT ALL", "INTERSECT ALL", "EXCEPT")
        + " "
        + other;
  }

  /** Constants that are different as they are written, and not all so once they have one type. */
  private String values() {
    if (family == MixedTables.MOMENTS) {
      return "(DATE '2020-01-01'), (TIMESTAMP '2020-01-01 00:00:00'), (DATE '2020-01-02')";
    }
    return one(
        "(1000000000000000000), (1000000000000000001), (1000000000000000002), (1e0)",
        "(1), (1.0), (1.00), (1e0)",
        "(1), (1.0), (1.00), (2.5)",
        "(100000000000000000000000000000000000), (200000000000000000000000000000000000),"
            + " (0.0000000001), (300000000000000000000000000000000000)");
  }

  private String column() {
    return family.get(random.nextInt(family.size()));
  }

  private String one(String... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
