package flexdp.gateway.collect;

import flexdp.gateway.catalog.PhysicalCatalog;
import flexdp.gateway.catalog.Vendor;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Range;
import flexdp.policy.Table;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What one reading of a table tells: its rows, how many are not NULL by column, and the least and
 * greatest value of numbers, dates and timestamps.
 */
record Totals(long rows, Map<String, Long> present, Map<String, Range> ranges) {
  /** PostgreSQL returns 1,664 columns at most, and a column here takes three. */
  private static final int TOGETHER = 500;

  static Totals measure(Connection connection, Vendor vendor, PhysicalCatalog catalog, Table table)
      throws SQLException {
    TotalsQuery query = new TotalsQuery(vendor, catalog, table);
    Map<String, Long> present = new LinkedHashMap<>();
    Map<String, Range> ranges = new LinkedHashMap<>();
    List<ColumnSpec> formless = new ArrayList<>();
    long rows = 0;
    for (List<ColumnSpec> some : parts(table.columns())) {
      TotalsQuery.Found found = query.stored(connection, some);
      rows = found.totals().rows;
      present.putAll(found.totals().present);
      ranges.putAll(found.totals().ranges);
      formless.addAll(found.formless());
    }
    for (List<ColumnSpec> some : parts(formless)) {
      Totals read = query.read(connection, some);
      present.putAll(read.present);
      ranges.putAll(read.ranges);
    }
    return new Totals(rows, present, ranges);
  }

  private static List<List<ColumnSpec>> parts(List<ColumnSpec> columns) {
    List<List<ColumnSpec>> parts = new ArrayList<>();
    for (int from = 0; from < columns.size(); from += TOGETHER) {
      parts.add(columns.subList(from, Math.min(columns.size(), from + TOGETHER)));
    }
    return parts;
  }

  /** In how many rows the column is NULL. */
  long nulls(String column) {
    return rows - present.get(column);
  }
}
