package flexdp.fuzz;

import flexdp.fuzz.Scope.Col;
import flexdp.fuzz.SqlGenerator.Feature;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random SELECTs to stand in FROM: plain, distinct, grouped, combined, windowed, limited. */
final class DerivedTables {
  private final Random random;
  private final SqlGenerator generator;
  private final Predicates predicates;

  DerivedTables(Random random, SqlGenerator generator, Predicates predicates) {
    this.random = random;
    this.generator = generator;
    this.predicates = predicates;
  }

  /** A SELECT and the columns that it gives, not yet a derived table. */
  Scope selected(Scope from) {
    return select("SELECT ", from, predicates.where(from, null, 1));
  }

  Scope distinct(Scope from) {
    generator.note(Feature.DISTINCT);
    return select("SELECT DISTINCT ", from, predicates.where(from, null, random.nextInt(2)));
  }

  private Scope select(String start, Scope from, String rest) {
    List<String> items = new ArrayList<>();
    List<Col> columns = new ArrayList<>();
    int count = 1 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      Col column = (i == 0 ? from.number(random) : from.any(random, c -> true)).orElseThrow();
      String name = generator.fresh("x");
      items.add(column.name() + " AS " + name);
      columns.add(column.as(name));
    }
    return from.with(start + String.join(", ", items) + " FROM " + from.text() + rest, columns);
  }

  Scope grouped(Scope from) {
    Col key = from.number(random).orElseThrow();
    String name = generator.fresh("x");
    List<Col> columns = new ArrayList<>(List.of(key.as(name)));
    String items = key.name() + " AS " + name;
    String group = key.name();
    if (generator.chance(3)) {
      Col second = from.any(random, c -> true).orElseThrow();
      String other = generator.fresh("x");
      columns.add(second.as(other));
      items += ", " + second.name() + " AS " + other;
      group += second.name().equals(key.name()) ? "" : ", " + second.name();
    }
    if (generator.chance(2)) {
      String count = generator.fresh("x");
      items += ", " + nested(from) + " AS " + count;
      columns.add(new Col(count, true, false, false));
    }
    String having = "";
    if (!generator.chance(4)) {
      generator.note(Feature.NESTED_GROUP_HAVING);
      having = " HAVING " + nested(from) + " " + predicates.comparison() + " " + random.nextInt(3);
    }
    return from.with(
        "SELECT "
            + items
            + " FROM "
            + from.text()
            + predicates.where(from, null, random.nextInt(2))
            + " GROUP BY "
            + group
            + having,
        columns);
  }

  private String nested(Scope from) {
    return switch (random.nextInt(6)) {
      case 0 -> "MAX(" + from.number(random).orElseThrow().name() + ")";
      case 1 -> "COUNT(DISTINCT " + from.number(random).orElseThrow().name() + ")";
      case 2 -> "SUM(" + from.number(random).orElseThrow().name() + ")";
      default -> "COUNT(*)";
    };
  }

  Scope combined() {
    generator.note(Feature.SET_OPERATION);
    String kind =
        List.of(
                "UNION",
                "UNION ALL",
                "INTERSECT",
                "EXCEPT",
                "EXCEPT",
                "EXCEPT ALL",
                "INTERSECT ALL")
            .get(random.nextInt(7));
    Scope left = generator.from(0);
    Scope right = generator.from(0);
    List<String> one = new ArrayList<>();
    List<String> two = new ArrayList<>();
    List<Col> columns = new ArrayList<>();
    int count = 1 + random.nextInt(2);
    for (int i = 0; i < count; i++) {
      Col first = left.number(random).orElseThrow();
      Col second = right.number(random).orElseThrow();
      String name = generator.fresh("x");
      one.add(first.name() + " AS " + name);
      two.add(second.name());
      columns.add(new Col(name, first.nullable() || second.nullable(), true, false));
    }
    String text =
        "SELECT "
            + String.join(", ", one)
            + " FROM "
            + left.text()
            + predicates.where(left, null, random.nextInt(2))
            + " "
            + kind
            + " SELECT "
            + String.join(", ", two)
            + " FROM "
            + right.text()
            + predicates.where(right, null, random.nextInt(2));
    return Scope.join(text, left, false, right, false).with(text, columns);
  }

  Scope windowed(Scope from) {
    generator.note(Feature.WINDOW);
    Col key = from.number(random).orElseThrow();
    Col other = from.number(random).orElseThrow();
    String x = generator.fresh("x");
    String y = generator.fresh("x");
    boolean hasId =
        from.tables().size() == 1
            && from.columns().getFirst().name().endsWith(".id")
            && !from.text().contains("JOIN");
    if (hasId && generator.chance(3)) {
      String id = from.columns().getFirst().name();
      String inner =
          "SELECT "
              + other.name()
              + " AS "
              + x
              + ", ROW_NUMBER() OVER (PARTITION BY "
              + key.name()
              + " ORDER BY "
              + id
              + ") AS "
              + y
              + " FROM "
              + from.text()
              + predicates.where(from, null, random.nextInt(2));
      String alias = generator.fresh("q");
      return from.with(
          "SELECT "
              + alias
              + "."
              + x
              + " AS "
              + x
              + " FROM ("
              + inner
              + ") "
              + alias
              + " WHERE "
              + alias
              + "."
              + y
              + " <= "
              + (1 + random.nextInt(2)),
          List.of(other.as(x)));
    }
    String call =
        switch (random.nextInt(hasId ? 5 : 4)) {
          case 0 -> "SUM(" + from.number(random).orElseThrow().name() + ")";
          case 1 -> "MAX(" + from.number(random).orElseThrow().name() + ")";
          case 4 -> "RANK()";
          default -> "COUNT(*)";
        };
    String order = call.equals("RANK()") ? " ORDER BY " + from.columns().getFirst().name() : "";
    String text =
        "SELECT "
            + other.name()
            + " AS "
            + x
            + ", "
            + call
            + " OVER (PARTITION BY "
            + key.name()
            + order
            + ") AS "
            + y
            + " FROM "
            + from.text()
            + predicates.where(from, null, random.nextInt(2));
    return from.with(text, List.of(other.as(x), new Col(y, true, false, false)));
  }

  Scope limited() {
    Scope from = generator.table(generator.chance(2) ? "t" : "u");
    Col other = from.number(random).orElseThrow();
    String x = generator.fresh("x");
    return from.with(
        "SELECT "
            + other.name()
            + " AS "
            + x
            + " FROM "
            + from.text()
            + " ORDER BY "
            + from.columns().get(generator.chance(6) ? 1 : 0).name()
            + " LIMIT "
            + (1 + random.nextInt(3)),
        List.of(other.as(x)));
  }

  Scope table(Scope select) {
    String alias = generator.fresh("q");
    List<Col> columns = select.columns().stream().map(c -> c.as(alias + "." + c.name())).toList();
    return select.with("(" + select.text() + ") " + alias, columns);
  }
}
