package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import flexdp.budget.Account;
import flexdp.budget.Allowances;
import flexdp.failure.ConfigurationError;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.catalog.Connector;
import flexdp.gateway.catalog.PhysicalCatalog;
import flexdp.gateway.catalog.PhysicalTable;
import flexdp.gateway.catalog.TableIdentities;
import flexdp.gateway.collect.CollectedMetrics;
import flexdp.gateway.collect.Collector;
import flexdp.gateway.collect.MetricsFile;
import flexdp.gateway.collect.Progress;
import flexdp.gateway.collect.RequiredFrequencies;
import flexdp.gateway.database.Database;
import flexdp.gateway.database.Databases;
import flexdp.gateway.database.ErrorLog;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.database.Session;
import flexdp.gateway.database.Session.CellReader;
import flexdp.gateway.engine.QueryEngine;
import flexdp.gateway.files.YamlText;
import flexdp.gateway.ledger.Ledger;
import flexdp.gateway.ledger.LedgerOpening;
import flexdp.gateway.livedata.LiveMetrics;
import flexdp.gateway.render.TargetDialect;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.policy.Type;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** A gateway over metrics that were collected just now, which stays open while the world moves. */
final class OpenGateway implements AutoCloseable {
  final JdbcDatabase database;
  final Ledger ledger;
  final List<String> log = Collections.synchronizedList(new ArrayList<>());

  /** Runs whenever accounts are about to be bound to tables. */
  volatile Move whileBound = () -> {};

  /** Runs whenever the tables of a state were chosen, and are about to be looked at. */
  volatile Move whileLooked = () -> {};

  private final QueryEngine engine;

  OpenGateway(String url, Policy policy, Path folder) throws SQLException, IOException {
    this(url, policy, folder, () -> {}, () -> {});
  }

  /**
   * @param whileCharged runs whenever a question has just been charged
   * @param whileRead runs whenever the rows of a table are about to be read
   */
  OpenGateway(String url, Policy policy, Path folder, Move whileCharged, Move whileRead)
      throws SQLException, IOException {
    Path file = folder.resolve("x.metrics.json");
    collect(url, policy, file);
    ErrorLog owner = (what, cause) -> log.add(what + ": " + cause);
    try {
      database = JdbcDatabase.open(url, policy, Duration.ofMinutes(10), owner);
    } catch (flexdp.failure.DatabaseError e) {
      throw new AssertionError(log.toString(), e);
    }
    ledger = LedgerOpening.file(folder.resolve("x.ledger"), Allowances.of(policy), false);
    engine =
        new QueryEngine(
            policy,
            LiveMetrics.of(
                policy,
                MetricsFile.read(file, policy),
                database.vendor(),
                database.catalog(),
                database.version()),
            "test",
            new Moving(database, policy, whileRead, () -> whileLooked.make()),
            charging(ledger, whileCharged),
            owner,
            Clock.systemUTC());
  }

  /** What somebody else does meanwhile. */
  @FunctionalInterface
  interface Move {
    void make() throws SQLException;

    default void now() {
      try {
        make();
      } catch (SQLException e) {
        throw new AssertionError(e);
      }
    }
  }

  private Ledger charging(Ledger ledger, Move move) {
    return (Ledger)
        Proxy.newProxyInstance(
            Ledger.class.getClassLoader(),
            new Class<?>[] {Ledger.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("bind")) {
                whileBound.now();
              }
              try {
                Object result = method.invoke(ledger, arguments);
                if (method.getName().equals("reserve")) {
                  move.now();
                }
                return result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** Somebody moves just before rows are read. */
  private record Moving(Database database, Policy policy, Move move, Move looked)
      implements Database {
    @Override
    public TargetDialect dialect() {
      return database.dialect();
    }

    @Override
    public PhysicalCatalog catalog() {
      return database.catalog();
    }

    @Override
    public TableIdentities identities() {
      return database.identities();
    }

    @Override
    public Duration timeout() {
      return database.timeout();
    }

    @Override
    public Connector vendor() {
      return database.vendor();
    }

    @Override
    public Optional<String> version() {
      return database.version();
    }

    @Override
    public Session session(Collection<PhysicalTable> held) {
      return new Watched(database.session(held), this::moved);
    }

    private void moved(String sql) {
      if (sql.contains("FROM pg_catalog.pg_class c WHERE c.oid = ANY")) {
        looked.now();
      } else if (policy.tables().values().stream()
          .anyMatch(t -> sql.contains("FROM " + catalog().table(t)))) {
        move.now();
      }
    }

    @Override
    public void close() {
      database.close();
    }
  }

  private record Watched(Session session, Consumer<String> before) implements Session {
    @Override
    public void run(String sql, RowReader reader) {
      before.accept(sql);
      session.run(sql, reader);
    }

    @Override
    public CellReader value(ResultSet row, int index, Type type) {
      return session.value(row, index, type);
    }

    @Override
    public Optional<BigDecimal> number(ResultSet row, int index) {
      return session.number(row, index);
    }

    @Override
    public void close() {
      session.close();
    }
  }

  static void collect(String url, Policy policy, Path file) throws SQLException, IOException {
    try (Connection connection = Databases.readOnly(url)) {
      CollectedMetrics collected =
          new Collector(policy, RequiredFrequencies.of(policy), Progress.NONE, Clock.systemUTC())
              .collect(connection);
      MetricsFile.write(file, policy, collected, Map.of());
    }
  }

  static Policy policy(String yaml) {
    return PolicyReader.read(YamlText.tree(yaml, ConfigurationError.Code.BAD_POLICY));
  }

  static void write(Connection connection, String... statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  AnalystView ask(String sql) {
    return engine.ask(new QueryRequest(sql, QueryOptions.DEFAULT, "ann", Set.of(), true));
  }

  void explain(String sql) {
    engine.explain(new QueryRequest(sql, QueryOptions.DEFAULT, "ann", Set.of(), true));
  }

  /** The one number of an answer. */
  long number(String sql) {
    return ((Number) ask(sql).rows().getFirst().getFirst()).longValue();
  }

  /** What a question is refused with; nothing is charged for it. */
  String refused(String sql) {
    String before = spent();
    ConfigurationError error = assertThrows(ConfigurationError.class, () -> ask(sql));
    assertEquals(before, spent());
    return error.message() + " " + error.hint();
  }

  String spent() {
    return ledger.standing(new Account.Table("t")).spent().epsilon().toPlainString();
  }

  @Override
  public void close() {
    ledger.close();
    database.close();
  }
}
