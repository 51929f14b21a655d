package flexdp.gateway.render;

import java.util.Random;

/** Random expressions as an attacker would write them: whatever may fail on some value. */
final class HostileExpressions {
  private final Random random;

  HostileExpressions(Random random) {
    this.random = random;
  }

  String any(int depth) {
    return switch (random.nextInt(6)) {
      case 0, 1 -> number(depth);
      case 2, 3 -> text(depth);
      case 4 -> moment(depth);
      default -> condition(depth);
    };
  }

  /** A question with such expressions where databases compute, compare, sum or keep them. */
  String question() {
    int d = 1 + random.nextInt(3);
    return switch (random.nextInt(12)) {
      case 0, 1, 2 -> "SELECT COUNT(*) FROM h WHERE " + condition(d);
      case 3, 4 ->
          "SELECT COUNT("
              + any(d)
              + "), COUNT("
              + any(d)
              + "), COUNT(DISTINCT "
              + any(d)
              + ") FROM h";
      case 5 ->
          "SELECT "
              + one("SUM", "AVG", "MEDIAN", "MAX", "VAR_POP")
              + "(LEAST(GREATEST("
              + number(d)
              + ", "
              + one("-5", "0", "-1.5", "-1e9")
              + "), "
              + one("5", "7.25", "1e9", "10000000000")
              + ")) FROM h";
      case 6 ->
          "SELECT COUNT(*) FROM (SELECT ok, "
              + aggregate(d)
              + " AS x FROM h GROUP BY ok) q WHERE x > 0";
      case 7 ->
          "SELECT COUNT(*) FROM (SELECT "
              + aggregate(d)
              + " OVER (PARTITION BY ok) AS x FROM h) q WHERE x > 0";
      case 8 ->
          "SELECT COUNT(*) FROM (SELECT "
              + ranked(d)
              + " OVER (PARTITION BY ok ORDER BY "
              + any(d)
              + ", id) AS x FROM h) q WHERE x > 0";
      case 9 ->
          "SELECT COUNT(*) FROM (SELECT "
              + number(d)
              + " AS x FROM h "
              + one("UNION", "UNION ALL", "INTERSECT", "EXCEPT")
              + " SELECT "
              + number(d)
              + " FROM h) q WHERE x > 0";
      case 10 ->
          "SELECT COUNT(*) FROM (SELECT "
              + moment(d)
              + " AS x FROM h "
              + one("UNION", "UNION ALL", "INTERSECT", "EXCEPT")
              + " SELECT "
              + moment(d)
              + " FROM h) q WHERE x > DATE '2000-01-01'";
      default ->
          "SELECT COUNT(*) FROM (SELECT DISTINCT "
              + any(d)
              + " AS x, "
              + any(d)
              + " AS y FROM h ORDER BY x, y LIMIT 9) q";
    };
  }

  private String aggregate(int d) {
    return one("SUM", "AVG", "MIN", "MAX", "MEDIAN", "VAR_POP", "STDDEV_SAMP")
        + "("
        + number(d)
        + ")";
  }

  private String ranked(int d) {
    return switch (random.nextInt(4)) {
      case 0 -> "NTILE(" + one("i", "3", "0", "-1", "b", whole(d)) + ")";
      case 1 ->
          one("LAG", "LEAD")
              + "("
              + number(d)
              + ", "
              + one("1", "i", "b", "-1", "2147483648", whole(d))
              + ")";
      case 2 -> one("LAG", "LEAD") + "(" + number(d) + ", 1, " + number(d) + ")";
      default -> one("FIRST_VALUE", "LAST_VALUE") + "(" + number(d) + ")";
    };
  }

  private String one(String... choices) {
    return choices[random.nextInt(choices.length)];
  }

  private String number(int depth) {
    if (depth == 0) {
      return one(
          "s",
          "i",
          "b",
          "d",
          "w",
          "f",
          "0",
          "-1",
          "7",
          "9223372036854775807",
          "0.001",
          "1e200",
          "99999999999999999999999999999999999999");
    }
    int d = depth - 1;
    return switch (random.nextInt(20)) {
      case 0, 1, 2 -> "(" + number(d) + one(" + ", " - ", " * ", " / ", " % ") + number(d) + ")";
      case 3 ->
          one(
                  "ABS",
                  "SIGN",
                  "FLOOR",
                  "CEIL",
                  "ROUND",
                  "TRUNC",
                  "SQRT",
                  "LN",
                  "EXP",
                  "LOG10",
                  "LOG2",
                  "LOG",
                  "SQUARE",
                  "-",
                  "NULLIFZERO")
              + "("
              + number(d)
              + ")";
      case 4 -> "POWER(" + number(d) + ", " + number(d) + ")";
      case 5 -> "ROUND(" + number(d) + ", " + one("-40", "-3", "0", "2", "40", "2147483648") + ")";
      case 6 -> "LOG(" + number(d) + ", " + number(d) + ")";
      case 7 ->
          "CAST("
              + any(d)
              + " AS "
              + one(
                  "smallint",
                  "integer",
                  "bigint",
                  "decimal(9,2)",
                  "decimal(38,10)",
                  "decimal(38,38)",
                  "double")
              + ")";
      case 8 -> one("CHAR_LENGTH", "LENGTH") + "(" + text(d) + ")";
      case 9 -> "POSITION(" + text(d) + " IN " + text(d) + ")";
      case 10 ->
          "EXTRACT("
              + one(
                  "year", "quarter", "month", "week", "day", "dow", "doy", "epoch", "isoyear",
                  "decade", "isodow", "hour", "second")
              + " FROM "
              + moment(d)
              + ")";
      case 11 -> "DATE_DIFF('" + unit() + "', " + moment(d) + ", " + moment(d) + ")";
      case 12 -> "COALESCE(" + number(d) + ", " + number(d) + ")";
      case 13 -> one("LEAST", "GREATEST", "NULLIF") + "(" + number(d) + ", " + number(d) + ")";
      case 14 -> "CASE WHEN " + condition(d) + " THEN " + number(d) + " ELSE " + number(d) + " END";
      case 15 -> "DIV(" + number(d) + ", " + number(d) + ")";
      case 16 -> "EXTRACT(epoch FROM (" + moment(d) + " - " + moment(d) + "))";
      case 17 -> "(" + moment(d) + " - " + moment(d) + ")";
      default -> number(0);
    };
  }

  private String unit() {
    return one("year", "quarter", "month", "week", "day", "hour", "minute", "second");
  }

  private String text(int depth) {
    if (depth == 0) {
      return one("t", "t2", "t", "'a'", "''", "'%'", "'\\'", "'12'", "'2024-02-30'");
    }
    int d = depth - 1;
    return switch (random.nextInt(12)) {
      case 0 -> "(" + text(d) + " || " + any(d) + ")";
      case 1 -> one("LOWER", "UPPER", "TRIM", "LTRIM", "RTRIM", "REVERSE") + "(" + text(d) + ")";
      case 2 -> "SUBSTRING(" + text(d) + ", " + whole(d) + ")";
      case 3 -> "SUBSTRING(" + text(d) + ", " + whole(d) + ", " + whole(d) + ")";
      case 4 -> one("LEFT", "RIGHT") + "(" + text(d) + ", " + whole(d) + ")";
      case 5 -> "REPLACE(" + text(d) + ", " + text(d) + ", " + one("''", "'b'", "'é'") + ")";
      case 6, 7 -> "CAST(" + one(any(d), clock(d)) + " AS varchar)";
      case 8 ->
          one("LEAST", "GREATEST", "NULLIF", "COALESCE") + "(" + text(d) + ", " + text(d) + ")";
      case 9 -> "TO_CHAR(" + moment(d) + ", 'YYYY-MM-DD HH24:MI:SS')";
      default -> text(0);
    };
  }

  private String whole(int depth) {
    return random.nextInt(3) == 0
        ? "CAST(" + number(depth) + " AS bigint)"
        : one(
            "i",
            "b",
            "s",
            "0",
            "-1",
            "3",
            "2147483648",
            "9223372036854775807",
            "-9223372036854775807");
  }

  private String moment(int depth) {
    if (depth == 0) {
      return one(
          "day", "zoned", "at", "at", "DATE '0001-01-01'", "TIMESTAMP '9999-12-31 23:59:59'");
    }
    int d = depth - 1;
    return switch (random.nextInt(12)) {
      case 0, 1 -> "(" + moment(d) + one(" + ", " - ") + interval(d) + ")";
      case 2 -> "DATE_TRUNC('" + unit() + "', " + moment(d) + ")";
      case 3 -> "CAST(" + text(d) + " AS " + one("date", "timestamp") + ")";
      case 4 -> "CAST(" + moment(d) + " AS " + one("date", "timestamp") + ")";
      case 5 -> "DATE_ADD('" + unit() + "', " + whole(d) + ", " + moment(d) + ")";
      case 6 -> "ADD_MONTHS(" + moment(d) + ", " + whole(d) + ")";
      case 7 -> "LAST_DAY(" + moment(d) + ")";
      case 8 -> "FROM_UNIXTIME(" + whole(d) + ")";
      case 9 ->
          one("LEAST", "GREATEST", "NULLIF", "COALESCE") + "(" + moment(d) + ", " + moment(d) + ")";
      default -> moment(0);
    };
  }

  private String clock(int depth) {
    return one(
        "clock",
        "TIME '12:00:00'",
        "CAST(" + text(depth) + " AS time)",
        "CAST(" + moment(depth) + " AS time)");
  }

  private String interval(int depth) {
    return switch (random.nextInt(3)) {
      case 0 ->
          whole(depth)
              + " * INTERVAL '"
              + one("1", "1000", "99999")
              + "' "
              + one("YEAR", "MONTH", "DAY", "SECOND");
      case 1 ->
          "INTERVAL '" + one("1", "49000", "9999") + "' " + one("YEAR", "MONTH", "DAY", "HOUR");
      default -> "(" + moment(depth) + " - " + moment(depth) + ")";
    };
  }

  private String condition(int depth) {
    if (depth == 0) {
      return one("ok", "i > 0", "t = 'a'", "day > DATE '2000-01-01'", "at < day");
    }
    int d = depth - 1;
    return switch (random.nextInt(12)) {
      case 0, 1 ->
          "("
              + number(d)
              + one(" < ", " = ", " <> ", " >= ", " IS DISTINCT FROM ")
              + number(d)
              + ")";
      case 2 -> "(" + text(d) + one(" < ", " = ", " IS DISTINCT FROM ") + text(d) + ")";
      case 3 -> "(" + moment(d) + one(" < ", " = ", " <> ", " IS DISTINCT FROM ") + moment(d) + ")";
      case 4 ->
          "("
              + text(d)
              + one(" LIKE ", " ILIKE ")
              + one("'%a%a%'", "'\\%'", "'a!_' ESCAPE '!'", "'_'")
              + ")";
      case 5 -> "(" + number(d) + " IN (" + number(0) + ", " + number(0) + ", 1.5))";
      case 6 -> "STARTS_WITH(" + text(d) + ", " + text(d) + ")";
      case 7 -> "CAST(" + one(text(d), "i", "w") + " AS boolean)";
      case 8 -> "(" + condition(d) + one(" AND ", " OR ") + condition(d) + ")";
      case 9 -> "(" + clock(d) + one(" > ", " = ") + clock(d) + ")";
      case 10 -> "(CAST(" + text(d) + " AS uuid) = u)";
      default -> condition(0);
    };
  }
}
