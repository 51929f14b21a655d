package flexdp.gateway.collect;

import flexdp.gateway.catalog.PhysicalCatalog;
import flexdp.metrics.Frequency;
import flexdp.metrics.TableMetrics;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Table;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Declarations that bounds rest on and that the measured data contradict. */
final class Declarations {
  private Declarations() {}

  /**
   * One phrase for each; it holds no value of the data.
   *
   * @param catalog tells where a value is stored in every row, even if it has no form here: such a
   *     row is left out, and contradicts nothing
   */
  static List<String> broken(
      Table table, Totals totals, TableMetrics measured, PhysicalCatalog catalog) {
    List<String> broken = new ArrayList<>();
    for (Set<String> key : table.uniqueKeys()) {
      if (isAbove(measured, key, BigInteger.ONE)) {
        broken.add(named(table, key) + " is declared unique, but values repeat");
      }
    }
    for (Table.FrequencyCap cap : table.vouched()) {
      if (isAbove(measured, cap.columns(), cap.atMost())) {
        broken.add(
            named(table, cap.columns())
                + " is declared with maxFrequencyAtMost "
                + cap.atMost()
                + ", but a value occurs more often");
      }
    }
    for (ColumnSpec column : table.columns()) {
      if (!column.nullable()
          && totals.nulls(column.name()) > 0
          && !catalog.physical(table, column).filled()) {
        broken.add(
            named(table, Set.of(column.name())) + " is declared not nullable, but NULL occurs");
      }
    }
    return broken;
  }

  private static boolean isAbove(TableMetrics measured, Set<String> columns, BigInteger most) {
    Frequency frequency = measured.frequencies().get(columns);
    return frequency != null && frequency.max().orElse(BigInteger.ZERO).compareTo(most) > 0;
  }

  private static String named(Table table, Set<String> columns) {
    String list = String.join(", ", new TreeSet<>(columns));
    return table.name() + "." + (columns.size() == 1 ? list : "(" + list + ")");
  }
}
