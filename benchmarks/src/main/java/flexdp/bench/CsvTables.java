package flexdp.bench;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;
import org.postgresql.PGConnection;

/** Rows of several tables, written to files first and then copied into PostgreSQL or DuckDB. */
final class CsvTables implements AutoCloseable {
  private final Path folder;
  private final Map<String, String> columns = new LinkedHashMap<>();
  private final Map<String, BufferedWriter> writers = new LinkedHashMap<>();

  /**
   * @param folder for a file of each table, which are left there
   */
  CsvTables(Path folder) {
    this.folder = folder;
  }

  /**
   * @param definition its columns as in CREATE TABLE; tables that it refers to come before it
   */
  void table(String name, String definition) throws IOException {
    columns.put(name, definition);
    writers.put(name, Files.newBufferedWriter(file(name)));
  }

  /** Values in the order of the columns, without commas or quotes in them; null is NULL. */
  void row(String table, Object... values) {
    StringBuilder line = new StringBuilder(80);
    for (int i = 0; i < values.length; i++) {
      line.append(i == 0 ? "" : ",").append(values[i] == null ? "" : values[i]);
    }
    try {
      writers.get(table).append(line).append('\n');
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Fills a database that has none of these tables, or has them from an earlier run. */
  void load(Connection connection) throws SQLException, IOException {
    close();
    boolean isPostgreSql = connection.isWrapperFor(PGConnection.class);
    try (Statement statement = connection.createStatement()) {
      for (String table : columns.keySet().stream().toList().reversed()) {
        statement.execute("DROP TABLE IF EXISTS " + table);
      }
      for (Map.Entry<String, String> table : columns.entrySet()) {
        statement.execute("CREATE TABLE " + table.getKey() + " (" + table.getValue() + ")");
        if (isPostgreSql) {
          try (Reader rows = Files.newBufferedReader(file(table.getKey()))) {
            connection
                .unwrap(PGConnection.class)
                .getCopyAPI()
                .copyIn("COPY " + table.getKey() + " FROM STDIN (FORMAT csv)", rows);
          }
        } else {
          statement.execute(
              "COPY "
                  + table.getKey()
                  + " FROM '"
                  + file(table.getKey())
                  + "' (FORMAT csv, HEADER false, AUTO_DETECT false)");
        }
      }
      if (isPostgreSql) {
        statement.execute("VACUUM ANALYZE");
      }
    }
  }

  private Path file(String table) {
    return folder.resolve(table + ".csv");
  }

  @Override
  public void close() throws IOException {
    for (BufferedWriter writer : writers.values()) {
      writer.close();
    }
  }
}
