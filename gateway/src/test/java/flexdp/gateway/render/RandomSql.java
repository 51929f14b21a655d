package flexdp.gateway.render;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Random queries over the tables t(id, a, b, s), u(id, a, c) and p(id, k, name), aimed at the
 * binder: joins of every kind, conditions that move, subqueries, grouping, windows, set operations.
 */
public final class RandomSql {
  /** A column in sight. */
  private record Name(String sql, boolean text) {}

  private final Random random;
  private int aliases;

  public RandomSql(Random random) {
    this.random = random;
  }

  public String query() {
    aliases = 0;
    return switch (random.nextInt(12)) {
      case 0, 1, 2 -> rows(2);
      case 3, 4, 5 -> groups(2);
      case 6 -> combined();
      case 7 -> "SELECT count(*), sum(x.n) FROM (" + groups(1, "n") + ") x" + where("x.n");
      case 8 -> firstRows();
      case 9 -> windows();
      case 10 ->
          "WITH w AS (" + rows(1, "n") + ") SELECT count(*) FROM w w1 JOIN w w2 ON w1.n = w2.n";
      default -> "SELECT count(*) FROM (" + rows(1, "n") + " ORDER BY 1 LIMIT 3) x WHERE x.n > 0";
    };
  }

  private String where(String column) {
    return random.nextBoolean() ? "" : " WHERE " + column + " > " + random.nextInt(3);
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  private <T> T pick(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  private String firstRows() {
    String partition = chance(80) ? "PARTITION BY " + pick(List.of("a", "b", "s", "a, b")) : "";
    String order = pick(List.of("id", "id DESC", "a, id", "b DESC NULLS LAST, id"));
    String limit = pick(List.of("rn <= 2", "rn = 1", "rn < 3", "2 >= rn", "rn = 2", "rn > 1"));
    return "SELECT count(*), sum(x.a) FROM (SELECT t.*, ROW_NUMBER() OVER ("
        + partition
        + " ORDER BY "
        + order
        + ") AS rn FROM t) x WHERE "
        + limit
        + (chance(40) ? " AND x.b > 0" : "");
  }

  private String windows() {
    String call =
        pick(
            List.of(
                "sum(a)",
                "count(*)",
                "max(b)",
                "rank()",
                "dense_rank()",
                "lag(a)",
                "min(a)",
                "count(b)"));
    boolean ranks = call.endsWith("()") || call.startsWith("lag");
    String order = ranks || chance(40) ? " ORDER BY id" : "";
    return "SELECT x.w, count(*) FROM (SELECT id, b, "
        + call
        + " OVER (PARTITION BY "
        + pick(List.of("a", "s", "b"))
        + order
        + ") AS w FROM t) x"
        + (chance(50) ? " WHERE x.b > 0 OR x.w > 1" : "")
        + " GROUP BY x.w";
  }

  private String combined() {
    String operator =
        pick(List.of("UNION", "UNION ALL", "INTERSECT", "EXCEPT", "INTERSECT ALL", "EXCEPT ALL"));
    String both = rows(1, "n") + " " + operator + " " + rows(1, "n");
    return chance(50) ? both : "SELECT count(*), sum(x.n) FROM (" + both + ") x";
  }

  private String rows(int depth) {
    return rows(depth, null);
  }

  /** A SELECT of one integer with that name, or of some columns. */
  private String rows(int depth, String name) {
    List<Name> scope = new ArrayList<>();
    String from = from(depth, scope);
    String list;
    if (name != null) {
      list = number(scope, depth) + " AS " + name;
    } else {
      List<String> items = new ArrayList<>();
      for (int i = 0; i <= random.nextInt(3); i++) {
        items.add((chance(70) ? pick(scope).sql() : number(scope, depth)) + " AS c" + i);
      }
      list = String.join(", ", items);
    }
    return "SELECT "
        + (chance(15) ? "DISTINCT " : "")
        + list
        + " FROM "
        + from
        + (chance(75) ? " WHERE " + condition(scope, depth) : "");
  }

  private String groups(int depth) {
    return groups(depth, "n");
  }

  private String groups(int depth, String name) {
    List<Name> scope = new ArrayList<>();
    String from = from(depth, scope);
    String key =
        switch (random.nextInt(4)) {
          case 0 -> "CASE WHEN " + simple(scope) + " THEN 1 ELSE 0 END";
          case 1 -> number(scope, 0);
          default -> pick(scope).sql();
        };
    String aggregate = aggregate(scope);
    boolean grouped = chance(80);
    String having =
        !chance(40)
            ? ""
            : " HAVING "
                + pick(
                    List.of(
                        "count(*) > 1",
                        "count(*) > (SELECT count(*) - 3 FROM u)",
                        "sum(" + integer(scope) + ") > 1",
                        "max(" + integer(scope) + ") IN (SELECT a FROM u)"));
    String rest = " FROM " + from + (chance(60) ? " WHERE " + condition(scope, depth) : "");
    if (!grouped) {
      return "SELECT " + aggregate + " AS " + name + rest + having;
    }
    String by = chance(15) ? "ROLLUP (" + key + ")" : pick(List.of(key, "2"));
    return "SELECT "
        + aggregate
        + " AS "
        + name
        + ", "
        + key
        + " AS k"
        + rest
        + " GROUP BY "
        + by
        + having;
  }

  private String aggregate(List<Name> scope) {
    String column = integer(scope);
    return pick(
        List.of(
            "count(*)",
            "count(" + column + ")",
            "sum(" + column + ")",
            "count(DISTINCT " + column + ")",
            "max(" + column + ")",
            "count(*) FILTER (WHERE " + simple(scope) + ")",
            "sum(CASE WHEN " + simple(scope) + " THEN 1 ELSE 0 END)",
            "count(CASE WHEN " + simple(scope) + " THEN 1 END)"));
  }

  private String from(int depth, List<Name> scope) {
    StringBuilder text = new StringBuilder(item(depth, scope));
    for (int joins = random.nextInt(3); joins > 0; joins--) {
      List<Name> right = new ArrayList<>();
      String item = item(depth - 1, right);
      List<Name> both = new ArrayList<>(scope);
      both.addAll(right);
      String on = integer(scope) + " = " + integer(right);
      if (chance(30)) {
        on += " AND " + simple(both);
      } else if (chance(10)) {
        on = "(" + on + " OR " + integer(scope) + " = " + integer(right) + ")";
      }
      switch (random.nextInt(7)) {
        case 0 -> text.append(", ").append(item);
        case 1 -> text.append(" CROSS JOIN ").append(item);
        case 2 -> text.append(" LEFT JOIN ").append(item).append(" ON ").append(on);
        case 3 -> text.append(" RIGHT JOIN ").append(item).append(" ON ").append(on);
        case 4 -> text.append(" FULL JOIN ").append(item).append(" ON ").append(on);
        default -> text.append(" JOIN ").append(item).append(" ON ").append(on);
      }
      // A comma binds weaker than JOIN, so what comes after it could not see what comes before.
      boolean comma = text.indexOf(", ") >= 0;
      scope.addAll(right);
      if (comma) {
        break;
      }
    }
    return text.toString();
  }

  private String item(int depth, List<Name> scope) {
    String alias = "q" + aliases++;
    if (depth > 0 && chance(25)) {
      scope.add(new Name(alias + ".n", false));
      return "(" + (chance(50) ? rows(depth - 1, "n") : groups(depth - 1, "n")) + ") " + alias;
    }
    String table = pick(List.of("t", "t", "u", "p"));
    switch (table) {
      case "t" -> {
        scope.add(new Name(alias + ".id", false));
        scope.add(new Name(alias + ".a", false));
        scope.add(new Name(alias + ".b", false));
        scope.add(new Name(alias + ".s", true));
      }
      case "u" -> {
        scope.add(new Name(alias + ".id", false));
        scope.add(new Name(alias + ".a", false));
        scope.add(new Name(alias + ".c", false));
      }
      default -> {
        scope.add(new Name(alias + ".id", false));
        scope.add(new Name(alias + ".k", false));
        scope.add(new Name(alias + ".name", true));
      }
    }
    return table + " " + alias;
  }

  private String integer(List<Name> scope) {
    while (true) {
      Name name = pick(scope);
      if (!name.text()) {
        return name.sql();
      }
    }
  }

  private String number(List<Name> scope, int depth) {
    return switch (random.nextInt(depth > 0 ? 7 : 6)) {
      case 0 -> integer(scope) + " + " + random.nextInt(3);
      case 1 -> "coalesce(" + integer(scope) + ", " + integer(scope) + ", 0)";
      case 2 -> "CASE WHEN " + simple(scope) + " THEN " + integer(scope) + " END";
      case 6 -> scalar(scope);
      default -> integer(scope);
    };
  }

  private String scalar(List<Name> scope) {
    String alias = "q" + aliases++;
    String value = pick(List.of("count(*)", "max(%s.a)", "sum(%s.id)", "1 + count(%s.a)"));
    return "(SELECT "
        + value.replace("%s", alias)
        + " FROM u "
        + alias
        + (chance(80)
            ? " WHERE " + alias + "." + pick(List.of("id", "a", "c")) + " = " + integer(scope)
            : "")
        + ")";
  }

  private String simple(List<Name> scope) {
    return switch (random.nextInt(9)) {
      case 0 -> integer(scope) + " IS NULL";
      case 1 -> integer(scope) + " IS NOT NULL";
      case 2 -> integer(scope) + " BETWEEN 1 AND " + random.nextInt(4);
      case 3 -> integer(scope) + " IN (0, 2" + (chance(20) ? ", NULL" : "") + ")";
      case 4 -> integer(scope) + " NOT IN (1, 3)";
      case 5 -> integer(scope) + " = " + integer(scope);
      case 6 -> "coalesce(" + integer(scope) + ", 1) = 1";
      case 7 -> integer(scope) + " IS DISTINCT FROM " + integer(scope);
      default ->
          integer(scope) + pick(List.of(" > ", " < ", " = ", " <> ", " >= ")) + random.nextInt(4);
    };
  }

  private String condition(List<Name> scope, int depth) {
    return condition(scope, depth, 3);
  }

  /** At most so many levels of AND, OR and NOT. */
  private String condition(List<Name> scope, int depth, int levels) {
    int kind = random.nextInt(depth > 0 ? 12 : 7);
    return switch (levels == 0 && kind < 4 ? 4 : kind) {
      case 0, 1 ->
          condition(scope, depth, levels - 1) + " AND " + condition(scope, depth, levels - 1);
      case 2 ->
          "("
              + condition(scope, depth, levels - 1)
              + " OR "
              + condition(scope, depth, levels - 1)
              + ")";
      case 3 -> "NOT (" + condition(scope, depth, levels - 1) + ")";
      case 7 -> exists(scope, depth);
      case 8 -> "NOT " + exists(scope, depth);
      case 9 -> integer(scope) + (chance(30) ? " NOT" : "") + " IN (" + column(depth) + ")";
      case 10 -> scalar(scope) + pick(List.of(" > ", " < ", " = ")) + number(scope, 0);
      case 11 -> integer(scope) + pick(List.of(" = ANY (", " <> ALL (")) + column(depth) + ")";
      default -> simple(scope);
    };
  }

  private String column(int depth) {
    return chance(30)
        ? "SELECT a FROM t GROUP BY a HAVING count(*) > 1"
        : chance(40) ? "SELECT id FROM t" : rows(depth - 1, "n");
  }

  /** DuckDB 1.5 answers wrongly when a correlated inequality meets NULL, so none does here. */
  private static String different(String inner, String outer) {
    return "coalesce(" + inner + ", 9) <> coalesce(" + outer + ", 9)";
  }

  private String exists(List<Name> scope, int depth) {
    List<Name> inner = new ArrayList<>();
    String from = from(0, inner);
    String group = chance(15) ? " GROUP BY " + integer(inner) + " HAVING count(*) > 1" : "";
    return "EXISTS (SELECT 1 FROM "
        + from
        + " WHERE "
        + integer(inner)
        + " = "
        + integer(scope)
        + (chance(40) ? " AND " + different(integer(inner), integer(scope)) : "")
        + (chance(50) ? " AND " + condition(inner, depth - 1) : "")
        + group
        + ")";
  }
}
