package flexdp.decompose;

import flexdp.policy.Range;
import flexdp.properties.ExprRanges;
import flexdp.properties.Ranges;
import flexdp.query.MissingRange;
import flexdp.query.RangeSource;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;

/**
 * Ranges that were found of columns and released. What is declared goes before; of an expression
 * over several columns the range follows from theirs.
 *
 * @param columns by table and column
 */
public record FoundRanges(Map<String, Map<String, Range>> columns) implements RangeSource {
  public FoundRanges {
    columns = Map.copyOf(columns);
  }

  @Override
  public Optional<Range> of(MissingRange wanted) {
    if (columns.isEmpty()) {
      return Optional.empty();
    }
    ExprRanges ranges =
        new ExprRanges(
            Ranges.of(
                wanted.input(),
                (table, column) ->
                    column
                        .range()
                        .or(
                            () ->
                                Optional.ofNullable(
                                    columns
                                        .getOrDefault(table.name(), Map.of())
                                        .get(column.name())))),
            wanted.input().columns());
    return ranges.of(wanted.argument()).range().map(range -> usable(range, wanted.use()));
  }

  /** In a sum a value near zero would be raised to the low end of a range that begins above it. */
  private static Range usable(Range range, MissingRange.Use use) {
    return use == MissingRange.Use.SUM
        ? new Range(range.low().min(BigDecimal.ZERO), range.high().max(BigDecimal.ZERO))
        : range;
  }
}
