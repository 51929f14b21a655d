package flexdp.gateway.render;

import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A SELECT that groups by one or several sets of keys. Where the database has no GROUPING SETS
 * there is one SELECT for each set, in which the keys that it lacks are NULL.
 */
final class GroupedSelect {
  private final TargetDialect dialect;
  private final List<Column> keys;
  private final List<List<Integer>> sets;

  GroupedSelect(TargetDialect dialect, List<Column> keys, List<List<Integer>> sets) {
    SortedTexts.check(dialect, keys.stream().map(Column::type));
    this.dialect = dialect;
    this.keys = keys;
    this.sets = sets;
  }

  /** What the select list may say of the keys. */
  final class Heading {
    private final Optional<List<Integer>> set;

    private Heading(Optional<List<Integer>> set) {
      this.set = set;
    }

    List<String> keys() {
      List<String> items = new ArrayList<>();
      for (int i = 0; i < keys.size(); i++) {
        String name = ExprRenderer.name(keys.get(i).id());
        items.add(
            isThere(i)
                ? name
                : dialect.literal(new Expr.Literal(null, keys.get(i).type())) + " AS " + name);
      }
      return items;
    }

    /** Databases know a key as such only where one of the sets has it. */
    private boolean isThere(int key) {
      return set.map(s -> s.contains(key)).orElseGet(() -> isGrouped(key));
    }

    /** GROUPING of some keys: a bit for each, the last one lowest, 1 when the key is absent. */
    String id(List<Integer> of) {
      if (set.isEmpty() && of.stream().allMatch(GroupedSelect.this::isGrouped)) {
        return "GROUPING(" + RelationRenderer.names(of.stream().map(keys::get).toList()) + ")";
      }
      long bits = 0;
      StringBuilder id = new StringBuilder();
      for (int i = 0; i < of.size(); i++) {
        int key = of.get(i);
        long bit = 1L << of.size() - 1 - i;
        if (!isThere(key)) {
          bits += bit;
        } else if (set.isEmpty()) {
          String name = ExprRenderer.name(keys.get(key).id());
          id.append(bit + " * GROUPING(" + name + ") + ");
        }
      }
      return id.append(bits).toString();
    }
  }

  private boolean isGrouped(int key) {
    return sets.stream().anyMatch(set -> set.contains(key));
  }

  /**
   * The statement.
   *
   * @param items the select list
   * @param from FROM's content, with WHERE if there is one
   * @param more names that every set has besides its keys
   */
  String select(Function<Heading, List<String>> items, String from, List<String> more) {
    boolean all = sets.size() == 1 && sets.get(0).size() == keys.size();
    if (keys.isEmpty() || all || dialect.hasGroupingSets()) {
      String one =
          "SELECT "
              + list(items.apply(new Heading(Optional.empty())))
              + " FROM "
              + from
              + groupBy(more);
      int times = keys.isEmpty() ? Math.max(1, sets.size()) : 1;
      return String.join(" UNION ALL ", Collections.nCopies(times, one));
    }
    return sets.stream()
        .map(
            set ->
                "SELECT "
                    + list(items.apply(new Heading(Optional.of(set))))
                    + " FROM "
                    + from
                    + bySet(names(set, more)))
        .collect(Collectors.joining(" UNION ALL "));
  }

  private static String list(List<String> items) {
    return items.isEmpty() ? "1 AS one" : String.join(", ", items);
  }

  private static String by(List<String> names) {
    return names.isEmpty() ? "" : " GROUP BY " + String.join(", ", names);
  }

  /** The set without keys is one group; the select list has an aggregate then. */
  private static String bySet(List<String> names) {
    return names.isEmpty() ? " HAVING COUNT(*) >= 0" : by(names);
  }

  private List<String> names(List<Integer> set, List<String> more) {
    List<String> names = new ArrayList<>();
    set.forEach(i -> names.add(ExprRenderer.name(keys.get(i).id())));
    names.addAll(more);
    return names;
  }

  private String groupBy(List<String> more) {
    if (keys.isEmpty()) {
      return by(more);
    }
    boolean all = sets.size() == 1 && sets.get(0).size() == keys.size();
    if (all && (more.isEmpty() || !dialect.hasGroupingSets())) {
      return by(names(sets.get(0), more));
    }
    return sets.stream()
        .map(set -> "(" + String.join(", ", names(set, more)) + ")")
        .collect(Collectors.joining(", ", " GROUP BY GROUPING SETS (", ")"));
  }
}
