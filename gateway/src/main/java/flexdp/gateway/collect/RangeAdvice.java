package flexdp.gateway.collect;

import flexdp.failure.ConfigurationError;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Policy;
import flexdp.policy.PrivacyUnit;
import flexdp.policy.Range;
import flexdp.policy.Table;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A column without a range, and what finding one costs. Columns that are charged to one account
 * share its ε.
 */
public record RangeAdvice(Table table, String column, BigDecimal epsilon) {
  private static final MathContext DOWN = new MathContext(30, RoundingMode.FLOOR);

  /**
   * @param named by the owner; otherwise every number without a range that is no key
   * @param epsilon of each table, or kind of people, for all of its columns
   */
  public static List<RangeAdvice> of(Policy policy, List<ColumnNames> named, BigDecimal epsilon) {
    List<RangeAdvice> all = new ArrayList<>();
    for (ColumnNames one : named) {
      Table table = policy.table(one.table()).orElseThrow();
      for (String column : one.columns()) {
        require(table, table.column(column).orElseThrow());
        all.add(new RangeAdvice(table, column, epsilon));
      }
    }
    if (named.isEmpty()) {
      for (Table table : policy.tables().values()) {
        table.columns().stream()
            .filter(column -> table.isProtected() && isWorthOne(table, column))
            .forEach(column -> all.add(new RangeAdvice(table, column.name(), epsilon)));
      }
    }
    return shared(all.stream().distinct().toList());
  }

  private static void require(Table table, ColumnSpec column) {
    if (table.isPublic() || !column.type().isNumeric()) {
      throw ConfigurationError.of(
          ConfigurationError.Code.BAD_USAGE,
          "no range can be found of " + table.name() + "." + column.name(),
          "Name columns of numbers, of protected tables.");
    }
  }

  private static boolean isWorthOne(Table table, ColumnSpec column) {
    boolean key = table.uniqueKeys().stream().anyMatch(k -> k.equals(Set.of(column.name())));
    return column.type().isNumeric()
        && column.range().isEmpty()
        && column.domain().isEmpty()
        && column.references().isEmpty()
        && !column.individual()
        && !key;
  }

  /** What one row, or one person, moves is moved in all columns of an account together. */
  private static List<RangeAdvice> shared(List<RangeAdvice> all) {
    Map<PrivacyUnit, Integer> columns = new HashMap<>();
    all.forEach(one -> one.table().units().forEach(u -> columns.merge(u, 1, Integer::sum)));
    return all.stream()
        .map(
            one -> {
              int most = one.table().units().stream().mapToInt(columns::get).max().orElse(1);
              BigDecimal each = one.epsilon().divide(BigDecimal.valueOf(most), DOWN);
              return new RangeAdvice(one.table(), one.column(), each);
            })
        .toList();
  }

  /** What the policy could say; a comment where no values stand out of the noise. */
  public String line(Optional<Range> found) {
    String name = table.name() + "." + column;
    return found
        .map(range -> name + ": {range: [" + plain(range.low()) + ", " + plain(range.high()) + "]}")
        .orElse("# " + name + ": no values stand out of the noise");
  }

  /** In words. */
  public static String words(Range range) {
    return plain(range.low()) + " to " + plain(range.high());
  }

  private static String plain(BigDecimal number) {
    return number.stripTrailingZeros().toPlainString();
  }
}
