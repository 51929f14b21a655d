package flexdp.bench;

import flexdp.gateway.demo.TpchTables;
import io.trino.tpch.TpchColumn;
import io.trino.tpch.TpchEntity;
import io.trino.tpch.TpchTable;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;

/** TPC-H in a database of its own that is made for the run and gone after it. */
abstract class TpchHome implements AutoCloseable {
  private static final int LINES_AT_ONCE = 10_000;

  abstract String name();

  abstract String url();

  /** Whether the database itself sees to it that the columns are a key. */
  abstract boolean hasKey(String table, Set<String> columns);

  @Override
  public abstract void close() throws IOException;

  /** A DuckDB file in the folder. */
  static TpchHome duckDb(Path folder, double scale) throws SQLException {
    Path file = folder.resolve("tpch.duckdb");
    String url = "jdbc:duckdb:" + file;
    try (Connection connection = DriverManager.getConnection(url)) {
      TpchTables.load(connection, scale);
    }
    return new TpchHome() {
      @Override
      String name() {
        return "DuckDB";
      }

      @Override
      String url() {
        return url;
      }

      @Override
      boolean hasKey(String table, Set<String> columns) {
        return false;
      }

      @Override
      public void close() throws IOException {
        Files.deleteIfExists(file);
      }
    };
  }

  /** A PostgreSQL server, analysed and with its keys, as an owner would have it. */
  static TpchHome postgreSql(double scale) throws SQLException, IOException {
    EmbeddedPostgres server =
        EmbeddedPostgres.builder()
            .setServerConfig("shared_buffers", "2GB")
            .setServerConfig("max_wal_size", "4GB")
            .start();
    String url = server.getJdbcUrl("postgres", "postgres");
    fill(url, scale);
    return postgreSql(url, server::close);
  }

  static void fill(String url, double scale) throws SQLException, IOException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      for (TpchTable<?> table : TpchTable.getTables()) {
        copy(connection, table, scale);
      }
      for (String key : KEYS) {
        statement.execute("ALTER TABLE " + key.replace(":", " ADD PRIMARY KEY"));
      }
      statement.execute("VACUUM ANALYZE");
    }
  }

  /** What ends with a server. */
  private interface End {
    void close() throws IOException;
  }

  /** A PostgreSQL server that has the tables already, with their keys. */
  static TpchHome postgreSql(String url) {
    return postgreSql(url, () -> {});
  }

  private static TpchHome postgreSql(String url, End end) {
    return new TpchHome() {
      @Override
      String name() {
        return "PostgreSQL";
      }

      @Override
      String url() {
        return url;
      }

      @Override
      boolean hasKey(String table, Set<String> columns) {
        return KEYS.stream()
            .filter(key -> key.startsWith(table + ":"))
            .map(key -> key.substring(key.indexOf('(') + 1, key.indexOf(')')))
            .anyMatch(key -> columns.containsAll(List.of(key.split(", "))));
      }

      @Override
      public void close() throws IOException {
        end.close();
      }
    };
  }

  private static final List<String> KEYS =
      List.of(
          "region: (r_regionkey)",
          "nation: (n_nationkey)",
          "supplier: (s_suppkey)",
          "customer: (c_custkey)",
          "part: (p_partkey)",
          "partsupp: (ps_partkey, ps_suppkey)",
          "orders: (o_orderkey)",
          "lineitem: (l_orderkey, l_linenumber)");

  private static <E extends TpchEntity> void copy(
      Connection connection, TpchTable<E> table, double scale) throws SQLException, IOException {
    String columns =
        table.getColumns().stream()
            .map(c -> c.getColumnName() + " " + typeName(c) + " NOT NULL")
            .collect(Collectors.joining(", "));
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE " + table.getTableName() + " (" + columns + ")");
    }
    CopyManager copies = connection.unwrap(PGConnection.class).getCopyAPI();
    String command = "COPY " + table.getTableName() + " FROM STDIN WITH (DELIMITER '|')";
    StringBuilder lines = new StringBuilder();
    int held = 0;
    for (E entity : table.createGenerator(scale, 1, 1)) {
      String line = entity.toLine();
      lines.append(line, 0, line.endsWith("|") ? line.length() - 1 : line.length()).append('\n');
      if (++held == LINES_AT_ONCE) {
        copies.copyIn(command, new StringReader(lines.toString()));
        lines.setLength(0);
        held = 0;
      }
    }
    copies.copyIn(command, new StringReader(lines.toString()));
  }

  private static String typeName(TpchColumn<?> column) {
    return switch (column.getType().getBase()) {
      case INTEGER -> "INTEGER";
      case IDENTIFIER -> column.getColumnName().endsWith("orderkey") ? "BIGINT" : "INTEGER";
      case DATE -> "DATE";
      case DOUBLE -> "DECIMAL(15,2)";
      case VARCHAR -> "VARCHAR";
    };
  }
}
