package flexdp.gateway.demo;

import io.trino.tpch.TpchColumn;
import io.trino.tpch.TpchEntity;
import io.trino.tpch.TpchTable;
import java.io.BufferedWriter;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Collectors;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;

/** The tables of TPC-H: in an empty DuckDB, with the specification's column types, or as text. */
public final class TpchTables {
  private TpchTables() {}

  public static void load(Connection connection, double scale) throws SQLException {
    for (TpchTable<?> table : TpchTable.getTables()) {
      load(connection, table, scale);
    }
  }

  private static <E extends TpchEntity> void load(
      Connection connection, TpchTable<E> table, double scale) throws SQLException {
    List<TpchColumn<E>> columns = table.getColumns();
    String list =
        columns.stream()
            .map(c -> c.getColumnName() + " " + typeName(c) + " NOT NULL")
            .collect(Collectors.joining(", "));
    String name = table.getTableName();
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE " + name + " (" + list + ")");
    }
    try (DuckDBAppender rows = connection.unwrap(DuckDBConnection.class).createAppender(name)) {
      for (E entity : table.createGenerator(scale, 1, 1)) {
        rows.beginRow();
        for (TpchColumn<E> column : columns) {
          switch (column.getType().getBase()) {
            case INTEGER -> rows.append(column.getInteger(entity));
            case IDENTIFIER -> rows.append((int) column.getIdentifier(entity));
            case DATE -> rows.appendEpochDays(column.getDate(entity));
            case DOUBLE ->
                rows.append(BigDecimal.valueOf(Math.round(column.getDouble(entity) * 100), 2));
            case VARCHAR -> rows.append(column.getString(entity));
          }
        }
        rows.endRow();
      }
    }
  }

  private static String typeName(TpchColumn<?> column) {
    return switch (column.getType().getBase()) {
      case INTEGER, IDENTIFIER -> "INTEGER";
      case DATE -> "DATE";
      case DOUBLE -> "DECIMAL(15,2)";
      case VARCHAR -> "VARCHAR";
    };
  }

  /** Prints a table as databases load it: its name and the scale are the arguments. */
  public static void main(String[] arguments) throws IOException {
    try (Writer out =
        new BufferedWriter(
            new OutputStreamWriter(
                new FileOutputStream(FileDescriptor.out), StandardCharsets.UTF_8),
            1 << 16)) {
      write(TpchTable.getTable(arguments[0]), Double.parseDouble(arguments[1]), out);
    }
  }

  /** As text with bars between the values. */
  public static <E extends TpchEntity> void write(TpchTable<E> table, double scale, Writer out)
      throws IOException {
    for (E entity : table.createGenerator(scale, 1, 1)) {
      String line = entity.toLine();
      out.write(line, 0, line.length() - 1); // a bar ends each line
      out.write('\n');
    }
  }
}
