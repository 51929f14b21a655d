package flexdp.server.engine;

import flexdp.budget.Account;
import flexdp.document.DocumentNode;
import flexdp.failure.ConfigurationError.Code;
import flexdp.failure.LedgerError;
import flexdp.gateway.AdminJson;
import flexdp.gateway.FlexDp;
import flexdp.gateway.Setup;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.ErrorTarget;
import flexdp.gateway.api.Explanation;
import flexdp.gateway.api.ParameterizedQuery;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryOptions.NoiseLimit;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.api.ThresholdQuery;
import flexdp.gateway.api.ThresholdQuery.ThresholdView;
import flexdp.gateway.api.Workload;
import flexdp.gateway.api.Workload.WorkloadExplanation;
import flexdp.gateway.api.Workload.WorkloadView;
import flexdp.gateway.database.CancellationToken;
import flexdp.gateway.files.TextFiles.PolicyFiles;
import flexdp.gateway.json.AnalyzeRequest;
import flexdp.gateway.ledger.Audit;
import flexdp.gateway.ledger.Balance;
import flexdp.gateway.ledger.FailedQuestion;
import flexdp.gateway.ledger.Ledger.FailureCount;
import flexdp.gateway.ledger.entry.ChargeRequest;
import flexdp.gateway.ledger.entry.LedgerEvent;
import flexdp.gateway.pause.Breaker;
import flexdp.gateway.watch.Watches;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import flexdp.policy.Type;
import flexdp.query.DpQuery;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A policy's gateway, with everything that stands beside the policy. */
public final class GatewayEngine implements Engine, AdminApi {
  private final String name;
  private final FlexDp flexdp;
  private final AdminJson desk;
  private final String policyHash;
  private final Optional<Instant> measured;

  private GatewayEngine(String name, String policyHash, FlexDp flexdp) {
    this.name = name;
    this.policyHash = policyHash;
    this.flexdp = flexdp;
    this.desk = flexdp.desk();
    this.measured = flexdp.measured();
  }

  /**
   * Opens the policy's database, metrics and ledger.
   *
   * @param chosen the ledger, when it is not the one beside the policy
   * @throws flexdp.failure.Failure when one of them cannot be used
   */
  public static GatewayEngine open(Path file, Optional<String> chosen, Duration timeout) {
    return open(file, chosen, timeout, Breaker.PATIENCE);
  }

  /**
   * Opens a policy whose databases are waited for.
   *
   * @param patience how long questions wait for a server that is away
   */
  public static GatewayEngine open(
      Path file, Optional<String> chosen, Duration timeout, Duration patience) {
    Setup setup = Setup.of(file).timeout(timeout).patience(patience);
    // Before it is read: a file that is written meanwhile is taken again.
    String hash = hashOf(file);
    return new GatewayEngine(nameOf(file), hash, chosen.map(setup::ledger).orElse(setup).open());
  }

  private static String hashOf(Path file) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
      return HexFormat.of().formatHex(hash).substring(0, 16);
    } catch (IOException e) {
      return ""; // whoever opens it says what is wrong
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Of the file that the policy was read from: servers that share a ledger should agree. */
  public String policyHash() {
    return policyHash;
  }

  /** When the data were measured: another thing on which such servers should agree. */
  public Optional<Instant> measured() {
    return measured;
  }

  /** The name of a policy's file without its ending. */
  public static String nameOf(Path policy) {
    return new PolicyFiles(policy).name();
  }

  /** Whether what the database rests on is what it was when it was opened. */
  public boolean stands() {
    return flexdp.stands();
  }

  /** Whether the database can be reached, without asking it anything about the data. */
  public boolean isReachable() {
    return flexdp.isReachable();
  }

  /** Whether nothing was ever charged: the budget is whole. */
  public boolean isNew() {
    return flexdp.ledger().isNew();
  }

  /** What keeps the ledger from taking charges now. */
  public Optional<LedgerError> fault() {
    return flexdp.ledger().fault();
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Policy policy() {
    return flexdp.policy();
  }

  @Override
  public ParameterizedQuery prepare(
      String sql, Map<String, Type> declared, QuerySettings querySettings) {
    return flexdp.prepare(request(sql, querySettings), declared);
  }

  @Override
  public List<DpQuery.ResultColumn> columns(
      String sql, List<Object> values, QuerySettings querySettings) {
    return flexdp.columns(request(sql, values, querySettings));
  }

  @Override
  public AnalystView ask(
      String sql,
      List<Object> values,
      QuerySettings querySettings,
      CancellationToken cancellation) {
    // Bars have no place in a result of the protocol, but notes about them have.
    return flexdp.ask(request(sql, values, querySettings).withIntervals(true), cancellation);
  }

  @Override
  public Explanation explain(String sql, List<Object> values, QuerySettings querySettings) {
    return flexdp.explain(request(sql, values, querySettings));
  }

  @Override
  public AnalystView ask(QueryRequest ask, CancellationToken cancellation) {
    return flexdp.ask(ask, cancellation);
  }

  @Override
  public Explanation explain(QueryRequest ask) {
    return flexdp.explain(ask);
  }

  @Override
  public WorkloadView ask(Workload workload, QueryRequest ask, CancellationToken cancellation) {
    return flexdp.ask(workload, ask, cancellation);
  }

  @Override
  public WorkloadExplanation explain(Workload workload, QueryRequest ask) {
    return flexdp.explain(workload, ask);
  }

  @Override
  public ThresholdView ask(Workload workload, QueryRequest ask, ThresholdQuery above) {
    return flexdp.ask(workload, ask, above);
  }

  @Override
  public <T> T watching(Function<Watches, T> work) {
    return work.apply(flexdp.watches());
  }

  @Override
  public boolean isFree(QueryRequest ask) {
    return flexdp.isFree(ask);
  }

  @Override
  public QueryRequest parse(QueryRequest ask, Map<String, ?> values) {
    return flexdp.parse(ask, values);
  }

  /** Values have been read as the types that the client was told. */
  private QueryRequest request(String sql, List<Object> values, QuerySettings querySettings) {
    QueryRequest ask = request(sql, querySettings);
    return values.isEmpty()
        ? ask
        : ask.with(number -> values.get(Integer.parseInt(number) - 1), flexdp.policy().dialect());
  }

  private static QueryRequest request(String sql, QuerySettings querySettings) {
    DocumentNode mechanism =
        DocumentNode.root(Map.of("mechanism", querySettings.mechanism()), Code.BAD_REQUEST)
            .entries()
            .get("mechanism");
    QueryOptions options =
        new QueryOptions(
                AnalyzeRequest.choice(mechanism),
                querySettings.epsilon(),
                querySettings.delta(),
                Optional.empty())
            .proposing(querySettings.propose())
            .limited(querySettings.noiseLimit().map(NoiseLimit::parse))
            .with(querySettings.ranges());
    QueryRequest ask =
        new QueryRequest(sql, options, querySettings.analyst(), Set.of(), querySettings.fresh());
    return querySettings.within().map(ErrorTarget::parse).map(ask::within).orElse(ask);
  }

  @Override
  public List<Balance> budget(String analyst) {
    Set<Account> accounts = new TreeSet<>();
    policy().tables().values().stream()
        .filter(Table::isProtected)
        .forEach(t -> t.units().forEach(unit -> accounts.add(Account.of(unit))));
    policy()
        .privacy()
        .accounts()
        .rolesOf(analyst)
        .forEach(role -> accounts.add(new Account.Role(role)));
    accounts.add(new Account.Analyst(analyst));
    return accounts.stream().map(flexdp.ledger()::standing).map(Balance::withoutParts).toList();
  }

  @Override
  public List<Charge> history(Optional<String> analyst) {
    Map<Long, Charge> charges = new LinkedHashMap<>();
    flexdp
        .ledger()
        .read(
            entry -> {
              if (entry.event() instanceof LedgerEvent.Reserved reserved) {
                ChargeRequest request = reserved.request();
                if (analyst.map(request.analyst()::equals).orElse(true)) {
                  charges.put(entry.seq(), charge(entry.seq(), entry.at(), request, "open"));
                }
              } else if (entry.event() instanceof LedgerEvent.Settled settled) {
                charges.computeIfPresent(
                    settled.reservation(), (seq, c) -> ended(c, settled.outcome().word()));
              }
            });
    return List.copyOf(charges.values());
  }

  /** A table as the policy and analysts write it, not as the database quotes it. */
  private String written(String table) {
    String plain = table.replace("\"", "");
    String last = plain.substring(plain.lastIndexOf('.') + 1);
    return policy().tables().containsKey(plain)
        ? plain
        : policy().tables().containsKey(last) ? last : table;
  }

  private Charge charge(long seq, Instant at, ChargeRequest request, String outcome) {
    return new Charge(
        seq,
        at,
        request.analyst(),
        request.query(),
        request.tables().stream().map(this::written).collect(Collectors.toUnmodifiableSet()),
        request.mechanism(),
        request.cost().epsilon(),
        request.cost().delta(),
        outcome);
  }

  private static Charge ended(Charge c, String outcome) {
    return new Charge(
        c.seq(),
        c.at(),
        c.analyst(),
        c.query(),
        c.tables(),
        c.mechanism(),
        c.epsilon(),
        c.delta(),
        outcome);
  }

  @Override
  public String analyze(Object request) {
    return desk.analyze(request);
  }

  @Override
  public String metrics() {
    return desk.metrics();
  }

  @Override
  public List<Balance> budgets(Set<String> analysts) {
    Set<Account> accounts = new TreeSet<>();
    analysts.stream().map(Account.Analyst::new).forEach(accounts::add);
    policy().tables().values().stream()
        .filter(Table::isProtected)
        .forEach(t -> t.units().forEach(unit -> accounts.add(Account.of(unit))));
    policy().privacy().accounts().roles().keySet().stream()
        .map(Account.Role::new)
        .forEach(accounts::add);
    policy().privacy().accounts().analysts().keySet().stream()
        .filter(analyst -> !analyst.equals(Policy.Accounts.ANYBODY))
        .map(Account.Analyst::new)
        .forEach(accounts::add);
    return flexdp.ledger().standings(accounts);
  }

  @Override
  public Balance grant(
      Account account, BigDecimal epsilon, BigDecimal delta, String by, String note) {
    flexdp.ledger().grant(account, epsilon, delta, by, note);
    return flexdp.ledger().standing(account);
  }

  @Override
  public Audit audit() {
    return Audit.of(flexdp.ledger());
  }

  @Override
  public String ledger() {
    return flexdp.ledger().id();
  }

  @Override
  public Map<String, FailureCount> failures() {
    return flexdp.ledger().failures();
  }

  @Override
  public List<FailedQuestion> failed() {
    return FailedQuestion.of(flexdp.ledger());
  }

  @Override
  public void clearFailures(Optional<String> analyst, String by, String note) {
    flexdp.ledger().clearFailures(analyst, by, note);
  }

  @Override
  public void close() {
    flexdp.close();
  }
}
