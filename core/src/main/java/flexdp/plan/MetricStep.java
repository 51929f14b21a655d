package flexdp.plan;

import flexdp.failure.ConfigurationError;
import flexdp.metrics.Cut;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import flexdp.policy.Unit;
import java.math.BigInteger;
import java.util.Optional;

/**
 * What one step between neighbours does to what is measured of a table.
 *
 * @param unit of the step, which may move other tables, too
 * @param rows by how much it moves each number, at most
 * @param rowsPerPerson how many rows of each person are measured; absent where rows stand for
 *     themselves
 */
public record MetricStep(Unit unit, BigInteger rows, Optional<BigInteger> rowsPerPerson) {
  static MetricStep row(String table) {
    return new MetricStep(new Unit.Row(table), BigInteger.ONE, Optional.empty());
  }

  /**
   * @throws ConfigurationError where nothing bounds what one person moves
   */
  public static MetricStep of(String name, Policy policy) {
    Optional<Table> table = policy.table(name);
    if (table.isEmpty() || table.get().ownership().owners().isEmpty()) {
      return row(name);
    }
    BigInteger rows =
        Cut.rows(table.get())
            .orElseThrow(
                () ->
                    ConfigurationError.of(
                        ConfigurationError.Code.BAD_USAGE,
                        "one person may own any number of rows of '"
                            + name
                            + "': its metrics are not released",
                        "Leave it out, or say how many rows of one person are read where people"
                            + " are mixed: rowsPerPerson."));
    String kind = table.get().ownership().only().orElseThrow().kind();
    return new MetricStep(new Unit.Person(kind), rows, Optional.of(rows));
  }
}
