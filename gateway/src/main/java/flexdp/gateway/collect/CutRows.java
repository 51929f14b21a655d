package flexdp.gateway.collect;

import flexdp.algebra.Relation;
import flexdp.gateway.catalog.PhysicalCatalog;
import flexdp.gateway.catalog.Statements;
import flexdp.gateway.catalog.Vendor;
import flexdp.gateway.render.SqlRenderer;
import flexdp.metrics.Cut;
import flexdp.metrics.Frequency;
import flexdp.metrics.TableMetrics;
import flexdp.owned.CutTable;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import java.math.BigInteger;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The rows of a table that are read where a question mixes people: so many of each. What is
 * measured of them grows by no more than so many with one person, which nothing does that is
 * measured of all rows.
 */
final class CutRows {
  private final Policy policy;
  private final Vendor vendor;
  private final PhysicalCatalog catalog;

  CutRows(Policy policy, Vendor vendor, PhysicalCatalog catalog) {
    this.policy = policy;
    this.vendor = vendor;
    this.catalog = catalog;
  }

  /** Whether so many rows of each person are what is to be measured. */
  static boolean isCut(Table table) {
    return Cut.rows(table).isPresent();
  }

  TableMetrics measure(Table table, Set<Set<String>> sets, Statements statements, Progress progress)
      throws SQLException {
    Relation rows = CutTable.of(table, policy);
    String from = "(" + new SqlRenderer(vendor.dialect(), catalog).rows(rows) + ") AS cut";
    Map<String, String> columns = new HashMap<>();
    for (int i = 0; i < table.columns().size(); i++) {
      columns.put(table.columns().get(i).name(), "r" + i);
    }
    BigInteger[] counted = {BigInteger.ZERO};
    statements.run(
        "SELECT COUNT(*) FROM " + from, row -> counted[0] = BigInteger.valueOf(row.getLong(1)));
    Map<Set<String>, Frequency> frequencies = new HashMap<>();
    for (Set<String> set : sets) {
      progress.reading(table.name(), counted[0].longValue());
      frequencies.putAll(
          new FrequencyQuery(java.util.List.of(set), columns::get, from).run(statements));
      progress.read(table.name(), counted[0].longValue());
    }
    return new TableMetrics(Optional.of(counted[0]), frequencies, Cut.rows(table));
  }
}
