package flexdp.gateway.hostile;

import flexdp.gateway.hostile.HostileExprs.Name;
import java.util.ArrayList;
import java.util.List;

/** What stands in FROM: tables, derived tables, set operations, VALUES and joins. */
final class HostileFrom {
  /** Rows that can stand in FROM, with the columns that they show. */
  record Rows(String sql, List<Name> scope) {}

  private final List<HostileColumn> columns;
  private final HostileExprs exprs;
  private int aliases;

  HostileFrom(HostileExprs exprs, List<HostileColumn> columns) {
    this.exprs = exprs;
    this.columns = columns;
  }

  /** Begins another question. */
  void begin() {
    aliases = 0;
  }

  String alias() {
    return "q" + aliases++;
  }

  Rows table(String name) {
    String alias = alias();
    List<Name> scope = new ArrayList<>();
    scope.add(new Name(alias + ".id", Family.INT));
    scope.add(new Name(alias + ".id", Family.INT)); // a key is worth more
    columns.forEach(c -> scope.add(new Name(alias + "." + c.name(), c.family())));
    return new Rows(name + " " + alias, scope);
  }

  Rows table() {
    return table(exprs.one("t", "t", "t", "u", "u", "p"));
  }

  /** A table or a derived table. */
  Rows rows(int depth) {
    if (depth <= 0) {
      return table();
    }
    return switch (exprs.random.nextInt(8)) {
      case 0 -> joined();
      case 1 -> combined();
      case 2 -> projected(depth, "");
      case 3 -> projected(depth, "DISTINCT ");
      default -> table();
    };
  }

  static Rows derived(String sql, String alias, List<Family> families) {
    List<Name> scope = new ArrayList<>();
    for (int i = 0; i < families.size(); i++) {
      scope.add(new Name(alias + ".c" + i, families.get(i)));
    }
    return new Rows("(" + sql + ") " + alias, scope);
  }

  Rows projected(int depth, String distinct) {
    Rows from = rows(depth - 1);
    List<Family> families = new ArrayList<>();
    StringBuilder list = new StringBuilder();
    for (int i = 0; i <= exprs.random.nextInt(3); i++) {
      Name name = exprs.one(from.scope());
      Family family = exprs.chance(60) ? name.family() : exprs.family();
      String value =
          exprs.chance(50) ? name.sql() : exprs.of(from.scope(), family, exprs.random.nextInt(3));
      families.add(value.equals(name.sql()) ? name.family() : family);
      list.append(i == 0 ? "" : ", ").append(value).append(" AS c").append(i);
    }
    return derived(
        "SELECT " + distinct + list + " FROM " + from.sql() + where(from), alias(), families);
  }

  String where(Rows from) {
    return exprs.chance(88) ? "" : " WHERE " + exprs.condition(from.scope(), 1);
  }

  /** Two queries whose columns have types that meet but differ. */
  Rows combined() {
    Rows left = exprs.chance(85) ? table(exprs.one("t", "t", "t", "u")) : rows(1);
    Rows right = exprs.chance(40) ? table() : null;
    List<Family> families = new ArrayList<>();
    List<String> ours = new ArrayList<>();
    List<String> theirs = new ArrayList<>();
    for (int i = 0; i <= exprs.random.nextInt(2); i++) {
      Name name = exprs.one(left.scope());
      Family family = name.family();
      Family other = exprs.beside(family);
      if (family == Family.OPAQUE) {
        other = family;
      }
      ours.add((exprs.chance(85) ? name.sql() : exprs.of(left.scope(), family, 1)) + " AS c" + i);
      theirs.add(
          (right == null ? exprs.constant(other) : exprs.leaf(right.scope(), other)) + " AS c" + i);
      families.add(family);
    }
    String operator =
        right == null || exprs.chance(60)
            ? exprs.one("UNION ALL", "UNION ALL", "UNION ALL", "UNION", "EXCEPT", "EXCEPT ALL")
            : exprs.one("UNION ALL", "UNION", "EXCEPT", "EXCEPT ALL", "INTERSECT", "INTERSECT ALL");
    String one = "SELECT " + String.join(", ", ours) + " FROM " + left.sql() + where(left);
    String two =
        "SELECT " + String.join(", ", theirs) + (right == null ? "" : " FROM " + right.sql());
    return derived(
        exprs.chance(75) || right == null
            ? one + " " + operator + " " + two
            : two + " " + operator + " " + one,
        alias(),
        families);
  }

  Rows values() {
    Family family = exprs.family();
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < 2 + exprs.random.nextInt(60); i++) {
      rows.add(
          "("
              + (family == Family.INT && exprs.chance(80)
                  ? (4611686018427387904L + i) + exprs.one("", "", "", "", "e0", ".5")
                  : exprs.constant(exprs.chance(50) ? family : exprs.beside(family)))
              + ")");
    }
    String alias = alias();
    return new Rows(
        "(VALUES " + String.join(", ", rows) + ") " + alias + "(c0)",
        List.of(new Name(alias + ".c0", family)));
  }

  /** A join of columns of types that meet. */
  Rows joined() {
    Rows left =
        switch (exprs.random.nextInt(8)) {
          case 0, 1, 2 -> combined();
          case 3 -> values();
          case 4 -> projected(1, exprs.one("", "DISTINCT "));
          default -> table("t");
        };
    Rows right =
        switch (exprs.random.nextInt(8)) {
          case 0 -> combined();
          case 1 -> projected(1, exprs.one("", "DISTINCT "));
          default -> table(exprs.one("u", "u", "u", "u", "t", "p"));
        };
    Name mine = exprs.one(left.scope());
    List<Name> partners =
        right.scope().stream().filter(n -> n.family().meets(mine.family())).toList();
    Name yours = partners.isEmpty() ? exprs.one(right.scope()) : exprs.one(partners);
    String yoursSql =
        exprs.chance(8) ? exprs.of(List.of(yours), exprs.beside(yours.family()), 1) : yours.sql();
    String on = mine.sql() + exprs.one(" = ", " = ", " = ", " IS NOT DISTINCT FROM ") + yoursSql;
    List<Name> both = new ArrayList<>(left.scope());
    both.addAll(right.scope());
    if (exprs.chance(8)) {
      on += " AND " + exprs.condition(both, 1);
    }
    String bare = mine.sql().substring(mine.sql().indexOf('.') + 1);
    boolean using =
        exprs.chance(15) && yours.sql().endsWith("." + bare) && yoursSql.equals(yours.sql());
    return new Rows(
        left.sql()
            + exprs.one(" JOIN ", " JOIN ", " JOIN ", " LEFT JOIN ", " RIGHT JOIN ", " FULL JOIN ")
            + right.sql()
            + (using ? " USING (" + bare + ")" : " ON " + on),
        using ? List.of(new Name(bare, mine.family())) : both);
  }

  Name partner(Name mine, Rows rows) {
    List<Name> some = rows.scope().stream().filter(n -> n.family().meets(mine.family())).toList();
    return some.isEmpty() ? exprs.one(rows.scope()) : exprs.one(some);
  }
}
