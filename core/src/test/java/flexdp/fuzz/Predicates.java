package flexdp.fuzz;

import flexdp.fuzz.Scope.Col;
import flexdp.fuzz.SqlGenerator.Feature;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Random conditions, with and without subqueries. */
final class Predicates {
  private final Random random;
  private final SqlGenerator generator;

  Predicates(Random random, SqlGenerator generator) {
    this.random = random;
    this.generator = generator;
  }

  /** A WHERE clause or nothing; with an aim at a subquery it holds that subquery. */
  String where(Scope scope, Feature aim, int simple) {
    List<String> terms = new ArrayList<>();
    if (aim == Feature.SEMI || aim == Feature.ANTI || aim == Feature.SCALAR_SUBQUERY) {
      subquery(scope, aim).ifPresent(terms::add);
      if (random.nextInt(8) == 0) {
        subquery(scope, aim).ifPresent(terms::add);
      }
    }
    for (int i = 0; i < simple; i++) {
      terms.add(simple(scope));
    }
    return terms.isEmpty()
        ? ""
        : " WHERE " + String.join(random.nextInt(6) == 0 ? " OR " : " AND ", terms);
  }

  String comparison() {
    return List.of(">", ">=", "=", "<", "<=", "<>").get(random.nextInt(6));
  }

  /** A condition on one row. */
  String simple(Scope scope) {
    Col column = scope.any(random, c -> true).orElseThrow();
    if (column.text()) {
      return random.nextInt(4) == 0
          ? column.name() + " IS NULL"
          : column.name() + (random.nextInt(2) == 0 ? " = " : " <> ") + "'x'";
    }
    return switch (random.nextInt(8)) {
      case 0 -> column.name() + " IS NOT NULL";
      case 1 -> column.name() + " IS NULL";
      case 2 -> column.name() + " IN (0, 1)";
      case 3 -> "NOT " + column.name() + " = " + random.nextInt(2);
      default -> column.name() + " " + comparison() + " " + random.nextInt(3);
    };
  }

  private Optional<String> subquery(Scope scope, Feature aim) {
    Optional<Col> outer = scope.key(random);
    if (outer.isEmpty()) {
      return Optional.empty();
    }
    Scope inner = random.nextInt(4) == 0 ? generator.from(random.nextInt(2)) : generator.table();
    if (inner.key(random).isEmpty()) {
      return Optional.empty();
    }
    Col key = inner.key(random).orElseThrow();
    String filter = random.nextInt(2) == 0 ? " AND " + simple(inner) : "";
    String match = key.name() + (random.nextInt(25) == 0 ? " > " : " = ") + outer.get().name();
    if (random.nextInt(10) == 0) {
      match +=
          " AND "
              + inner.key(random).orElseThrow().name()
              + " <> "
              + scope.key(random).orElseThrow().name();
    }
    String exists = "EXISTS (SELECT 1 FROM " + inner.text() + " WHERE " + match + filter + ")";
    String list =
        "(SELECT "
            + key.name()
            + " FROM "
            + inner.text()
            + (filter.isEmpty() ? "" : " WHERE " + filter.substring(5))
            + ")";
    generator.note(aim);
    return Optional.of(
        switch (aim) {
          case SEMI -> random.nextInt(2) == 0 ? exists : outer.get().name() + " IN " + list;
          case ANTI -> {
            boolean safe = !outer.get().nullable() && !key.nullable();
            yield safe && random.nextInt(2) == 0 || random.nextInt(8) == 0
                ? outer.get().name() + " NOT IN " + list
                : "NOT " + exists;
          }
          default ->
              "(SELECT "
                  + scalar(inner)
                  + " FROM "
                  + inner.text()
                  + " WHERE "
                  + match
                  + filter
                  + ") "
                  + comparison()
                  + " "
                  + random.nextInt(3);
        });
  }

  private String scalar(Scope inner) {
    return switch (random.nextInt(5)) {
      case 0 -> "MAX(" + inner.number(random).orElseThrow().name() + ")";
      case 1 -> "SUM(" + inner.number(random).orElseThrow().name() + ")";
      default -> "COUNT(*)";
    };
  }
}
