package flexdp.gateway.collect;

import flexdp.gateway.catalog.Connector;
import flexdp.gateway.catalog.PhysicalCatalog;
import flexdp.gateway.catalog.PhysicalColumn;
import flexdp.metrics.MaxFrequency;
import flexdp.metrics.TableMetrics;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Range;
import flexdp.policy.Table;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What one reading of a table tells: its rows, how many are not NULL by column, and the least and
 * greatest value of numbers, dates and timestamps.
 */
record TableTotals(long rows, Map<String, Long> present, Map<String, Range> ranges) {
  /** PostgreSQL returns 1,664 columns at most, and a column here takes three. */
  private static final int TOGETHER = 500;

  static TableTotals measure(
      Connection connection, Connector connector, PhysicalCatalog catalog, Table table)
      throws SQLException {
    TotalsQuery query = new TotalsQuery(connector, catalog, table);
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
      TableTotals read = query.read(connection, some);
      present.putAll(read.present);
      ranges.putAll(read.ranges);
    }
    return new TableTotals(rows, present, ranges);
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

  /**
   * Counts and ends of the columns of a table from one statement. The least and greatest of a
   * stored column are what a database often knows without reading it. Where both have a form all
   * between them have one, so that nothing is read as NULL which is stored; where one has none,
   * every value has to be looked at.
   */
  static final class TotalsQuery {
    /**
     * What stored values tell.
     *
     * @param formless columns of which this is not known: there may be values that are read as NULL
     */
    record Found(TableTotals totals, List<ColumnSpec> formless) {}

    /**
     * How one column is asked about.
     *
     * @param count of its values; empty where every row has one
     * @param ends the least and the greatest; empty where the type has none
     * @param stored whether the values are stored ones, which may lack a form
     */
    private record Asked(
        ColumnSpec column, Optional<String> count, List<String> ends, boolean stored) {
      List<String> all() {
        List<String> all = new ArrayList<>();
        count.ifPresent(all::add);
        all.addAll(ends);
        return all;
      }
    }

    private final Connector connector;
    private final PhysicalCatalog catalog;
    private final Table table;

    TotalsQuery(Connector connector, PhysicalCatalog catalog, Table table) {
      this.connector = connector;
      this.catalog = catalog;
      this.table = table;
    }

    Found stored(Connection connection, List<ColumnSpec> columns) throws SQLException {
      return run(
          connection, columns.stream().map(c -> asStored(c).orElseGet(() -> asRead(c))).toList());
    }

    /** The totals of all columns, every value as it is read. */
    TableTotals read(Connection connection, List<ColumnSpec> columns) throws SQLException {
      return run(connection, columns.stream().map(this::asRead).toList()).totals();
    }

    private Optional<Asked> asStored(ColumnSpec column) {
      Type type = column.type();
      if (!hasRange(type) || catalog.unchanged(table, column).isPresent()) {
        return Optional.empty();
      }
      return catalog
          .stored(table, column)
          .filter(stored -> connector.dialect().nonCanonical().condition(stored, type).isPresent())
          .map(
              stored ->
                  new Asked(
                      column,
                      count(stored, catalog.physical(table, column).filled()),
                      List.of(canonicalize("MIN", stored, type), canonicalize("MAX", stored, type)),
                      true));
    }

    private String canonicalize(String end, String stored, Type type) {
      String value = end + "(" + stored + ")";
      String condition = connector.dialect().nonCanonical().condition(value, type).orElseThrow();
      return "CASE WHEN " + condition + " THEN " + value + " END";
    }

    private Asked asRead(ColumnSpec column) {
      Optional<String> unchanged = catalog.unchanged(table, column);
      PhysicalColumn physical = catalog.physical(table, column);
      String value = unchanged.orElseGet(() -> catalog.column(table, column));
      Optional<String> count = count(value, physical.notNull() && unchanged.isPresent());
      if (!hasRange(column.type())) {
        return new Asked(column, count, List.of(), false);
      }
      String finite =
          column.type().isExact()
              ? value
              : "CASE WHEN " + connector.isFinite(value, column.type()) + " THEN " + value + " END";
      return new Asked(column, count, List.of("MIN(" + finite + ")", "MAX(" + finite + ")"), false);
    }

    private static Optional<String> count(String value, boolean everywhere) {
      return everywhere ? Optional.empty() : Optional.of("COUNT(" + value + ")");
    }

    private Found run(Connection connection, List<Asked> asked) throws SQLException {
      List<String> list = new ArrayList<>(List.of("COUNT(*)"));
      asked.forEach(one -> list.addAll(one.all()));
      String sql = "SELECT " + String.join(", ", list) + " FROM " + catalog.table(table);
      try (Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery(sql)) {
        row.next();
        return found(row, asked);
      }
    }

    private Found found(ResultSet row, List<Asked> asked) throws SQLException {
      Map<String, Long> present = new LinkedHashMap<>();
      Map<String, Range> ranges = new LinkedHashMap<>();
      List<ColumnSpec> formless = new ArrayList<>();
      int at = 2;
      for (Asked one : asked) {
        long values = row.getLong(one.count().isPresent() ? at++ : 1);
        present.put(one.column().name(), values);
        if (!one.ends().isEmpty()) {
          Optional<BigDecimal> low = number(row, at++, one.column().type());
          Optional<BigDecimal> high = number(row, at++, one.column().type());
          if (low.isPresent() && high.isPresent()) {
            ranges.put(one.column().name(), new Range(low.get(), high.get()));
          } else if (one.stored() && values > 0) {
            formless.add(one.column());
          }
        }
      }
      return new Found(new TableTotals(row.getLong(1), present, ranges), formless);
    }

    private static boolean hasRange(Type type) {
      return type.isNumeric() || type.isDateTime();
    }

    private Optional<BigDecimal> number(ResultSet row, int at, Type type) throws SQLException {
      return switch (connector.value(row, at, type)) {
        case null -> Optional.empty();
        case LocalDate day -> Optional.of(BigDecimal.valueOf(day.toEpochDay()));
        case LocalDateTime time -> Optional.of(RangeEnd.micros(time));
        case Double real -> Optional.of(BigDecimal.valueOf(real));
        case Object number -> Optional.of((BigDecimal) number);
      };
    }
  }

  /** Declarations that bounds rest on and that the measured data contradict. */
  static final class DeclarationCheck {
    private DeclarationCheck() {}

    /**
     * One phrase for each; it holds no value of the data.
     *
     * @param catalog tells where a value is stored in every row, even if it has no form here: such
     *     a row is left out, and contradicts nothing
     */
    static List<String> broken(
        Table table, TableTotals totals, TableMetrics measured, PhysicalCatalog catalog) {
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
      MaxFrequency frequency = measured.frequencies().get(columns);
      return frequency != null && frequency.max().orElse(BigInteger.ZERO).compareTo(most) > 0;
    }

    private static String named(Table table, Set<String> columns) {
      String list = String.join(", ", new TreeSet<>(columns));
      return table.name() + "." + (columns.size() == 1 ? list : "(" + list + ")");
    }
  }
}
