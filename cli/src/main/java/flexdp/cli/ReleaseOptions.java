package flexdp.cli;

import flexdp.budget.Allowances;
import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.FlexDp;
import flexdp.gateway.Setup;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.catalog.Connector;
import flexdp.gateway.catalog.PhysicalCatalog;
import flexdp.gateway.catalog.TableIdentities;
import flexdp.gateway.collect.CollectedMetrics;
import flexdp.gateway.collect.ColumnNames;
import flexdp.gateway.collect.MetricsFile.ReleasedTable;
import flexdp.gateway.collect.MetricsPublication;
import flexdp.gateway.collect.RequiredFrequencies;
import flexdp.gateway.database.Connectors;
import flexdp.gateway.ledger.Ledger;
import flexdp.gateway.ledger.LedgerPlace;
import flexdp.metrics.ContributionProfile;
import flexdp.metrics.TruncatedTables;
import flexdp.noise.PrivacyParameters;
import flexdp.plan.MetricRelease.Kind;
import flexdp.plan.MetricRelease.Metric;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** What of the metrics is made public, and at what price. */
final class ReleaseOptions {
  @Option(
      names = "--release",
      description = "Also make metrics public, with noise; charged to the budget of their tables.")
  boolean release;

  @Option(
      names = "--release-epsilon",
      paramLabel = "E",
      description = "What the release costs each table (default: a tenth of its budget).")
  BigDecimal epsilon;

  @Option(
      names = "--release-delta",
      paramLabel = "D",
      description = "How probably some bound is too low (default: a tenth of the budget's).")
  BigDecimal delta;

  @Option(
      names = "--only",
      paramLabel = "LIST",
      description =
          "Release the max frequencies of these columns only, since noise grows with their number"
              + " (default: all that look like join keys and that no declaration bounds).")
  List<String> only = List.of();

  @Option(
      names = "--release-with-null",
      paramLabel = "LIST",
      description = "Release max frequencies that count NULL as a value, as windows need them.")
  List<String> withNull = List.of();

  @Option(
      names = "--profiles",
      description =
          "With --only and the like: release profiles of people too, as --release does by itself.")
  boolean profiles;

  @Option(
      names = "--release-rows",
      paramLabel = "TABLE",
      split = ",",
      description = "Release the row counts of these tables.")
  List<String> rows = List.of();

  @Option(
      names = "--ledger",
      paramLabel = "FILE|URL",
      description = "The ledger, when it is not NAME.ledger beside the policy.")
  Optional<String> ledger = Optional.empty();

  /** Whether ranges are released, and no metrics. */
  boolean rangesAlone;

  boolean isAsked() {
    boolean more =
        profiles || epsilon != null || delta != null || !chosen(only, withNull).isEmpty();
    if (!release && (more || !rows.isEmpty())) {
      throw ConfigurationError.of(
          Code.BAD_USAGE, "nothing is released without --release", "Add --release.");
    }
    return release;
  }

  private static List<String> chosen(List<String> one, List<String> two) {
    List<String> both = new ArrayList<>(one);
    both.addAll(two);
    return both;
  }

  /** Everything that is to be released must be measured. */
  List<ColumnNames> named(Policy policy) {
    isAsked();
    return chosen(only, withNull).stream()
        .flatMap(list -> ColumnNames.parse(list, policy).stream())
        .toList();
  }

  Map<String, ReleasedTable> publish(
      Path policyFile,
      Policy policy,
      CollectedMetrics collected,
      TableIdentities tables,
      boolean releasedBefore,
      MetricsPublication.Keeper keeper)
      throws IOException {
    List<Metric> choice = choice(policy, collected);
    if (choice.isEmpty() && isOfPeople(policy)) {
      keeper.keep(Map.of());
      return Map.of();
    }
    PrivacyParameters whole = privacy(policy);
    PrivacyParameters privacy =
        isOfPeople(policy) ? new PrivacyParameters(each(policy, false), whole.delta()) : whole;
    if (!collected.isOfFixedState()) {
      refuse(policy, choice);
    }
    LedgerPlace place = LedgerPlace.of(policyFile, ledger);
    try (Ledger open = place.open(Allowances.of(policy), releasedBefore)) {
      return MetricsPublication.secure(policy, open, tables)
          .publish(collected, choice, privacy, LedgerOptions.owner(), keeper);
    }
  }

  /**
   * A release promises nothing of other data, so one that could never be used is not sold; and
   * nothing is measured for it.
   */
  void refuseUseless(Policy policy, RequiredFrequencies wanted, Connection connection)
      throws SQLException {
    Connector connector = Connectors.of(connection);
    if (!release || rangesAlone || connector.version(connection).isPresent()) {
      return;
    }
    PhysicalCatalog catalog =
        PhysicalCatalog.of(policy, connector, connector.tables(connection, policy));
    refuse(policy, named(policy, () -> MetricsPublication.usual(policy, wanted, catalog)));
  }

  private static void refuse(Policy policy, List<Metric> choice) {
    List<String> changing =
        choice.stream()
            .map(Metric::table)
            .distinct()
            .filter(t -> policy.table(t).filter(table -> mayChange(table, policy)).isPresent())
            .toList();
    if (!changing.isEmpty()) {
      throw ConfigurationError.of(
          Code.BAD_USAGE,
          "released metrics hold for the data they are released from, and nothing says that "
              + changing.stream().map(t -> "'" + t + "'").collect(Collectors.joining(", "))
              + (changing.size() == 1 ? " stays as it is" : " stay as they are"),
          "If so between two runs of collect, write static: true under each in the policy; or"
              + " insertsAtMost: N if at most N rows are added. Where people own the rows, write"
              + " static: true under all tables on the way to them.");
    }
  }

  /** Which rows of a person are read follows from all of hers, and from those on the way to her. */
  private static boolean mayChange(Table table, Policy policy) {
    return TruncatedTables.rows(table).isPresent()
        ? !TruncatedTables.isStatic(table, policy)
        : table.insertsAtMost().isEmpty();
  }

  /** Whether profiles of people are released: unless something else is named, where there are. */
  boolean isOfPeople(Policy policy) {
    boolean named = !only.isEmpty() || !withNull.isEmpty() || !rows.isEmpty();
    boolean owned =
        policy.tables().values().stream().anyMatch(t -> t.ownership().owners().size() == 1);
    return release && (profiles || !named && owned);
  }

  /** What profiles cost: all that is released where they are alone, or half of it. */
  private BigDecimal each(Policy policy, boolean alone) {
    BigDecimal all = privacy(policy).epsilon();
    return alone ? all : all.divide(BigDecimal.TWO);
  }

  /** Releases profiles with what metrics have left of ε. */
  List<ContributionProfile> publishProfiles(Setup setup, Policy policy, boolean alone) {
    try (FlexDp flexdp = setup.open()) {
      return flexdp.releaseProfiles(
          new QueryRequest("", QueryOptions.DEFAULT, LedgerOptions.owner(), Set.of())
              .at(each(policy, alone)));
    }
  }

  private List<Metric> choice(Policy policy, CollectedMetrics collected) {
    return named(policy, () -> MetricsPublication.usual(policy, collected.metrics()));
  }

  private List<Metric> named(Policy policy, Supplier<List<Metric>> usual) {
    if (only.isEmpty() && withNull.isEmpty() && rows.isEmpty()) {
      return usual.get();
    }
    List<Metric> choice = new ArrayList<>();
    metrics(choice, only, Kind.MAX_FREQUENCY, policy);
    metrics(choice, withNull, Kind.MAX_FREQUENCY_WITH_NULL, policy);
    rows.forEach(table -> choice.add(Metric.rows(table.strip())));
    return choice;
  }

  private static void metrics(List<Metric> into, List<String> lists, Kind kind, Policy policy) {
    for (String list : lists) {
      ColumnNames.parse(list, policy)
          .forEach(names -> into.add(new Metric(names.table(), kind, names.columns())));
    }
  }

  /** Whether metrics are named that are to be released. */
  boolean namesMetrics() {
    return !only.isEmpty() || !withNull.isEmpty() || !rows.isEmpty();
  }

  /** What a release costs each table, and each kind of people. */
  BigDecimal epsilon(Policy policy) {
    return Optional.ofNullable(epsilon)
        .or(() -> policy.privacy().budget().map(b -> b.epsilon().movePointLeft(1)))
        .orElseThrow(() -> missing("--release-epsilon"));
  }

  private PrivacyParameters privacy(Policy policy) {
    Optional<Policy.Budget> budget = policy.privacy().budget();
    try {
      return new PrivacyParameters(
          epsilon(policy),
          Optional.ofNullable(delta)
              .or(() -> budget.map(b -> b.delta().movePointLeft(1)))
              .orElseThrow(() -> missing("--release-delta")));
    } catch (IllegalArgumentException e) {
      throw ConfigurationError.of(Code.BAD_USAGE, e.getMessage());
    }
  }

  private static ConfigurationError missing(String option) {
    return ConfigurationError.of(
        Code.BAD_USAGE, "the policy has no budget to take a tenth of", "Give " + option + ".");
  }
}
