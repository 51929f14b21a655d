package flexdp.gateway.live;

import flexdp.metrics.Frequency;
import flexdp.metrics.TableMetrics;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Metrics of rows with more of them. */
final class Growth {
  private Growth() {}

  /** With so many more rows at most, whatever they hold. */
  static TableMetrics plus(TableMetrics values, BigInteger inserts) {
    Map<Set<String>, Frequency> frequencies = new HashMap<>();
    values
        .frequencies()
        .forEach(
            (columns, f) ->
                frequencies.put(
                    columns,
                    new Frequency(f.max().map(inserts::add), f.maxWithNull().map(inserts::add))));
    return new TableMetrics(values.rows().map(inserts::add), frequencies, values.rowsPerPerson());
  }

  /** No value is more frequent in two sets of rows together than in each of them added up. */
  static TableMetrics sum(TableMetrics one, TableMetrics two) {
    Map<Set<String>, Frequency> frequencies = new HashMap<>();
    one.frequencies()
        .forEach(
            (columns, f) -> {
              Frequency g = two.frequencies().get(columns);
              frequencies.put(
                  columns,
                  new Frequency(
                      f.max().map(n -> n.add(g.max().orElseThrow())),
                      f.maxWithNull().map(n -> n.add(g.maxWithNull().orElseThrow()))));
            });
    return new TableMetrics(one.rows().map(n -> n.add(two.rows().orElseThrow())), frequencies);
  }
}
