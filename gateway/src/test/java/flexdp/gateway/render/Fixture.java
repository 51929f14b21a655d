package flexdp.gateway.render;

import flexdp.algebra.AggregateCall;
import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.failure.Position;
import flexdp.gateway.duckdb.DuckDb;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Range;
import flexdp.policy.Table;
import flexdp.policy.Type;
import flexdp.query.Labels;
import flexdp.query.Measurement;
import flexdp.query.NoisyAggregate;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Small relations over two tables of an in-memory DuckDB. */
public final class Fixture implements AutoCloseable {
  public static final Table TRIPS =
      table(
          "trips",
          ColumnSpec.of("id", Type.BIGINT),
          ColumnSpec.of("driver", Type.INTEGER),
          ColumnSpec.of("fare", Type.decimal(9, 2)),
          ColumnSpec.of("distance", Type.DOUBLE),
          ColumnSpec.of("city", Type.VARCHAR),
          ColumnSpec.of("day", Type.DATE),
          ColumnSpec.of("at", Type.TIMESTAMP));
  public static final Table DRIVERS =
      table("drivers", ColumnSpec.of("id", Type.INTEGER), ColumnSpec.of("name", Type.VARCHAR));

  private final Connection connection;
  private int next = 1;

  public Fixture() throws SQLException {
    connection = DriverManager.getConnection("jdbc:duckdb:");
    execute(
        "CREATE TABLE trips(id BIGINT, driver INTEGER, fare DECIMAL(9,2), distance DOUBLE,"
            + " city VARCHAR, day DATE, \"at\" TIMESTAMP)");
    execute("CREATE TABLE drivers(id INTEGER, name VARCHAR)");
    execute(
        "INSERT INTO trips VALUES"
            + "(1, 1, 10.50, 1.25, 'SF', '2024-02-29', '2024-02-29 10:11:12.5'),"
            + "(2, 1, -3.00, 'nan', 'SF', '2024-12-30', '1969-12-31 23:59:59.5'),"
            + "(3, 2, 700.25, 'inf', 'Oslo', NULL, NULL),"
            + "(4, NULL, NULL, NULL, NULL, '2020-01-04', '2020-01-06 00:00:00'),"
            + "(9223372036854775807, 2147483647, 0.00, -1e300, 'ös''lo', '1969-07-20', NULL)");
    execute("INSERT INTO drivers VALUES (1, 'Ann'), (2, NULL), (3, 'Bob')");
  }

  private static Table table(String name, ColumnSpec... columns) {
    return new Table(name, false, List.of(columns), List.of(), List.of());
  }

  public Relation.Scan scan(Table table) {
    List<Column> columns = new ArrayList<>();
    table.columns().forEach(c -> columns.add(new Column(next++, c.name(), c.type(), true)));
    return new Relation.Scan(table, columns, Position.START);
  }

  public Column fresh(Type type) {
    return new Column(next++, "x", type, true);
  }

  public static Expr.Ref ref(Relation relation, String name) {
    return column(relation, name).ref();
  }

  public static Column column(Relation relation, String name) {
    return relation.columns().stream().filter(c -> c.name().equals(name)).findFirst().orElseThrow();
  }

  public static Expr call(Function function, Type type, Expr... arguments) {
    return new Expr.Call(function, List.of(arguments), type);
  }

  public static Expr is(Function function, Expr... arguments) {
    return call(function, Type.BOOLEAN, arguments);
  }

  public static Expr number(String digits, Type type) {
    return new Expr.Literal(new BigDecimal(digits), type);
  }

  public static Expr text(String value) {
    return new Expr.Literal(value, Type.VARCHAR);
  }

  public AggregateCall aggregate(AggregateCall.Kind kind, Type type, Expr argument) {
    return new AggregateCall(
        fresh(type),
        kind,
        Optional.of(argument),
        false,
        Optional.empty(),
        kind == AggregateCall.Kind.QUANTILE ? Optional.of(new BigDecimal("0.5")) : Optional.empty(),
        Position.START);
  }

  public static Relation group(Relation input, List<Column> keys, AggregateCall... calls) {
    List<Integer> all = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      all.add(i);
    }
    return new Relation.Aggregate(
        input,
        keys,
        List.of(all),
        List.of(calls),
        List.of(),
        Optional.empty(),
        List.of(calls).stream().map(AggregateCall::output).toList(),
        Position.START);
  }

  private static Measurement.Origin origin(String aggregate) {
    String part = aggregate.toLowerCase(Locale.ROOT);
    return new Measurement.Origin(aggregate, part, Optional.empty(), Position.START);
  }

  public Measurement count(Optional<Expr> argument, Optional<Expr> filter) {
    return new Measurement.Count(fresh(Type.BIGINT), origin("COUNT"), argument, filter);
  }

  public Measurement distinct(Expr argument) {
    return new Measurement.CountDistinct(
        fresh(Type.BIGINT), origin("COUNT"), argument, Optional.empty());
  }

  public Measurement sum(Expr argument, Range range, String grid) {
    return new Measurement.Sum(
        fresh(argument.type()), origin("SUM"), argument, Optional.empty(), clamp(range, grid));
  }

  public Measurement median(Expr argument, Range range, String grid) {
    return new Measurement.Quantile(
        fresh(argument.type()),
        origin("QUANTILE"),
        argument,
        Optional.empty(),
        clamp(range, grid),
        new BigDecimal("0.5"));
  }

  private static Measurement.Clamp clamp(Range range, String grid) {
    return new Measurement.Clamp(range, new BigDecimal(grid));
  }

  public static NoisyAggregate point(
      Relation input, List<Column> keys, List<List<Integer>> sets, Measurement... measurements) {
    return new NoisyAggregate(
        0, input, keys, sets, List.of(), List.of(measurements), new Labels.None(), Position.START);
  }

  public static SqlRenderer renderer() {
    DuckDb dialect = new DuckDb();
    return new SqlRenderer(dialect, NameCatalog.plain(dialect));
  }

  public void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** The rows as text, sorted unless the statement says an order. */
  public List<String> run(String sql) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      int width = result.getMetaData().getColumnCount();
      while (result.next()) {
        List<String> row = new ArrayList<>();
        for (int i = 1; i <= width; i++) {
          row.add(String.valueOf(result.getObject(i)));
        }
        rows.add(String.join("|", row));
      }
    }
    if (!sql.matches(".* ORDER BY [^)]*")) {
      rows.sort(null);
    }
    return rows;
  }

  public List<String> run(Relation relation) throws SQLException {
    return run(renderer().rows(relation));
  }

  /** The value of an expression on every row of trips, in the order of ids. */
  public List<String> values(Relation.Scan trips, Expr expr) throws SQLException {
    Column value = fresh(expr.type());
    Relation computed =
        new Relation.Project(
            trips,
            List.of(
                new Relation.Project.Output(trips.columns().get(0), trips.columns().get(0).ref()),
                new Relation.Project.Output(value, expr)));
    return run(renderer().rows(computed)).stream().map(r -> r.split("\\|", 2)[1]).toList();
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
