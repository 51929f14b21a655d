package flexdp.server.engine;

import flexdp.AnalysisOptions;
import flexdp.ConfigurationError;
import flexdp.ConfigurationError.Code;
import flexdp.budget.Account;
import flexdp.budget.Allowances;
import flexdp.gateway.AnalystView;
import flexdp.gateway.Ask;
import flexdp.gateway.Explanation;
import flexdp.gateway.Gateway;
import flexdp.gateway.Within;
import flexdp.gateway.analyze.AnalyzeRequest;
import flexdp.gateway.collect.MetricsFile;
import flexdp.gateway.database.Database;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.database.OwnerLog;
import flexdp.gateway.ledger.Event;
import flexdp.gateway.ledger.Ledger;
import flexdp.gateway.ledger.LedgerPlace;
import flexdp.gateway.ledger.Request;
import flexdp.gateway.ledger.Standing;
import flexdp.gateway.live.LiveMetrics;
import flexdp.gateway.text.TextFiles;
import flexdp.metrics.Metrics;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.policy.Table;
import flexdp.question.Question;
import flexdp.sensitivity.Rules;
import flexdp.tree.Node;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** A policy's gateway, with everything that stands beside the policy. */
public final class GatewayEngine implements Engine {
  private final String name;
  private final Policy policy;
  private final Gateway gateway;
  private final Database database;
  private final Ledger ledger;

  private GatewayEngine(
      String name, Policy policy, Gateway gateway, Database database, Ledger ledger) {
    this.name = name;
    this.policy = policy;
    this.gateway = gateway;
    this.database = database;
    this.ledger = ledger;
  }

  /**
   * Opens the policy's database, metrics and ledger.
   *
   * @param chosen the ledger, when it is not the one beside the policy
   * @throws flexdp.Failure when one of them cannot be used
   */
  public static GatewayEngine open(Path file, Optional<String> chosen, Duration timeout) {
    Policy policy = PolicyReader.read(TextFiles.tree(file, Code.BAD_POLICY));
    OwnerLog log = OwnerLog.file(file.resolveSibling(nameOf(file) + ".log"));
    Path measured = MetricsFile.beside(file);
    MetricsFile.Content content =
        Files.exists(measured)
            ? MetricsFile.read(measured, policy)
            : new MetricsFile.Content(Metrics.NONE, Map.of(), Map.of());
    String url =
        policy
            .database()
            .orElseThrow(() -> ConfigurationError.of(Code.BAD_POLICY, file + " names no database"));
    Database database = JdbcDatabase.open(url, policy, timeout, log);
    try {
      boolean answered = !content.released().isEmpty();
      Ledger ledger = LedgerPlace.of(file, chosen).open(Allowances.of(policy), answered);
      LiveMetrics live =
          LiveMetrics.of(
              policy, content, database.vendor(), database.catalog(), database.version());
      String states = String.join("; ", new TreeSet<>(content.snapshots().values()));
      String snapshot = states.isEmpty() ? "not measured" : states;
      Gateway gateway =
          new Gateway(policy, live, snapshot, database, ledger, log, Clock.systemDefaultZone());
      return new GatewayEngine(nameOf(file), policy, gateway, database, ledger);
    } catch (RuntimeException e) {
      database.close();
      throw e;
    }
  }

  /** The name of a policy's file without its ending. */
  public static String nameOf(Path policy) {
    return policy.getFileName().toString().replaceFirst("\\.(yaml|yml|json)$", "");
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Policy policy() {
    return policy;
  }

  @Override
  public List<Question.ResultColumn> columns(String sql, Asking asking) {
    return gateway.columns(request(sql, asking));
  }

  @Override
  public AnalystView ask(String sql, Asking asking) {
    return gateway.ask(request(sql, asking));
  }

  @Override
  public Explanation explain(String sql, Asking asking) {
    return gateway.explain(request(sql, asking));
  }

  private static Ask request(String sql, Asking asking) {
    Node mechanism =
        Node.root(Map.of("mechanism", asking.mechanism()), Code.BAD_REQUEST)
            .entries()
            .get("mechanism");
    AnalysisOptions options =
        new AnalysisOptions(
            Rules.FLEXDP,
            AnalyzeRequest.choice(mechanism),
            asking.epsilon(),
            asking.delta(),
            List.of(0L),
            Optional.empty());
    Ask ask = new Ask(sql, options, asking.analyst(), Set.of(), asking.fresh());
    return asking.within().map(Within::parse).map(ask::within).orElse(ask);
  }

  @Override
  public List<Standing> budget(String analyst) {
    Set<Account> accounts = new TreeSet<>();
    policy.tables().values().stream()
        .filter(Table::isProtected)
        .forEach(t -> accounts.add(new Account.Table(t.name())));
    policy
        .privacy()
        .accounts()
        .rolesOf(analyst)
        .forEach(role -> accounts.add(new Account.Role(role)));
    accounts.add(new Account.Analyst(analyst));
    return accounts.stream().map(ledger::standing).toList();
  }

  @Override
  public List<Charge> history(Optional<String> analyst) {
    Map<Long, Charge> charges = new LinkedHashMap<>();
    ledger.read(
        entry -> {
          if (entry.event() instanceof Event.Reserved reserved) {
            Request request = reserved.request();
            if (analyst.map(request.analyst()::equals).orElse(true)) {
              charges.put(entry.seq(), charge(entry.at(), request, "open"));
            }
          } else if (entry.event() instanceof Event.Settled settled) {
            charges.computeIfPresent(
                settled.reservation(), (seq, c) -> ended(c, settled.outcome().word()));
          }
        });
    return List.copyOf(charges.values());
  }

  private static Charge charge(Instant at, Request request, String outcome) {
    return new Charge(
        at,
        request.analyst(),
        request.query(),
        request.tables(),
        request.mechanism(),
        request.cost().epsilon(),
        request.cost().delta(),
        outcome);
  }

  private static Charge ended(Charge c, String outcome) {
    return new Charge(
        c.at(), c.analyst(), c.query(), c.tables(), c.mechanism(), c.epsilon(), c.delta(), outcome);
  }

  @Override
  public void close() {
    ledger.close();
    database.close();
  }
}
