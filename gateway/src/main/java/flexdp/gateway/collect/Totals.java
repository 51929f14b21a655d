package flexdp.gateway.collect;

import flexdp.gateway.catalog.PhysicalCatalog;
import flexdp.gateway.catalog.PhysicalColumn;
import flexdp.gateway.catalog.Vendor;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Range;
import flexdp.policy.Table;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What one reading of a table tells: its rows, how many are not NULL by column, and the least and
 * greatest value of numbers, dates and timestamps.
 */
record Totals(long rows, Map<String, Long> present, Map<String, Range> ranges) {
  /** PostgreSQL returns 1,664 columns at most, and a column here takes three. */
  private static final int TOGETHER = 500;

  static Totals measure(Connection connection, Vendor vendor, PhysicalCatalog catalog, Table table)
      throws SQLException {
    Map<String, Long> present = new LinkedHashMap<>();
    Map<String, Range> ranges = new LinkedHashMap<>();
    long rows = 0;
    List<ColumnSpec> columns = table.columns();
    for (int from = 0; from < columns.size(); from += TOGETHER) {
      List<ColumnSpec> some = columns.subList(from, Math.min(columns.size(), from + TOGETHER));
      Totals part = measure(connection, vendor, catalog, table, some);
      rows = part.rows;
      present.putAll(part.present);
      ranges.putAll(part.ranges);
    }
    return new Totals(rows, present, ranges);
  }

  private static Totals measure(
      Connection connection,
      Vendor vendor,
      PhysicalCatalog catalog,
      Table table,
      List<ColumnSpec> columns)
      throws SQLException {
    StringBuilder sql = new StringBuilder("SELECT COUNT(*)");
    for (ColumnSpec column : columns) {
      String value = catalog.column(table, column);
      if (!isFilled(vendor, catalog, table, column)) {
        sql.append(", COUNT(").append(value).append(")");
      }
      if (hasRange(column.type())) {
        String finite = finite(vendor, value, column.type());
        sql.append(", MIN(").append(finite).append("), MAX(").append(finite).append(")");
      }
    }
    sql.append(" FROM ").append(catalog.table(table));
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql.toString())) {
      row.next();
      Map<String, Long> present = new LinkedHashMap<>();
      Map<String, Range> ranges = new LinkedHashMap<>();
      int at = 2;
      for (ColumnSpec column : columns) {
        boolean filled = isFilled(vendor, catalog, table, column);
        present.put(column.name(), row.getLong(filled ? 1 : at++));
        if (hasRange(column.type())) {
          Optional<BigDecimal> low = number(vendor, row, at++, column.type());
          Optional<BigDecimal> high = number(vendor, row, at++, column.type());
          if (low.isPresent() && high.isPresent()) {
            ranges.put(column.name(), new Range(low.get(), high.get()));
          }
        }
      }
      return new Totals(row.getLong(1), present, ranges);
    }
  }

  /** Whether the database itself sees to it that every row has a value, read as it is stored. */
  private static boolean isFilled(
      Vendor vendor, PhysicalCatalog catalog, Table table, ColumnSpec column) {
    PhysicalColumn physical = catalog.physical(table, column);
    return physical.notNull()
        && catalog.column(table, column).equals(vendor.quote(physical.name()));
  }

  /** In how many rows the column is NULL. */
  long nulls(String column) {
    return rows - present.get(column);
  }

  private static boolean hasRange(Type type) {
    return type.isNumeric() || type.isDateTime();
  }

  private static String finite(Vendor vendor, String value, Type type) {
    return type.isExact()
        ? value
        : "CASE WHEN " + vendor.isFinite(value, type) + " THEN " + value + " END";
  }

  private static Optional<BigDecimal> number(Vendor vendor, ResultSet row, int at, Type type)
      throws SQLException {
    return switch (vendor.value(row, at, type)) {
      case null -> Optional.empty();
      case LocalDate day -> Optional.of(BigDecimal.valueOf(day.toEpochDay()));
      case LocalDateTime time -> Optional.of(RangeEnd.micros(time));
      case Double real -> Optional.of(BigDecimal.valueOf(real));
      case Object number -> Optional.of((BigDecimal) number);
    };
  }
}
