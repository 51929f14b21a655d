package flexdp.gateway.collect;

import flexdp.policy.Policy;
import flexdp.policy.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * A cap on how often a key occurs, found by a private question: the size that 99.5 % of its groups
 * do not exceed. One row changes one group, which leaves one size and takes on another.
 *
 * @param columns of the key, in alphabetical order
 */
public record CapAdvice(String table, List<String> columns) {
  /** No size is told apart from larger ones beyond this. */
  private static final int MOST = 1_000_000;

  private static final String FRACTION = "0.995";
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  public CapAdvice {
    columns = List.copyOf(columns);
  }

  /** The keys of protected tables that are measured and could be capped. */
  public static List<CapAdvice> of(Policy policy, Wanted wanted) {
    List<CapAdvice> all = new ArrayList<>();
    for (Table table : policy.tables().values()) {
      boolean capped =
          table.isProtected()
              && table.ownership().owners().isEmpty()
              && table.orderingKey().isPresent();
      for (Set<String> columns : capped ? wanted.of(table.name()) : Set.<Set<String>>of()) {
        boolean unique = table.uniqueKeys().stream().anyMatch(columns::containsAll);
        if (!unique && isPlain(table.name()) && columns.stream().allMatch(CapAdvice::isPlain)) {
          all.add(new CapAdvice(table.name(), List.copyOf(new TreeSet<>(columns))));
        }
      }
    }
    return all;
  }

  private static boolean isPlain(String name) {
    return PLAIN.matcher(name).matches();
  }

  /** Rows without a key are in no group. */
  public String sql() {
    String keys = String.join(", ", columns);
    return "SELECT PERCENTILE_DISC("
        + FRACTION
        + ") WITHIN GROUP (ORDER BY LEAST(GREATEST(g.n, 1), "
        + MOST
        + ")) AS n FROM (SELECT "
        + keys
        + ", COUNT(*) AS n FROM "
        + table
        + " WHERE "
        + String.join(" AND ", columns.stream().map(c -> c + " IS NOT NULL").toList())
        + " GROUP BY "
        + keys
        + ") AS g";
  }

  /** What the policy could say. */
  public String line(String size) {
    return columns.size() == 1
        ? table + "." + columns.getFirst() + ": {maxFrequencyAtMost: " + size + ", enforce: true}"
        : table
            + ".maxFrequencyAtMost: [{columns: ["
            + String.join(", ", columns)
            + "], maxFrequencyAtMost: "
            + size
            + ", enforce: true}]";
  }
}
