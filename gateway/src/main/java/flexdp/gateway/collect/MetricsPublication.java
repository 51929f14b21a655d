package flexdp.gateway.collect;

import flexdp.budget.Cost;
import flexdp.failure.ConfigurationError;
import flexdp.gateway.catalog.PhysicalCatalog;
import flexdp.gateway.catalog.TableIdentities;
import flexdp.gateway.collect.MetricsFile.ReleasedTable;
import flexdp.gateway.ledger.Ledger;
import flexdp.gateway.ledger.Ledger.Reservation;
import flexdp.gateway.ledger.entry.ChargeOutcome;
import flexdp.gateway.ledger.entry.ChargeRequest;
import flexdp.metrics.MaxFrequency;
import flexdp.metrics.Metrics;
import flexdp.metrics.TableMetrics;
import flexdp.metrics.TruncatedTables;
import flexdp.noise.BitSource;
import flexdp.noise.PrivacyParameters;
import flexdp.noise.SecureBits;
import flexdp.plan.MetricRelease;
import flexdp.plan.MetricRelease.Metric;
import flexdp.plan.MetricRelease.MetricStep;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Policy;
import flexdp.policy.PrivacyUnit;
import flexdp.policy.Table;
import flexdp.policy.Type;
import java.io.IOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Makes metrics public: the charge is on record before a noisy number is drawn, and whatever
 * happens afterwards it stays. The metrics of public tables are public already and cost nothing.
 */
public final class MetricsPublication {
  /** Keeps what was released; when it returns, it is kept. */
  public interface Keeper {
    void keep(Map<String, ReleasedTable> released) throws IOException;
  }

  private final Policy policy;
  private final Ledger ledger;
  private final BitSource source;

  MetricsPublication(Policy policy, Ledger ledger, BitSource source) {
    this.policy = policy;
    this.ledger = ledger;
    this.source = source;
  }

  /**
   * @param tables what the database says that the policy's names are
   */
  public static MetricsPublication secure(Policy policy, Ledger ledger, TableIdentities tables) {
    ledger.bind(tables);
    return secure(policy, ledger);
  }

  /** With a ledger that was told what the tables are. */
  static MetricsPublication secure(Policy policy, Ledger ledger) {
    return new MetricsPublication(policy, ledger, new SecureBits());
  }

  /**
   * What is worth releasing of what was measured: the max frequencies that joins on protected
   * tables are likely to use and that no declaration bounds. Noise grows with their number, so
   * columns of labels, times and measures are left for the owner to name.
   */
  public static List<Metric> usual(Policy policy, Metrics metrics) {
    List<Metric> choice = new ArrayList<>();
    for (Table table : policy.tables().values()) {
      if (table.isProtected()
          && (table.ownership().owners().isEmpty() || TruncatedTables.rows(table).isPresent())) {
        MetricRelease.measured(table.name(), metrics.table(table.name())).stream()
            .filter(m -> m.kind() == MetricRelease.Kind.MAX_FREQUENCY)
            .filter(m -> !isDeclared(table, m.columns()) && !isOwner(table, m.columns()))
            .filter(m -> m.columns().stream().allMatch(c -> looksLikeKey(table, c)))
            .forEach(choice::add);
      }
    }
    return List.copyOf(choice);
  }

  /** What would be chosen of what is wanted, before anything is measured. */
  public static List<Metric> usual(
      Policy policy, RequiredFrequencies wanted, PhysicalCatalog catalog) {
    RequiredFrequencies all = wanted.andForeignKeys(policy, catalog);
    MaxFrequency any = new MaxFrequency(Optional.of(BigInteger.ONE), Optional.of(BigInteger.ONE));
    Map<String, TableMetrics> measured = new HashMap<>();
    for (Table table : policy.tables().values()) {
      Map<Set<String>, MaxFrequency> frequencies = new HashMap<>();
      all.of(table.name()).forEach(set -> frequencies.put(Set.copyOf(set), any));
      measured.put(table.name(), new TableMetrics(Optional.empty(), frequencies));
    }
    return usual(policy, new Metrics(measured, Map.of()));
  }

  private static boolean looksLikeKey(Table table, String name) {
    ColumnSpec column = table.column(name).orElseThrow();
    boolean identifies =
        column.type().isInteger()
            || column.type().kind() == Type.Kind.VARCHAR
            || column.type().kind() == Type.Kind.UUID;
    return column.references().isPresent()
        || identifies && column.domain().isEmpty() && column.range().isEmpty();
  }

  /** Of one person no more rows are read than the policy says. */
  private static boolean isOwner(Table table, Set<String> columns) {
    return table
        .ownership()
        .only()
        .filter(owner -> owner.hops().isEmpty() && columns.contains(owner.column()))
        .filter(owner -> !table.ownership().keepsUnowned())
        .isPresent();
  }

  private static boolean isDeclared(Table table, Set<String> columns) {
    return table.uniqueKeys().stream().anyMatch(columns::containsAll)
        || table.vouched().stream().anyMatch(cap -> columns.containsAll(cap.columns()));
  }

  /**
   * Charges every table and every kind of people in the choice, draws, and keeps.
   *
   * @param by who releases, for the record
   */
  public Map<String, ReleasedTable> publish(
      CollectedMetrics collected,
      List<Metric> choice,
      PrivacyParameters privacy,
      String by,
      Keeper keeper)
      throws IOException {
    Set<String> tables =
        choice.stream().map(Metric::table).collect(Collectors.toCollection(TreeSet::new));
    requireProtected(tables);
    requireMeasured(collected, choice);
    if (privacy.delta().signum() == 0) {
      throw usage("a release of metrics needs a delta above 0", "Give one: --release-delta 1e-9");
    }
    Reservation charge = ledger.reserve(request(collected, choice, privacy, by, tables));
    ChargeOutcome outcome = ChargeOutcome.FAILED;
    try {
      Metrics metrics =
          MetricRelease.release(
              new Metrics(collected.metrics().tables(), Map.of()), choice, privacy, policy, source);
      Map<String, ReleasedTable> released = new LinkedHashMap<>();
      metrics
          .released()
          .forEach(
              (table, release) ->
                  released.put(
                      table,
                      new ReleasedTable(release, collected.snapshot(), collected.measuredAt())));
      keeper.keep(released);
      outcome = ChargeOutcome.RELEASED;
      return released;
    } finally {
      ledger.settle(charge, outcome);
    }
  }

  private void requireProtected(Set<String> tables) {
    if (tables.isEmpty()) {
      throw usage("there is nothing to release", "Name columns with --columns or --only.");
    }
    for (String table : tables) {
      if (policy.table(table).map(Table::isPublic).orElse(false)) {
        throw usage(
            "the table '" + table + "' is public: its metrics need no release", "Leave it out.");
      }
      MetricStep.of(table, policy);
    }
  }

  /** Before the charge, so that a slip costs nothing. */
  private static void requireMeasured(CollectedMetrics collected, List<Metric> choice) {
    for (Metric metric : choice) {
      String table = metric.table();
      if (!MetricRelease.measured(table, collected.metrics().table(table)).contains(metric)) {
        throw usage(metric + " was not measured", "Name its columns with --columns.");
      }
    }
  }

  private static ConfigurationError usage(String message, String hint) {
    return ConfigurationError.of(ConfigurationError.Code.BAD_USAGE, message, hint);
  }

  private ChargeRequest request(
      CollectedMetrics collected,
      List<Metric> choice,
      PrivacyParameters privacy,
      String by,
      Set<String> tables) {
    Set<String> charged = new TreeSet<>();
    for (String table : tables) {
      charged.add(
          switch (MetricStep.of(table, policy).unit()) {
            case PrivacyUnit.Row row -> row.table();
            case PrivacyUnit.Person person -> ChargeRequest.people(person.kind());
            case PrivacyUnit.Any ignored -> throw new IllegalStateException("a step of no table");
          });
    }
    String query =
        "release of " + choice.stream().map(Metric::toString).collect(Collectors.joining(", "));
    Cost cost = Cost.pure(List.of(privacy.epsilon()), privacy.delta());
    return new ChargeRequest(by, Set.of(), query, charged, "released", cost, collected.snapshot());
  }
}
