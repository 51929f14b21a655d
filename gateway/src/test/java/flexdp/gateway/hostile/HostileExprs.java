package flexdp.gateway.hostile;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random expressions of every family over the columns in sight. */
final class HostileExprs {
  /** A column in sight. */
  record Name(String sql, Family family) {}

  private static final Family[] COMPUTED = {
    Family.INT,
    Family.DEC,
    Family.DBL,
    Family.TEXT,
    Family.DATE,
    Family.STAMP,
    Family.TIME,
    Family.BOOL,
    Family.UUID
  };

  final Random random;
  private final HostileSpellings spellings = new HostileSpellings(this);

  HostileExprs(Random random) {
    this.random = random;
  }

  boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  @SafeVarargs
  final <T> T one(T... choices) {
    return choices[random.nextInt(choices.length)];
  }

  <T> T one(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  Family family() {
    return one(COMPUTED);
  }

  /** A family that may stand beside it; now and then one that may not. */
  Family beside(Family family) {
    List<Family> some = new ArrayList<>();
    for (Family other : COMPUTED) {
      if (family.meets(other)) {
        some.add(other);
      }
    }
    return some.isEmpty() || chance(2) ? family() : one(some);
  }

  Name column(List<Name> scope, Family family) {
    List<Name> some = scope.stream().filter(n -> n.family() == family).toList();
    return some.isEmpty() ? null : one(some);
  }

  String constant(Family family) {
    return family.constants().isEmpty() || chance(4) ? "NULL" : family.constant(random);
  }

  String leaf(List<Name> scope, Family family) {
    Name name = chance(75) ? column(scope, family) : null;
    return name == null ? constant(family) : name.sql();
  }

  /** An expression of this family, or nearly. */
  String of(List<Name> scope, Family family, int depth) {
    if (depth <= 0 || chance(20)) {
      return leaf(scope, family);
    }
    int d = depth - 1;
    return switch (random.nextInt(5)) {
      case 0 -> choice(scope, family, d);
      case 1 ->
          family.types().isEmpty()
              ? special(scope, family, d)
              : "CAST(" + of(scope, family(), d) + " AS " + one(family.types()) + ")";
      default -> special(scope, family, d);
    };
  }

  private String choice(List<Name> scope, Family family, int d) {
    String a = of(scope, family, d);
    String b = of(scope, chance(70) ? family : beside(family), d);
    return switch (random.nextInt(7)) {
      case 0 -> "COALESCE(" + a + ", " + b + ")";
      case 1 -> "NULLIF(" + a + ", " + b + ")";
      case 2 -> "LEAST(" + a + ", " + b + ")";
      case 3 -> "GREATEST(" + a + ", " + b + ")";
      case 4 ->
          "DECODE(" + of(scope, family, 0) + ", " + leaf(scope, family) + ", " + a + ", " + b + ")";
      default ->
          "CASE WHEN "
              + condition(scope, d)
              + " THEN "
              + a
              + (chance(80) ? " ELSE " + b : "")
              + " END";
    };
  }

  private String special(List<Name> scope, Family family, int d) {
    if (chance(30)) {
      return spellings.of(scope, family, d);
    }
    return switch (family) {
      case INT -> whole(scope, d);
      case DEC ->
          switch (random.nextInt(4)) {
            case 0 ->
                one("FLOOR", "CEIL", "ABS", "SIGN", "-", "TRUNC")
                    + "("
                    + of(scope, Family.DEC, d)
                    + ")";
            case 1 ->
                "ROUND(" + of(scope, Family.DEC, d) + ", " + one("0", "2", "-3", "40", "-40") + ")";
            default -> arithmetic(scope, Family.DEC, d);
          };
      case DBL ->
          switch (random.nextInt(4)) {
            case 0 ->
                one(
                        "-", "ABS", "CEIL", "FLOOR", "SQRT", "LN", "EXP", "LOG10", "ROUND", "SIGN",
                        "TRUNC")
                    + "("
                    + of(scope, Family.DBL, d)
                    + ")";
            case 1 -> "POWER(" + number(scope, d) + ", " + number(scope, d) + ")";
            default -> arithmetic(scope, Family.DBL, d);
          };
      case TEXT -> text(scope, d);
      case DATE ->
          switch (random.nextInt(5)) {
            case 0 ->
                "DATE_TRUNC('"
                    + one("day", "week", "month", "year")
                    + "', "
                    + of(scope, Family.DATE, d)
                    + ")";
            case 1 -> "LAST_DAY(" + of(scope, one(Family.DATE, Family.STAMP), d) + ")";
            case 2 ->
                "ADD_MONTHS(" + of(scope, Family.DATE, d) + ", " + of(scope, Family.INT, d) + ")";
            case 3 ->
                "("
                    + of(scope, Family.DATE, d)
                    + one(" + ", " - ")
                    + of(scope, Family.INT, d)
                    + ")";
            default ->
                "("
                    + of(scope, Family.DATE, d)
                    + one(" + ", " - ")
                    + one("INTERVAL '1' DAY", "INTERVAL '1' MONTH", "INTERVAL '99999' YEAR")
                    + ")";
          };
      case STAMP ->
          switch (random.nextInt(4)) {
            case 0 ->
                "DATE_TRUNC('"
                    + one("second", "hour", "day", "week", "month", "quarter", "year")
                    + "', "
                    + of(scope, Family.STAMP, d)
                    + ")";
            case 1 -> "FROM_UNIXTIME(" + number(scope, d) + ")";
            default ->
                "("
                    + of(scope, Family.STAMP, d)
                    + one(" + ", " - ")
                    + of(scope, Family.SPAN, d)
                    + ")";
          };
      case TIME ->
          "CAST(" + of(scope, one(Family.STAMP, Family.TEXT, Family.TIME), d) + " AS TIME)";
      case SPAN ->
          switch (random.nextInt(4)) {
            case 0 -> "(" + of(scope, Family.SPAN, d) + " * " + number(scope, d) + ")";
            case 1 ->
                "("
                    + of(scope, Family.SPAN, d)
                    + one(" + ", " - ")
                    + of(scope, Family.SPAN, d)
                    + ")";
            default -> "(" + of(scope, Family.STAMP, d) + " - " + of(scope, Family.STAMP, d) + ")";
          };
      case BOOL -> "(" + condition(scope, d) + ")";
      case UUID -> "CAST(" + of(scope, Family.TEXT, d) + " AS UUID)";
      case OPAQUE -> leaf(scope, Family.OPAQUE);
    };
  }

  String number(List<Name> scope, int d) {
    return of(scope, one(Family.INT, Family.DEC, Family.DBL), d);
  }

  private String arithmetic(List<Name> scope, Family family, int d) {
    return "("
        + of(scope, family, d)
        + one(" + ", " - ", " * ", " / ", " % ")
        + of(scope, chance(60) ? family : beside(family), d)
        + ")";
  }

  private String whole(List<Name> scope, int d) {
    Family day = one(Family.DATE, Family.STAMP);
    return switch (random.nextInt(10)) {
      case 0 -> one("ABS", "SIGN", "-", "FLOOR") + "(" + of(scope, Family.INT, d) + ")";
      case 1 -> "CHAR_LENGTH(" + of(scope, Family.TEXT, d) + ")";
      case 2 -> "POSITION(" + of(scope, Family.TEXT, d) + " IN " + of(scope, Family.TEXT, d) + ")";
      case 3 ->
          "EXTRACT("
              + one(
                  "year", "quarter", "month", "week", "day", "dow", "doy", "epoch", "isoyear",
                  "hour", "second")
              + " FROM "
              + of(scope, day, d)
              + ")";
      case 4 ->
          "DATE_DIFF('"
              + one("second", "hour", "day", "week", "month", "year")
              + "', "
              + of(scope, day, d)
              + ", "
              + of(scope, beside(day), d)
              + ")";
      case 5 -> "(" + of(scope, Family.DATE, d) + " - " + of(scope, Family.DATE, d) + ")";
      case 6 -> "EXTRACT(epoch FROM " + of(scope, Family.SPAN, d) + ")";
      case 7 -> "DIV(" + of(scope, Family.INT, d) + ", " + of(scope, Family.INT, d) + ")";
      default -> arithmetic(scope, Family.INT, d);
    };
  }

  private String text(List<Name> scope, int d) {
    String a = of(scope, Family.TEXT, d);
    return switch (random.nextInt(9)) {
      case 0 -> "(" + a + " || " + of(scope, family(), d) + ")";
      case 1 -> one("LOWER", "UPPER", "TRIM", "LTRIM", "RTRIM", "REVERSE") + "(" + a + ")";
      case 2 ->
          "SUBSTRING("
              + a
              + ", "
              + of(scope, Family.INT, d)
              + ", "
              + of(scope, Family.INT, d)
              + ")";
      case 3 -> one("LEFT", "RIGHT") + "(" + a + ", " + of(scope, Family.INT, d) + ")";
      case 4 ->
          "REPLACE(" + a + ", " + leaf(scope, Family.TEXT) + ", " + leaf(scope, Family.TEXT) + ")";
      default -> "CAST(" + of(scope, family(), d) + " AS VARCHAR)";
    };
  }

  String condition(List<Name> scope, int depth) {
    Family family = family();
    if (depth <= 0) {
      Name name = one(scope);
      if (chance(15)) {
        return name.sql() + one(" IS NULL", " IS NOT NULL");
      }
      Name victim = column(scope, Family.TEXT);
      if (victim != null && chance(30)) {
        return victim.sql() + one(" = ", " <> ") + "'victim'";
      }
      return name.sql() + comparison() + leaf(scope, beside(name.family()));
    }
    int d = depth - 1;
    return switch (random.nextInt(14)) {
      case 12, 13 -> "(" + spellings.of(scope, Family.BOOL, d) + ")";
      case 11 -> condition(scope, 0);
      case 0, 1, 2, 3 ->
          "(" + of(scope, family, d) + comparison() + of(scope, beside(family), d) + ")";
      case 4 ->
          "("
              + of(scope, family, d)
              + one(" IN (", " NOT IN (")
              + constant(beside(family))
              + ", "
              + constant(family)
              + ", "
              + constant(beside(family))
              + "))";
      case 5 ->
          "("
              + of(scope, family, d)
              + " BETWEEN "
              + of(scope, beside(family), d)
              + " AND "
              + of(scope, beside(family), d)
              + ")";
      case 6 ->
          "("
              + of(scope, Family.TEXT, d)
              + one(" LIKE ", " ILIKE ", " NOT LIKE ")
              + one("'%a%'", "'a_'", "'\\%'", "''", "'%\u00e1'")
              + ")";
      case 7 -> "(" + condition(scope, d) + one(" AND ", " OR ") + condition(scope, d) + ")";
      case 8 -> "(NOT " + condition(scope, d) + ")";
      case 9 -> "(" + of(scope, family, d) + one(" IS NULL", " IS NOT NULL") + ")";
      default ->
          one("STARTS_WITH", "CONTAINS", "ENDS_WITH")
              + "("
              + of(scope, Family.TEXT, d)
              + ", "
              + of(scope, Family.TEXT, d)
              + ")";
    };
  }

  String comparison() {
    return one(" = ", " = ", " <> ", " < ", " >= ", " IS DISTINCT FROM ", " IS NOT DISTINCT FROM ");
  }
}
