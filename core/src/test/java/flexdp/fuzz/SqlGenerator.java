package flexdp.fuzz;

import flexdp.fuzz.Scope.Col;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * Writes random queries over the tables of {@link TinyDatabase}, each aimed at one rule: plain
 * random SQL hardly ever shows an error in the rules for anti joins, GROUP BY or EXCEPT.
 */
final class SqlGenerator {
  /** What a query contains; each has to occur often. */
  enum Feature {
    OUTER,
    SEMI,
    ANTI,
    NESTED_GROUP_HAVING,
    SET_OPERATION,
    SELF_JOIN,
    DISTINCT,
    SCALAR_SUBQUERY,
    WINDOW
  }

  /** A query whose columns are so many keys, then numbers. */
  record Query(String sql, int keys, Set<Feature> features) {}

  private static final List<String> TABLES = List.of("t", "u", "v", "t", "u", "v", "p");

  private final Random random;
  private final Set<Feature> features = EnumSet.noneOf(Feature.class);
  private final Predicates predicates;
  private final DerivedTables derived;
  private int names;

  private SqlGenerator(Random random) {
    this.random = random;
    this.predicates = new Predicates(random, this);
    this.derived = new DerivedTables(random, this, predicates);
  }

  /** The next query that has a protected table in it. */
  static Query next(Random random) {
    while (true) {
      Optional<Query> query = new SqlGenerator(random).query();
      if (query.isPresent()) {
        return query.get();
      }
    }
  }

  private Optional<Query> query() {
    Feature aim = Feature.values()[random.nextInt(Feature.values().length)];
    Scope scope = aimed(aim);
    String where = predicates.where(scope, aim, chance(3) ? 1 : 0);
    return scope.tables().equals(Set.of("p"))
        ? Optional.empty()
        : Optional.of(top(scope, where, aim));
  }

  private Scope aimed(Feature aim) {
    return switch (aim) {
      case OUTER, SELF_JOIN -> join(aim, chance(3) ? 1 : 0);
      case SEMI, ANTI, SCALAR_SUBQUERY -> chance(3) ? join(aim, 0) : item(chance(3) ? 1 : 0);
      case NESTED_GROUP_HAVING ->
          maybeJoined(derived.table(derived.grouped(from(chance(4) ? 1 : 0))));
      case SET_OPERATION -> maybeJoined(derived.table(derived.combined()));
      case DISTINCT ->
          chance(2)
              ? maybeJoined(derived.table(derived.distinct(from(chance(4) ? 1 : 0))))
              : from(1);
      case WINDOW -> derived.table(derived.windowed(chance(3) ? from(chance(4) ? 1 : 0) : table()));
    };
  }

  private Scope maybeJoined(Scope scope) {
    return chance(4) ? joined(scope, item(0), Feature.DISTINCT) : scope;
  }

  private Query top(Scope scope, String where, Feature aim) {
    Optional<Col> number = scope.number(random);
    String label = "";
    if (chance(3) && number.isPresent()) {
      Optional<Col> listed = scope.any(random, c -> c.text() && c.joinable());
      label =
          listed.isPresent() && chance(2)
              ? listed.get().name()
              : "CASE WHEN " + predicates.simple(scope) + " THEN 'p' ELSE 'n' END";
    }
    List<String> columns = new ArrayList<>();
    if (!label.isEmpty()) {
      columns.add(label + " AS label");
    }
    columns.add(aggregate(scope, aim) + " AS n1");
    if (chance(4)) {
      columns.add(aggregate(scope, aim) + " AS n2");
    }
    String sql =
        "SELECT "
            + String.join(", ", columns)
            + " FROM "
            + scope.text()
            + where
            + (label.isEmpty() ? "" : " GROUP BY " + (chance(2) ? "1" : label));
    return new Query(sql, label.isEmpty() ? 0 : 1, EnumSet.copyOf(withNone()));
  }

  private Set<Feature> withNone() {
    return features.isEmpty() ? EnumSet.noneOf(Feature.class) : features;
  }

  private String aggregate(Scope scope, Feature aim) {
    Optional<Col> column = scope.any(random, c -> true);
    Optional<Col> key = scope.key(random);
    if (column.isEmpty()) {
      return "COUNT(*)";
    }
    if (aim == Feature.DISTINCT && !features.contains(aim) || chance(12)) {
      note(Feature.DISTINCT);
      return "COUNT(DISTINCT " + key.orElse(column.get()).name() + ")";
    }
    return switch (random.nextInt(8)) {
      case 0 -> "COUNT(" + column.get().name() + ")";
      case 1 -> key.isPresent() ? "SUM(" + key.get().name() + ")" : "COUNT(*)";
      case 2 -> "SUM(CASE WHEN " + predicates.simple(scope) + " THEN 1 ELSE 0 END)";
      case 3 -> "COUNT(*) FILTER (WHERE " + predicates.simple(scope) + ")";
      default -> "COUNT(*)";
    };
  }

  Scope from(int depth) {
    return chance(3) ? join(Feature.DISTINCT, depth) : item(depth);
  }

  Scope item(int depth) {
    if (depth == 0 || chance(2)) {
      return table();
    }
    return switch (random.nextInt(6)) {
      case 0 -> derived.table(derived.grouped(table()));
      case 1 -> derived.table(derived.combined());
      case 2 -> derived.table(derived.distinct(table()));
      case 3 -> derived.table(derived.limited());
      default -> derived.table(derived.selected(from(0)));
    };
  }

  Scope table() {
    return table(TABLES.get(random.nextInt(TABLES.size())));
  }

  Scope table(String name) {
    String alias = fresh("q");
    List<Col> columns = new ArrayList<>();
    TinyDatabase.POLICY.table(name).orElseThrow().columns().stream()
        .map(c -> new Col(alias + "." + c.name(), c.nullable(), true, c.name().equals("s")))
        .forEach(columns::add);
    return new Scope(name + " " + alias, columns, Set.of(name));
  }

  private Scope join(Feature aim, int depth) {
    Scope left = item(depth);
    Scope right = aim == Feature.SELF_JOIN ? sameAs(left) : item(0);
    Scope two = joined(left, right, aim);
    return chance(4) ? joined(two, item(0), Feature.DISTINCT) : two;
  }

  private Scope sameAs(Scope left) {
    List<String> tables = left.tables().stream().filter(t -> !t.equals("p")).sorted().toList();
    return tables.isEmpty() ? table() : table(tables.get(random.nextInt(tables.size())));
  }

  private Scope joined(Scope left, Scope right, Feature aim) {
    String kind = aim == Feature.OUTER || chance(6) ? outer() : "JOIN";
    Optional<Col> one = left.key(random);
    Optional<Col> two = right.key(random);
    if (one.isEmpty() || two.isEmpty()) {
      return left;
    }
    // Now and then a join that has no rule, and has to be rejected.
    String condition =
        chance(40)
            ? one.get().name() + " < " + two.get().name()
            : chance(40)
                ? one.get().name() + " + 1 = " + two.get().name()
                : one.get().name() + " = " + two.get().name();
    if (chance(4)) {
      Optional<Col> three = left.key(random);
      condition +=
          " AND " + three.orElseThrow().name() + " = " + right.key(random).orElseThrow().name();
    }
    Scope both =
        Scope.join(
            left.text() + " " + kind + " " + right.text(),
            left,
            kind.startsWith("RIGHT") || kind.startsWith("FULL"),
            right,
            kind.startsWith("LEFT") || kind.startsWith("FULL"));
    if (chance(5)) {
      condition += " AND " + predicates.simple(both);
    }
    if (!kind.equals("JOIN")) {
      note(Feature.OUTER);
    }
    if (left.tables().stream().anyMatch(t -> !t.equals("p") && right.tables().contains(t))) {
      note(Feature.SELF_JOIN);
    }
    return both.with(both.text() + " ON " + condition, both.columns());
  }

  private String outer() {
    return List.of("LEFT JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN").get(random.nextInt(4));
  }

  String fresh(String letter) {
    return letter + ++names;
  }

  void note(Feature feature) {
    features.add(feature);
  }

  boolean chance(int one) {
    return random.nextInt(one) == 0;
  }
}
