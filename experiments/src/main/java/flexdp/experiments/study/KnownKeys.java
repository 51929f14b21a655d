package flexdp.experiments.study;

import flexdp.metrics.Metrics;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import flexdp.sql.anatomy.QueryAnatomy;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Which columns are keys of their tables, as declared or as measured. */
public final class KnownKeys {
  public static final KnownKeys NONE = new KnownKeys(Map.of());

  private final Map<String, Set<Set<String>>> keys;

  private KnownKeys(Map<String, Set<Set<String>>> keys) {
    this.keys = keys;
  }

  public static KnownKeys of(Policy policy, Metrics metrics) {
    Map<String, Set<Set<String>>> keys = new HashMap<>();
    for (Table table : policy.tables().values()) {
      Set<Set<String>> unique = new HashSet<>();
      table.uniqueKeys().forEach(k -> unique.add(lower(k)));
      metrics
          .table(table.name())
          .frequencies()
          .forEach(
              (columns, frequency) -> {
                if (frequency.max().filter(m -> m.equals(BigInteger.ONE)).isPresent()) {
                  unique.add(lower(columns));
                }
              });
      keys.put(table.name().toLowerCase(Locale.ROOT), unique);
    }
    return new KnownKeys(keys);
  }

  private static Set<String> lower(Set<String> columns) {
    Set<String> lower = new HashSet<>();
    columns.forEach(c -> lower.add(c.toLowerCase(Locale.ROOT)));
    return lower;
  }

  /** Of a join by equalities of columns of two known tables. */
  Optional<Relationship> relationship(QueryAnatomy.Join join) {
    List<QueryAnatomy.Equality> equalities = join.equalities();
    if (equalities.isEmpty()) {
      return Optional.empty();
    }
    Optional<String> left = equalities.getFirst().left().table().filter(keys::containsKey);
    Optional<String> right = equalities.getFirst().right().table().filter(keys::containsKey);
    if (left.isEmpty() || right.isEmpty()) {
      return Optional.empty();
    }
    Set<String> leftColumns = new HashSet<>();
    Set<String> rightColumns = new HashSet<>();
    for (QueryAnatomy.Equality equality : equalities) {
      // Somebody may write a.x = b.x AND b.y = a.y.
      boolean turned =
          !equality.left().table().equals(left) && equality.left().table().equals(right);
      leftColumns.add(turned ? equality.right().column() : equality.left().column());
      rightColumns.add(turned ? equality.left().column() : equality.right().column());
    }
    return Optional.of(
        Relationship.of(isUnique(left.get(), leftColumns), isUnique(right.get(), rightColumns)));
  }

  private boolean isUnique(String table, Set<String> columns) {
    return keys.get(table).stream().anyMatch(columns::containsAll);
  }
}
