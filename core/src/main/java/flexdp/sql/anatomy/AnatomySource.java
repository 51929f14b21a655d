package flexdp.sql.anatomy;

import flexdp.sql.anatomy.QueryAnatomy.Key;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What stands in a FROM clause, as far as its text tells. */
sealed interface AnatomySource {

  /** A table of the database. */
  record Base(String name) implements AnatomySource {
    @Override
    public Optional<Key> column(String column) {
      return Optional.of(new Key(Optional.of(name), column, true));
    }

    @Override
    public Set<String> tables() {
      return Set.of(name);
    }
  }

  /**
   * A subquery or a common table expression.
   *
   * @param columns by name, traced to where they come from
   * @param stars what a star in its select list stands for
   * @param statistical as in {@link QueryAnatomy}
   */
  record Derived(
      Map<String, Key> columns, List<AnatomySource> stars, Set<String> tables, boolean statistical)
      implements AnatomySource {
    @Override
    public Optional<Key> column(String column) {
      Key known = columns.get(column);
      if (known != null) {
        return Optional.of(known);
      }
      return stars.size() == 1 ? stars.getFirst().column(column) : Optional.empty();
    }
  }

  /** Where a column of the source comes from; nothing when that is not known. */
  Optional<Key> column(String column);

  /** The tables of the database in it. */
  Set<String> tables();

  /** The sources of one FROM clause by alias. */
  record Scope(Map<String, AnatomySource> byAlias) {
    static Scope empty() {
      return new Scope(new HashMap<>());
    }

    /** A column as it is written: with or without an alias. */
    Key key(List<String> names) {
      String column = names.getLast().toLowerCase(Locale.ROOT);
      if (names.size() > 1) {
        String alias = names.get(names.size() - 2).toLowerCase(Locale.ROOT);
        AnatomySource source = byAlias.get(alias);
        return (source == null ? Optional.<Key>empty() : source.column(column))
            .orElse(new Key(Optional.empty(), column, true));
      }
      if (byAlias.size() == 1) {
        return byAlias
            .values()
            .iterator()
            .next()
            .column(column)
            .orElse(new Key(Optional.empty(), column, true));
      }
      // Several tables and no alias: a subquery that lists the column is the only witness.
      return byAlias.values().stream()
          .filter(s -> s instanceof Derived d && d.columns().containsKey(column))
          .map(s -> ((Derived) s).columns().get(column))
          .findFirst()
          .orElse(new Key(Optional.empty(), column, true));
    }

    boolean isStatistical() {
      return !byAlias.isEmpty()
          && byAlias.values().stream().allMatch(s -> s instanceof Derived d && d.statistical());
    }

    Set<String> tables() {
      return byAlias.values().stream()
          .flatMap(s -> s.tables().stream())
          .collect(Collectors.toSet());
    }
  }
}
