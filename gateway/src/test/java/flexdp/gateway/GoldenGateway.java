package flexdp.gateway;

import flexdp.budget.Allowances;
import flexdp.failure.Rejection;
import flexdp.fingerprint.QueryFingerprint;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.catalog.Connector;
import flexdp.gateway.catalog.PhysicalCatalog;
import flexdp.gateway.catalog.PhysicalTable;
import flexdp.gateway.catalog.TableIdentities;
import flexdp.gateway.database.CancellationToken;
import flexdp.gateway.database.Database;
import flexdp.gateway.database.Session;
import flexdp.gateway.database.Session.CellReader;
import flexdp.gateway.engine.QueryEngine;
import flexdp.gateway.engine.SeededGateways;
import flexdp.gateway.json.AnswerJson;
import flexdp.gateway.ledger.Ledger;
import flexdp.gateway.ledger.LedgerOpening;
import flexdp.gateway.livedata.LiveMetrics;
import flexdp.gateway.render.TargetDialect;
import flexdp.metrics.Metrics;
import flexdp.policy.Policy;
import flexdp.policy.Type;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A gateway whose time and noise are always the same, and which remembers what it sends to its
 * database.
 */
final class GoldenGateway implements AutoCloseable {
  private static final Clock NOON =
      Clock.fixed(Instant.parse("2024-07-01T12:00:00Z"), ZoneOffset.UTC);

  private final QueryEngine engine;
  private final Ledger ledger;
  private final int longest;
  private final List<String> sent = new ArrayList<>();
  private SmallRides.Replayed bits = new SmallRides.Replayed(1);

  /**
   * @param longest statement that is written down as it is; of others their beginnings and hashes
   */
  GoldenGateway(Policy policy, Metrics metrics, Database database, int longest) throws IOException {
    this.longest = longest;
    Path file = Files.createTempDirectory("golden").resolve("x.ledger");
    this.ledger =
        new LedgerOpening(Allowances.of(policy), NOON, file.resolveSibling("x.anchor"), false)
            .sqlite(file);
    this.engine =
        SeededGateways.gateway(
            policy,
            LiveMetrics.vouched(policy, metrics),
            "golden",
            new Heard(database, sent::add),
            ledger,
            (what, cause) -> {},
            NOON,
            () -> bits);
  }

  /** From here on, other noise, but the same in every run. */
  private void reseed(String word) {
    bits = new SmallRides.Replayed(word.hashCode());
  }

  /** A question at the policy's ε, with error bars. */
  private static QueryRequest question(String sql) {
    return new QueryRequest(sql, QueryOptions.DEFAULT, "ann", Set.of(), true).withIntervals(true);
  }

  /**
   * What is sent and what is answered.
   *
   * @param statements in their order, by question, and the hash of its answer
   * @param answers by name; those of refused questions are left out
   */
  record Asked(List<String> statements, Map<String, String> answers) {
    Asked() {
      this(new ArrayList<>(), new LinkedHashMap<>());
    }

    /** Answers in full on one database; labels of public tables have another order elsewhere. */
    void check(String suite, String word) throws IOException {
      if (word.equals("duckdb")) {
        List<String> lines = new ArrayList<>();
        answers.forEach((name, answer) -> lines.addAll(List.of("# " + name, answer)));
        Golden.check("golden/" + suite + "-answers", lines);
      }
      Golden.check("golden/" + suite + "-" + word, statements);
    }
  }

  /** Asks, and writes down what is sent, in its order, and the answer as JSON. */
  void ask(String name, String sql, Asked asked) {
    reseed(name);
    sent.clear();
    asked.statements().add("# " + name.replace('\n', ' '));
    try {
      String answer = ordered(AnswerJson.of(engine.ask(question(sql)), true));
      sent.forEach(s -> asked.statements().add(brief(s.replace("\n", "\\n"))));
      // Labels of public tables come in any order, and each has its noise by its place.
      if (sent.stream().noneMatch(s -> s.contains("SELECT DISTINCT"))) {
        asked.answers().put(name.replace('\n', ' '), answer);
        asked.statements().add("answer " + QueryFingerprint.key(answer).substring(0, 16));
      }
    } catch (Rejection e) {
      asked.statements().add("refused " + e.code());
    }
  }

  /** Rows of public tables come as the database gives them, in any order. */
  private static String ordered(String answer) {
    int from = answer.indexOf("\"rows\":[[");
    int to = answer.indexOf("]],\"", from);
    if (!answer.contains("\"mechanism\":\"none\"") || from < 0 || to < 0) {
      return answer;
    }
    from += "\"rows\":[[".length();
    return answer.substring(0, from)
        + Stream.of(answer.substring(from, to).split("\\],\\[", -1))
            .sorted()
            .collect(Collectors.joining("],["))
        + answer.substring(to);
  }

  private String brief(String statement) {
    return statement.length() <= longest
        ? statement
        : statement.substring(0, 120) + " … " + QueryFingerprint.key(statement).substring(0, 32);
  }

  @Override
  public void close() {
    ledger.close();
  }

  private record Heard(Database database, Consumer<String> before) implements Database {
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
      return new HeardSession(database.session(held), before);
    }

    @Override
    public void close() {
      database.close();
    }
  }

  private record HeardSession(Session session, Consumer<String> before) implements Session {
    @Override
    public void run(String sql, RowReader reader) {
      before.accept(sql);
      session.run(sql, reader);
    }

    @Override
    public boolean runWhole(String sql, int most, RowReader reader) {
      boolean whole = session.runWhole(sql, most, reader);
      if (whole) {
        before.accept(sql);
      }
      return whole;
    }

    @Override
    public void heed(CancellationToken cancellation) {
      session.heed(cancellation);
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
}
