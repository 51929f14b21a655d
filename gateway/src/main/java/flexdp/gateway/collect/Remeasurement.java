package flexdp.gateway.collect;

import flexdp.gateway.catalog.PhysicalCatalog;
import flexdp.gateway.catalog.Vendor;
import flexdp.metrics.Frequency;
import flexdp.metrics.TableMetrics;
import flexdp.policy.Table;
import java.math.BigInteger;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Measures one table again where a question is about to read it. */
public final class Remeasurement {
  private final Vendor vendor;
  private final PhysicalCatalog catalog;

  public Remeasurement(Vendor vendor, PhysicalCatalog catalog) {
    this.vendor = vendor;
    this.catalog = catalog;
  }

  /** What earlier metrics tell, told of the state that the statements read. */
  public TableMetrics of(Table table, TableMetrics earlier, Statements statements)
      throws SQLException {
    Optional<BigInteger> rows = Optional.empty();
    if (earlier.rows().isPresent()) {
      BigInteger[] counted = {BigInteger.ZERO};
      statements.run(
          "SELECT COUNT(*) FROM " + catalog.table(table),
          row -> counted[0] = BigInteger.valueOf(row.getLong(1)));
      rows = Optional.of(counted[0]);
    }
    Map<Set<String>, Frequency> frequencies =
        FrequencyPlan.of(table, earlier.frequencies().keySet(), vendor, catalog)
            .measure(statements, 1, Progress.NONE);
    return new TableMetrics(rows, frequencies);
  }
}
