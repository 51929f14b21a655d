package flexdp.gateway.verify;

import flexdp.Analyzer;
import flexdp.algebra.AlgebraWalker;
import flexdp.failure.DatabaseError;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.catalog.StatementRunner;
import flexdp.gateway.collect.ColumnNames;
import flexdp.gateway.collect.Remeasurement;
import flexdp.gateway.collect.RequiredFrequencies;
import flexdp.gateway.database.Database;
import flexdp.gateway.database.ErrorLog;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.prepare.Planning;
import flexdp.gateway.prepare.RenderedStatements;
import flexdp.gateway.verify.GeneratedDatabase.DatabaseState;
import flexdp.metrics.MaxFrequency;
import flexdp.metrics.Metrics;
import flexdp.metrics.TableMetrics;
import flexdp.metrics.TruncatedTables;
import flexdp.plan.CalibratedMechanism;
import flexdp.plan.EnforcedCaps;
import flexdp.plan.Plan;
import flexdp.plan.PlannedMeasurement;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Policy;
import flexdp.policy.PrivacyUnit;
import flexdp.policy.Table;
import flexdp.policy.Type;
import flexdp.query.DpQuery;
import flexdp.query.NoisyAggregate;
import flexdp.sensitivity.AppliedRules;
import flexdp.sensitivity.Sensitivity;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.duckdb.DuckDBConnection;

/** One question, asked of states of made-up databases as a gateway would ask it. */
final class TestRun implements AutoCloseable {
  /** What came of reading a state. */
  sealed interface Outcome {}

  record Read(ExactResults values) implements Outcome {}

  /**
   * The database could not be read.
   *
   * @param why the database's own words; the data are nobody's
   */
  record Failed(String why) implements Outcome {}

  private final Policy policy;
  private final DpQuery query;
  private final QueryRequest request;
  private final Analyzer analyzer;
  private final RunDatabase ground;
  private final RenderedStatements rendered;
  private final Set<PrivacyUnit> units = new TreeSet<>();
  private Optional<Plan> always = Optional.empty();
  private Map<Integer, Optional<List<List<Object>>>> labels = Map.of();

  /**
   * @param policy the whole one
   */
  TestRun(
      Policy policy, DpQuery query, StorageTypes storage, QueryRequest request, Analyzer analyzer) {
    this.policy = policy;
    this.query = query;
    this.request = request;
    this.analyzer = analyzer;
    this.ground = new RunDatabase(storage);
    this.rendered = new RenderedStatements(ground.database());
    for (NoisyAggregate point : query.releases()) {
      units.addAll(AlgebraWalker.units(point.input()));
    }
  }

  Set<PrivacyUnit> units() {
    return units;
  }

  /** What is stored otherwise than the policy says, in words. */
  List<String> stored() {
    return ground.stored();
  }

  /** Another database; its public tables decide labels and, at times, the whole plan. */
  void begin(GeneratedDatabase data) {
    ground.begin(data);
    always = Optional.empty();
    Metrics metrics = ground.metrics();
    Plan plan = planned(metrics, Map.of());
    labels = ExactResults.labels(policy, plan, ground.database(), rendered);
    plan = planned(metrics, labels);
    if (plan.measurements().stream().allMatch(p -> isPublic(p, metrics))) {
      always = Optional.of(plan);
    }
  }

  /** Whether a bound is the same whatever protected rows there are. */
  private boolean isPublic(PlannedMeasurement planned, Metrics metrics) {
    if (planned.noise().filter(CalibratedMechanism::hasLevel).isPresent()) {
      return true;
    }
    return Sensitivity.symbolic(
            planned.release(),
            planned.measurement(),
            metrics,
            policy.privacy().neighbors(),
            QueryOptions.RULES,
            new AppliedRules())
        .isConstant();
  }

  private Plan planned(Metrics metrics, Map<Integer, Optional<List<List<Object>>>> known) {
    Planning planning = new Planning(policy, metrics, analyzer);
    DpQuery capped = EnforcedCaps.in(query, metrics, policy.privacy().neighbors());
    Plan plan = planning.planned(request, capped, metrics);
    return plan.isAnswerable() || known.isEmpty()
        ? plan
        : planning.replanned(request, capped, known);
  }

  Outcome read(DatabaseState state) {
    ground.go(state);
    try {
      Plan plan = always.orElseGet(() -> planned(ground.metrics(), labels));
      return new Read(ExactResults.read(policy, plan, labels, ground.database(), rendered));
    } catch (DatabaseError e) {
      return new Failed(ground.said() + " (" + e.codeName() + ")");
    } catch (IllegalStateException | ArithmeticException | IllegalArgumentException e) {
      return new Failed(e.getClass().getSimpleName() + ": " + e.getMessage());
    }
  }

  @Override
  public void close() {
    ground.close();
  }

  /** An embedded database in memory that is led from state to state. */
  private static final class RunDatabase implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String NUMBER = "flexdp_row";

    private final QuerySubject subject;
    private final Policy policy;
    private final StorageTypes storage;
    private final Connection writer;
    private final Database database;
    private final Remeasurement measurement;
    private final Map<String, TableMetrics> wanted = new HashMap<>();
    private final Map<String, Map<BitSet, TableMetrics>> measured = new HashMap<>();
    private final List<String> said = new ArrayList<>();
    private Optional<DatabaseState> now = Optional.empty();
    private GeneratedDatabase data;

    RunDatabase(StorageTypes storage) {
      this.subject = storage.subject();
      this.storage = storage;
      this.policy = subject.policy();
      Properties one = new Properties();
      one.setProperty("threads", "1"); // the tables are tiny
      try {
        writer = DriverManager.getConnection("jdbc:duckdb:", one);
        for (Table table : policy.tables().values()) {
          create(table);
        }
        ErrorLog log = (what, cause) -> said.add(cause == null ? what : cause.getMessage());
        Connection reader = ((DuckDBConnection) writer).duplicate();
        database = JdbcDatabase.over(reader, policy, PATIENCE, log);
      } catch (SQLException e) {
        throw new IllegalStateException("the embedded database does not start", e);
      }
      this.measurement = new Remeasurement(policy, database.vendor(), database.catalog());
      RequiredFrequencies sets = wanted();
      for (Table table : policy.tables().values()) {
        Map<Set<String>, MaxFrequency> none = new HashMap<>();
        MaxFrequency unknown = new MaxFrequency(Optional.empty(), Optional.empty());
        sets.of(table.name()).forEach(set -> none.put(set, unknown));
        wanted.put(
            table.name(),
            new TableMetrics(Optional.of(BigInteger.ZERO), none, TruncatedTables.rows(table)));
      }
    }

    private void create(Table table) throws SQLException {
      int dot = table.name().lastIndexOf('.');
      if (dot > 0) {
        run("CREATE SCHEMA IF NOT EXISTS " + quoted(table.name().substring(0, dot)));
      }
      List<String> columns = new ArrayList<>(List.of(NUMBER + " INTEGER"));
      for (ColumnSpec column : table.columns()) {
        columns.add(
            quoted(column.name())
                + " "
                + storage.typeName(table, column)
                + (column.nullable() ? "" : " NOT NULL"));
      }
      String list = " (" + String.join(", ", columns) + ")";
      // What a database remembers of rows that have left must not matter: it is a new table.
      run("CREATE OR REPLACE TABLE " + name(table) + list);
      run("CREATE OR REPLACE TABLE " + all(table) + list);
    }

    private static String quoted(String name) {
      return "\"" + name.replace("\"", "\"\"") + "\"";
    }

    private static String name(Table table) {
      int dot = table.name().lastIndexOf('.');
      return dot > 0
          ? quoted(table.name().substring(0, dot)) + "." + quoted(table.name().substring(dot + 1))
          : quoted(table.name());
    }

    /** The name of the table that holds the rows which are not there now. */
    private static String all(Table table) {
      return quoted("flexdp_all_" + table.name().replace('.', '_'));
    }

    private void run(String sql) throws SQLException {
      try (Statement statement = writer.createStatement()) {
        statement.execute(sql);
      }
    }

    /** Columns that the question reads, and pairs of them. */
    private RequiredFrequencies wanted() {
      List<ColumnNames> names = new ArrayList<>();
      subject
          .columns()
          .forEach(
              (table, columns) -> {
                List<String> all = List.copyOf(columns);
                for (int i = 0; i < all.size(); i++) {
                  names.add(new ColumnNames(table, Set.of(all.get(i))));
                  for (int j = 0; j < i && all.size() <= 4; j++) {
                    names.add(new ColumnNames(table, Set.of(all.get(i), all.get(j))));
                  }
                }
              });
      return RequiredFrequencies.of(policy).and(names);
    }

    /** Another database, with its public tables only. */
    void begin(GeneratedDatabase another) {
      data = another;
      measured.clear();
      try {
        for (GeneratedDatabase.Rows rows : data.tables()) {
          create(rows.table());
          List<String> tuples = new ArrayList<>();
          for (int r = 0; r < rows.rows().size(); r++) {
            List<String> values = new ArrayList<>(List.of(Integer.toString(r)));
            for (int c = 0; c < rows.table().columns().size(); c++) {
              String value = rows.rows().get(r).get(c);
              values.add(storage.value(rows.table(), rows.table().columns().get(c), value));
            }
            tuples.add("(" + String.join(", ", values) + ")");
          }
          if (!tuples.isEmpty()) {
            run("INSERT INTO " + all(rows.table()) + " VALUES " + String.join(", ", tuples));
            if (rows.table().isPublic()) {
              run("INSERT INTO " + name(rows.table()) + " FROM " + all(rows.table()));
            }
          }
        }
      } catch (SQLException e) {
        throw new IllegalStateException("made-up rows do not fit: " + e.getMessage(), e);
      }
      now = Optional.of(data.empty());
    }

    void go(DatabaseState state) {
      DatabaseState from = now.orElseThrow();
      try {
        for (int t = 0; t < data.tables().size(); t++) {
          Table table = data.tables().get(t).table();
          BitSet come = (BitSet) state.alive().get(t).clone();
          come.andNot(from.alive().get(t));
          BitSet leave = (BitSet) from.alive().get(t).clone();
          leave.andNot(state.alive().get(t));
          if (!come.isEmpty()) {
            run("INSERT INTO " + name(table) + " FROM " + all(table) + where(come));
          }
          if (!leave.isEmpty()) {
            run("DELETE FROM " + name(table) + where(leave));
          }
        }
      } catch (SQLException e) {
        throw new IllegalStateException("a made-up state cannot be reached: " + e.getMessage(), e);
      }
      now = Optional.of(state);
    }

    private static String where(BitSet rows) {
      return rows.stream()
          .mapToObj(Integer::toString)
          .collect(Collectors.joining(", ", " WHERE " + NUMBER + " IN (", ")"));
    }

    /** What a gateway measures in this state; a table with the same rows is measured once. */
    Metrics metrics() {
      Map<String, TableMetrics> all = new HashMap<>();
      for (int t = 0; t < data.tables().size(); t++) {
        Table table = data.tables().get(t).table();
        BitSet rows = now.orElseThrow().alive().get(t);
        Map<BitSet, TableMetrics> known =
            measured.computeIfAbsent(table.name(), n -> new HashMap<>());
        TableMetrics found = known.get(rows);
        if (found == null) {
          found = measure(table);
          known.put(rows, found);
        }
        all.put(table.name(), found);
      }
      return new Metrics(all, Map.of());
    }

    private TableMetrics measure(Table table) {
      try {
        return measurement.of(table, wanted.get(table.name()), StatementRunner.over(writer));
      } catch (SQLException e) {
        throw new IllegalStateException("made-up rows cannot be measured: " + e.getMessage(), e);
      }
    }

    List<String> stored() {
      return storage.words();
    }

    Database database() {
      return database;
    }

    /** What the database said of failures, for the owner; forgotten then. */
    String said() {
      String words = String.join("; ", said);
      said.clear();
      return words;
    }

    @Override
    public void close() {
      database.close();
      try {
        writer.close();
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /**
   * In which types of the embedded database columns are stored: those that the policy says, or
   * others that are read as them.
   */
  static final class StorageTypes {
    private static final String ZONED = "TIMESTAMP WITH TIME ZONE";

    private final QuerySubject subject;
    private final Map<String, String> others = new LinkedHashMap<>();

    private StorageTypes(QuerySubject subject) {
      this.subject = subject;
    }

    static StorageTypes asDeclared(QuerySubject subject) {
      return new StorageTypes(subject);
    }

    /**
     * Other types wherever there are some. Columns that name rows or people stay as they are:
     * conversions must not make them equal.
     */
    static StorageTypes otherwise(QuerySubject subject) {
      StorageTypes storage = new StorageTypes(subject);
      Set<String> naming = subject.naming();
      for (Table table : subject.policy().tables().values()) {
        for (ColumnSpec column : table.columns()) {
          String name = name(table, column);
          if (column.nullable() && subject.reads(table, column) && !naming.contains(name)) {
            other(column.type()).ifPresent(type -> storage.others.put(name, type));
          }
        }
      }
      return storage;
    }

    private static Optional<String> other(Type type) {
      return switch (type.kind()) {
        case SMALLINT -> Optional.of("UTINYINT");
        case DECIMAL ->
            Optional.of("HUGEINT").filter(h -> type.scale() == 0 && type.precision() == 38);
        case DOUBLE -> Optional.of("FLOAT");
        case TIMESTAMP -> Optional.of(ZONED);
        case BOOLEAN,
            INTEGER,
            BIGINT,
            VARCHAR,
            DATE,
            TIME,
            INTERVAL_MONTHS,
            INTERVAL_MICROS,
            UUID,
            OPAQUE,
            NULL ->
            Optional.empty();
      };
    }

    private static String name(Table table, ColumnSpec column) {
      return table.name() + "." + column.name();
    }

    QuerySubject subject() {
      return subject;
    }

    boolean isAsDeclared() {
      return others.isEmpty();
    }

    /** The type of a column in CREATE TABLE. */
    String typeName(Table table, ColumnSpec column) {
      return others.getOrDefault(name(table, column), SqlValues.typeName(column.type()));
    }

    /** A value as it is stored; NULL when the other type does not have it. */
    String value(Table table, ColumnSpec column, String value) {
      String type = others.get(name(table, column));
      if (type == null) {
        return value;
      }
      String converted = "TRY(CAST(" + value + " AS " + type + "))";
      // The last moments are of no zone but this one.
      String zoned = "TRY(CAST(CAST(" + value + " AS VARCHAR) || '+00' AS " + type + "))";
      return type.equals(ZONED) ? "COALESCE(" + zoned + ", " + converted + ")" : converted;
    }

    /** What is stored otherwise than the policy says, in words. */
    List<String> words() {
      return others.entrySet().stream()
          .map(e -> e.getKey() + " is stored as " + e.getValue())
          .toList();
    }
  }
}
