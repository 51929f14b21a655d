package flexdp.gateway.collect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.ConfigurationError;
import flexdp.gateway.database.Connectors;
import flexdp.gateway.files.YamlText;
import flexdp.gateway.policydraft.PolicyDraft;
import flexdp.metrics.Metrics;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import io.trino.tpch.TpchColumn;
import io.trino.tpch.TpchColumnType;
import io.trino.tpch.TpchEntity;
import io.trino.tpch.TpchTable;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The metrics of TPC-H at scale 0.01, from a policy that is proposed from its tables. */
class TpchMetricsTest {
  private static final double SCALE = 0.01;
  private static final Map<String, String> KEYS =
      Map.of(
          "region", "r_regionkey",
          "nation", "n_nationkey",
          "supplier", "s_suppkey",
          "customer", "c_custkey",
          "part", "p_partkey",
          "orders", "o_orderkey",
          "partsupp", "ps_partkey, ps_suppkey",
          "lineitem", "l_orderkey, l_linenumber");
  private static Connection connection;

  @BeforeAll
  static void load() throws SQLException {
    connection = DriverManager.getConnection("jdbc:duckdb:");
    for (TpchTable<?> table : TpchTable.getTables()) {
      load(table);
    }
  }

  @AfterAll
  static void close() throws SQLException {
    connection.close();
  }

  @Test
  void maxFrequenciesAreThoseOfTheData() throws SQLException {
    Policy policy =
        PolicyReader.read(
            YamlText.tree(
                PolicyDraft.of("jdbc:duckdb:", Connectors.of(connection).tables(connection)),
                ConfigurationError.Code.BAD_POLICY));
    assertEquals(8, policy.tables().size());
    String columns =
        "orders.o_custkey, lineitem.(l_partkey, l_suppkey), customer.c_nationkey,"
            + " supplier.s_nationkey";
    RequiredFrequencies wanted =
        RequiredFrequencies.of(policy).and(ColumnNames.parse(columns, policy));
    Metrics metrics =
        new Collector(policy, wanted, Progress.NONE, CollectorTest.CLOCK)
            .collect(connection)
            .metrics();
    KEYS.forEach(
        (table, key) -> assertEquals(1, max(metrics, table, key.split(", ")), table + " " + key));
    for (String[] pair :
        new String[][] {
          {"orders", "o_custkey"},
          {"lineitem", "l_orderkey"},
          {"lineitem", "l_partkey"},
          {"lineitem", "l_suppkey"},
          {"lineitem", "l_linenumber"},
          {"lineitem", "l_partkey", "l_suppkey"},
          {"partsupp", "ps_partkey"},
          {"partsupp", "ps_suppkey"},
          {"customer", "c_nationkey"},
          {"supplier", "s_nationkey"},
        }) {
      String[] names = java.util.Arrays.copyOfRange(pair, 1, pair.length);
      String sql =
          "SELECT MAX(n) FROM (SELECT COUNT(*) AS n FROM "
              + pair[0]
              + " GROUP BY "
              + String.join(", ", names)
              + ")";
      assertEquals(number(sql), max(metrics, pair[0], names), String.join(" ", pair));
    }
    // Known of the generator whatever the scale: seven lines to an order, four suppliers to a part.
    assertEquals(7, max(metrics, "lineitem", "l_orderkey"));
    assertEquals(4, max(metrics, "partsupp", "ps_partkey"));
    assertEquals(80, max(metrics, "partsupp", "ps_suppkey"));
    assertTrue(max(metrics, "orders", "o_custkey") > 20);
  }

  private static long max(Metrics metrics, String table, String... columns) {
    return metrics
        .table(table)
        .frequencies()
        .get(Set.of(columns))
        .max()
        .map(BigInteger::longValueExact)
        .orElseThrow();
  }

  private static <E extends TpchEntity> void load(TpchTable<E> table) throws SQLException {
    List<TpchColumn<E>> columns = table.getColumns();
    String list =
        columns.stream()
            .map(c -> c.getColumnName() + " " + typeName(c.getType()) + " NOT NULL")
            .collect(Collectors.joining(", "));
    String name = table.getTableName();
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE " + name + " (" + list + ", PRIMARY KEY (" + KEYS.get(name) + "))");
    }
    try (DuckDBAppender rows = connection.unwrap(DuckDBConnection.class).createAppender(name)) {
      for (E entity : table.createGenerator(SCALE, 1, 1)) {
        rows.beginRow();
        for (TpchColumn<E> column : columns) {
          switch (column.getType().getBase()) {
            case INTEGER -> rows.append(column.getInteger(entity));
            case IDENTIFIER -> rows.append(column.getIdentifier(entity));
            case DATE -> rows.appendEpochDays(column.getDate(entity));
            case DOUBLE -> rows.append(column.getDouble(entity));
            case VARCHAR -> rows.append(column.getString(entity));
          }
        }
        rows.endRow();
      }
    }
  }

  private static String typeName(TpchColumnType type) {
    return switch (type.getBase()) {
      case INTEGER -> "INTEGER";
      case IDENTIFIER -> "BIGINT";
      case DATE -> "DATE";
      case DOUBLE -> "DOUBLE";
      case VARCHAR -> "VARCHAR";
    };
  }

  private static long number(String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      result.next();
      return result.getLong(1);
    }
  }
}
