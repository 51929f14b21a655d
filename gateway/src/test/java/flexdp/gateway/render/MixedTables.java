package flexdp.gateway.render;

import flexdp.algebra.Relation;
import flexdp.decompose.QueryDecomposer;
import flexdp.failure.Rejection;
import flexdp.gateway.duckdb.DuckDb;
import flexdp.metrics.MaxFrequency;
import flexdp.metrics.Metrics;
import flexdp.metrics.TableMetrics;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Neighbors;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import flexdp.policy.Type;
import flexdp.query.DpQuery;
import flexdp.sensitivity.RuleSet;
import flexdp.sensitivity.Sensitivity;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * Two tables whose columns are of every type that meets another one, full of values that become one
 * value, or NULL, when they are converted: whole numbers beyond 2^53, decimals of 38 digits.
 */
final class MixedTables implements AutoCloseable {
  static final int ROWS = 8;

  /** Columns with their types and the values they take; a unique column takes one of each. */
  private static final Map<String, Type> COLUMNS = new LinkedHashMap<>();

  static {
    COLUMNS.put("id", Type.BIGINT);
    COLUMNS.put("k", Type.decimal(38, 0));
    COLUMNS.put("i2", Type.SMALLINT);
    COLUMNS.put("i4", Type.INTEGER);
    COLUMNS.put("i8", Type.BIGINT);
    COLUMNS.put("n9", Type.decimal(9, 2));
    COLUMNS.put("s38", Type.decimal(38, 10));
    COLUMNS.put("x", Type.DOUBLE);
    COLUMNS.put("d", Type.DATE);
    COLUMNS.put("ts", Type.TIMESTAMP);
  }

  static final List<String> NUMBERS = List.of("id", "k", "k", "i2", "i4", "i8", "n9", "s38", "x");
  static final List<String> MOMENTS = List.of("d", "ts");

  static final Policy POLICY = policy();

  private final Connection connection;
  private final Map<String, List<List<String>>> rows = new HashMap<>();

  /** The rows that are there, as bits. */
  private final Map<String, Integer> present = new HashMap<>();

  MixedTables() throws SQLException {
    connection = DriverManager.getConnection("jdbc:duckdb:");
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET threads = 1");
    }
  }

  private static Policy policy() {
    List<ColumnSpec> specs = new ArrayList<>();
    COLUMNS.forEach(
        (name, type) ->
            specs.add(
                new ColumnSpec(
                    name,
                    type,
                    !isUnique(name),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty())));
    List<Set<String>> keys = List.of(Set.of("id"), Set.of("k"));
    Map<String, Table> tables = new LinkedHashMap<>();
    for (String name : List.of("t", "u")) {
      tables.put(name, new Table(name, false, specs, keys, List.of()));
    }
    return new Policy(
        Optional.empty(),
        new Policy.Privacy(
            Neighbors.ADD_REMOVE_ONE,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            1000),
        tables);
  }

  private static boolean isUnique(String column) {
    return column.equals("id") || column.equals("k");
  }

  void fill(Random random) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String table : List.of("t", "u")) {
        List<String> types = new ArrayList<>();
        COLUMNS.forEach((name, type) -> types.add(name + " " + new DuckDb().typeName(type)));
        statement.execute(
            "CREATE OR REPLACE TABLE all_"
                + table
                + "(bit INTEGER, "
                + String.join(", ", types)
                + ")");
        List<List<String>> made = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
          List<String> row = new ArrayList<>();
          for (String column : COLUMNS.keySet()) {
            row.add(value(column, i, random));
          }
          made.add(row);
          statement.execute(
              "INSERT INTO all_" + table + " VALUES (" + i + ", " + String.join(", ", row) + ")");
        }
        rows.put(table, made);
        present.put(table, random.nextInt(1 << ROWS));
      }
    }
  }

  private static String value(String column, int row, Random random) {
    String[] values =
        switch (column) {
          // Neighbours by one are the same double.
          case "id" -> new String[] {"" + (1_000_000_000_000_000_000L + row)};
          // None of them has ten digits after the point.
          case "k" -> new String[] {"1" + "0".repeat(35) + (10 + row)};
          case "i2" -> new String[] {"0", "1", "32767", "NULL"};
          case "i4" -> new String[] {"0", "1", "32767", "2147483647", "NULL"};
          case "i8" ->
              new String[] {
                "0", "9007199254740992", "9007199254740993", "" + (1_000_000_000_000_000_000L + row)
              };
          case "n9" -> new String[] {"0", "1", "1.5", "NULL"};
          case "s38" -> new String[] {"0", "1", "1.5", "1000000000000000000", "NULL"};
          case "x" -> new String[] {"0", "1", "1e18", "1e37", "9007199254740992", "NULL"};
          case "d" -> new String[] {"DATE '2020-01-01'", "DATE '2020-01-02'", "NULL"};
          default ->
              new String[] {
                "TIMESTAMP '2020-01-01 00:00:00'", "TIMESTAMP '2020-01-01 12:00:00'", "NULL"
              };
        };
    return values[random.nextInt(values.length)];
  }

  /** What {@code collect} would measure, exactly. */
  Metrics metrics() {
    Map<String, TableMetrics> metrics = new HashMap<>();
    rows.forEach(
        (table, all) -> {
          Map<Set<String>, MaxFrequency> frequencies = new HashMap<>();
          List<String> names = List.copyOf(COLUMNS.keySet());
          for (int c = 0; c < names.size(); c++) {
            frequencies.put(Set.of(names.get(c)), frequency(all, present.get(table), c));
          }
          int count = Integer.bitCount(present.get(table));
          metrics.put(table, new TableMetrics(Optional.of(BigInteger.valueOf(count)), frequencies));
        });
    return new Metrics(metrics, Map.of());
  }

  private static MaxFrequency frequency(List<List<String>> all, int present, int column) {
    Map<String, Integer> counts = new HashMap<>();
    for (int i = 0; i < all.size(); i++) {
      if ((present >> i & 1) == 1) {
        counts.merge(all.get(i).get(column), 1, Integer::sum);
      }
    }
    int withNull = counts.values().stream().mapToInt(c -> c).max().orElse(0);
    counts.remove("NULL");
    int most = counts.values().stream().mapToInt(c -> c).max().orElse(0);
    return new MaxFrequency(
        Optional.of(BigInteger.valueOf(most)), Optional.of(BigInteger.valueOf(withNull)));
  }

  void allButOne(String table) {
    present.put(table, (1 << ROWS - 1) - 1);
  }

  /** What the analysis says of a question; nothing when it refuses it. */
  Optional<Long> bound(Relation relation) {
    try {
      return Optional.of(requireBound(relation));
    } catch (Rejection e) {
      return Optional.empty();
    }
  }

  long requireBound(Relation relation) {
    DpQuery query = QueryDecomposer.of(relation, POLICY, Optional.empty());
    return Sensitivity.of(
            query.releases().getFirst(),
            query.releases().getFirst().measurements().getFirst(),
            metrics(),
            Neighbors.ADD_REMOVE_ONE,
            RuleSet.FLEXDP)
        .elastic(0)
        .longValueExact();
  }

  /** By how much the count changes when one row comes or goes, in fact. */
  long change(Relation relation) throws SQLException {
    String sql = new SqlRenderer(new DuckDb(), catalog()).rows(relation);
    long here = count(sql, "", 0);
    long most = 0;
    for (String table : List.of("t", "u")) {
      for (int i = 0; i < ROWS && sql.contains("@" + table); i++) {
        most = Math.max(most, Math.abs(count(sql, table, 1 << i) - here));
      }
    }
    return most;
  }

  private long count(String sql, String table, int flipped) throws SQLException {
    String asked = sql;
    for (String one : List.of("t", "u")) {
      int mask = present.get(one) ^ (one.equals(table) ? flipped : 0);
      asked =
          asked.replace(
              "@" + one, "(SELECT * FROM all_" + one + " WHERE " + mask + " >> bit & 1 = 1)");
    }
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(asked)) {
      result.next();
      return result.getLong(1);
    }
  }

  private static NameCatalog catalog() {
    return new NameCatalog() {
      @Override
      public String table(Table table) {
        return "@" + table.name();
      }

      @Override
      public String column(Table table, ColumnSpec column) {
        return column.name();
      }
    };
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
