package flexdp.gateway.collect;

import flexdp.policy.Policy;
import flexdp.policy.Table;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A cap on how often a key occurs, found by a private question: the size that 99.5 % of its groups
 * do not exceed. One row changes one group, which leaves one size and takes on another.
 *
 * @param columns of the key, in alphabetical order
 */
public record CapAdvice(String table, List<String> columns) {
  /** In each power of ten; a private choice among few sizes is a better one. */
  private static final List<String> STEPS =
      List.of("1", "1.2", "1.5", "2", "2.5", "3", "4", "5", "6", "8");

  /** From 1 to a million; no size is told apart from larger ones beyond. */
  private static final List<Integer> SIZES =
      IntStream.rangeClosed(0, 6)
          .boxed()
          .flatMap(
              power -> STEPS.stream().map(step -> new BigDecimal(step).scaleByPowerOfTen(power)))
          .filter(size -> size.stripTrailingZeros().scale() <= 0)
          .map(BigDecimal::intValueExact)
          .filter(size -> size <= 1_000_000)
          .toList();

  private static final String FRACTION = "0.995";

  /** Of 99.5 %: how many groups, times epsilon, a key needs so that the rank is not by chance. */
  private static final int GROUPS = 3_000;

  private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  public CapAdvice {
    columns = List.copyOf(columns);
  }

  /** The keys of protected tables that are measured and could be capped. */
  public static List<CapAdvice> of(Policy policy, RequiredFrequencies wanted) {
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

  /** Which of the sizes, counted from 0. Rows without a key are in no group. */
  public String sql() {
    String keys = String.join(", ", columns);
    String which =
        IntStream.range(0, SIZES.size() - 1)
            .mapToObj(i -> "WHEN g.n <= " + SIZES.get(i) + " THEN " + i)
            .collect(Collectors.joining(" ", "CASE ", " ELSE " + (SIZES.size() - 1) + " END"));
    return "SELECT PERCENTILE_DISC("
        + FRACTION
        + ") WITHIN GROUP (ORDER BY "
        + which
        + ") AS n FROM (SELECT "
        + keys
        + ", COUNT(*) AS n FROM "
        + table
        + " WHERE "
        + String.join(" AND ", columns.stream().map(c -> c + " IS NOT NULL").toList())
        + " GROUP BY "
        + keys
        + ") AS g";
  }

  /** How many groups a key has to have at an epsilon; with fewer any size may come out. */
  public static long groupsNeeded(BigDecimal epsilon) {
    return BigDecimal.valueOf(GROUPS).divide(epsilon, 0, RoundingMode.CEILING).longValue();
  }

  /** What the policy could say, of what the question answered. */
  public String line(Object answer) {
    int which = answer == null ? 0 : new BigDecimal(answer.toString()).intValueExact();
    int size = SIZES.get(Math.clamp(which, 0, SIZES.size() - 1));
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
