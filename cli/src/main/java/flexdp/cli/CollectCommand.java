package flexdp.cli;

import flexdp.budget.Allowances;
import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.failure.DatabaseError;
import flexdp.gateway.FlexDp;
import flexdp.gateway.Setup;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.catalog.ChangeLog;
import flexdp.gateway.catalog.Connector;
import flexdp.gateway.catalog.PhysicalCatalog;
import flexdp.gateway.catalog.TableIdentities;
import flexdp.gateway.collect.CapAdvice;
import flexdp.gateway.collect.CollectedMetrics;
import flexdp.gateway.collect.Collector;
import flexdp.gateway.collect.ColumnNames;
import flexdp.gateway.collect.EnforcedKeys;
import flexdp.gateway.collect.MetricsFile;
import flexdp.gateway.collect.MetricsFile.ReleasedTable;
import flexdp.gateway.collect.MetricsPublication;
import flexdp.gateway.collect.PartFile;
import flexdp.gateway.collect.RequiredFrequencies;
import flexdp.gateway.collect.TrackedTables;
import flexdp.gateway.database.Connectors;
import flexdp.gateway.database.Databases;
import flexdp.gateway.files.TextFiles;
import flexdp.gateway.ledger.KnownLedger;
import flexdp.gateway.ledger.LedgerPlace;
import flexdp.gateway.policydraft.PolicySuggestions;
import flexdp.metrics.ContributionProfile;
import flexdp.metrics.MaxFrequency;
import flexdp.metrics.TableMetrics;
import flexdp.plan.MechanismChoice;
import flexdp.policy.Policy;
import java.io.IOException;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures a database; the result is private. */
@Command(
    name = "collect",
    description = "Measure row counts and max frequencies of a database (owner).",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExample:%n",
    footer = {
      "  flexdp collect --policy rides.yaml \\",
      "    --columns \"trips.(driver_id, city_id), users.*\"",
      "",
      "  flexdp collect --policy rides.yaml --release --release-epsilon 0.5 \\",
      "    --only \"trips.driver_id, trips.rider_id\"",
      "",
      "  flexdp collect --policy rides.yaml --triggers    # keeps metrics current",
      "",
      "  flexdp collect --policy rides.yaml --advise-caps --advise-epsilon 0.2",
      "",
      "  flexdp collect --policy rides.yaml --release --ranges trips.tip --release-epsilon 0.2",
      "",
      "The metrics are private: they stand in NAME.metrics.json (mode 600) beside the policy.",
      "What is released is public and stands by itself in NAME.released.json too."
    })
final class CollectCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Mixin DatabaseOptions options;

  @Option(
      names = "--metrics",
      paramLabel = "FILE",
      description = "Where to write; otherwise NAME.metrics.json beside the policy.")
  Path metrics;

  @Option(
      names = "--columns",
      paramLabel = "LIST",
      description =
          "More to measure than the declared keys and references:"
              + " table.column, table.(column,column), table.*")
  List<String> columns = List.of();

  @Option(
      names = "--wanted",
      paramLabel = "FILE",
      description = "More of the same, one in a line, such as what rejected queries asked for.")
  Path wanted;

  @Option(
      names = "--keep-released",
      description = "Keep what was released earlier: you vouch that the data have not changed.")
  boolean keepReleased;

  @Mixin ReleaseOptions release;

  @Mixin TriggerOptions triggers;

  @Mixin CapOptions caps;

  @Mixin RangeOptions ranges;

  /** Whether metrics were released before. */
  private boolean metricsBefore;

  @Override
  public Integer call() {
    caps.check(ranges.advise);
    ranges.check(release);
    Policy policy = options.read();
    if (ranges.isRelease(release)) {
      ranges.all(policy, release.epsilon(policy));
      release.rangesAlone = !release.namesMetrics();
    }
    if (ranges.advise) {
      ranges.all(policy, caps.epsilon(policy));
    }
    Path file = metrics == null ? MetricsFile.beside(options.policy) : metrics;
    RequiredFrequencies all =
        RequiredFrequencies.of(policy).and(named(policy)).and(release.named(policy));
    boolean before = Files.exists(MetricsFile.releasedBeside(file));
    metricsBefore = before && MetricsFile.hasReleased(file, policy);
    Map<String, ReleasedTable> kept =
        keepReleased ? MetricsFile.read(file, policy).released() : Map.of();
    PrintWriter err = spec.commandLine().getErr();
    triggers.run(options.url(policy), policy, all, err);
    if (triggers.isRemoval()) {
      return 0;
    }
    PartFile parts = new PartFile(file, policy);
    CollectedMetrics collected;
    TableIdentities tables;
    Policy counting;
    try (Connection connection = options.open(policy);
        ProgressLine progress = ProgressLine.onTerminal(err)) {
      counting = counting(policy, file, connection, err);
      release.refuseUseless(counting, all, connection);
      collected =
          new Collector(policy, all, progress, parts, Clock.systemUTC())
              .collect(connection)
              .with(MetricsFile.found(file, policy));
      suggest(policy, connection);
      tables = TableIdentities.of(policy, Connectors.of(connection), connection);
    } catch (SQLException e) {
      throw options.failed("it was being measured", e);
    } catch (DatabaseError e) {
      throw options.logged(e);
    }
    Optional<KnownLedger> known = MetricsFile.ledger(file);
    LedgerPlace place = LedgerPlace.of(options.policy, release.ledger);
    // An older ledger is refused before the charge of a release, and looked at again after it.
    place.begun(Allowances.of(policy), known);
    Supplier<KnownLedger> ledger = () -> place.begun(Allowances.of(policy), known);
    Map<String, ReleasedTable> both = new HashMap<>(kept);
    MetricsPublication.Keeper keeper =
        fresh -> {
          both.putAll(fresh);
          write(file, policy, collected, both, ledger.get(), before);
          parts.delete();
        };
    try {
      if (release.isAsked() && !release.rangesAlone) {
        Map<String, ReleasedTable> fresh =
            release.publish(options.policy, counting, collected, tables, before, keeper);
        CollectedText.released(spec.commandLine().getOut(), policy, fresh);
        if (release.isOfPeople(counting)) {
          Setup setup = CapOptions.setup(options.policy, options.database, file, release.ledger);
          CollectedText.profiles(
              spec.commandLine().getOut(),
              release.publishProfiles(setup, counting, fresh.isEmpty()));
        }
      } else {
        keeper.keep(Map.of());
        CollectedText.measured(spec.commandLine().getOut(), policy, collected);
      }
    } catch (IOException e) {
      throw ConfigurationError.of(Code.BAD_USAGE, "the file " + file + " cannot be written");
    }
    err.println("collect: written to " + file + " (private)");
    Setup setup = CapOptions.setup(options.policy, options.database, file, release.ledger);
    PrintWriter out = spec.commandLine().getOut();
    caps.run(setup, policy, all, out, err);
    if (ranges.advise) {
      ranges.advise(setup, policy, caps.epsilon(policy), out, err);
    } else if (ranges.isRelease(release)) {
      release(setup, policy, file, collected, both, ledger, err);
    }
    return 0;
  }

  private void release(
      Setup setup,
      Policy policy,
      Path file,
      CollectedMetrics collected,
      Map<String, ReleasedTable> metrics,
      Supplier<KnownLedger> ledger,
      PrintWriter err) {
    try {
      ranges.release(
          setup,
          policy,
          release.epsilon(policy),
          collected.metrics().found(),
          found -> write(file, policy, collected.with(found), metrics, ledger.get(), false),
          spec.commandLine().getOut(),
          err);
    } catch (IOException e) {
      throw ConfigurationError.of(Code.BAD_USAGE, "the file " + file + " cannot be written");
    }
  }

  /** A constraint that was dropped is not forgotten by measuring again. */
  private static Policy counting(Policy policy, Path file, Connection connection, PrintWriter err)
      throws SQLException {
    Connector connector = Connectors.of(connection);
    PhysicalCatalog catalog =
        PhysicalCatalog.of(policy, connector, connector.tables(connection, policy));
    Policy counting = EnforcedKeys.counting(policy, MetricsFile.enforced(file), catalog);
    EnforcedKeys.unenforced(policy, catalog).forEach(line -> err.println("collect: " + line));
    return counting;
  }

  /** What the database enforces and the policy leaves unsaid makes answers better. */
  private void suggest(Policy policy, Connection connection) throws SQLException {
    Connector connector = Connectors.of(connection);
    PhysicalCatalog catalog =
        PhysicalCatalog.of(policy, connector, connector.tables(connection, policy));
    for (String suggestion : PolicySuggestions.of(policy, catalog)) {
      spec.commandLine().getErr().println("collect: the policy could say: " + suggestion);
    }
  }

  private void write(
      Path file,
      Policy policy,
      CollectedMetrics collected,
      Map<String, ReleasedTable> released,
      KnownLedger ledger,
      boolean before)
      throws IOException {
    Path publicFile = MetricsFile.releasedBeside(file);
    MetricsFile.write(file, policy, collected, released, Optional.of(ledger));
    boolean profiles = !MetricsFile.profiles(publicFile).isEmpty();
    if (!released.isEmpty() || profiles || !collected.metrics().found().isEmpty()) {
      MetricsFile.writeReleased(publicFile, policy, collected, released);
    } else if (before) {
      Files.delete(publicFile);
    }
    if (released.isEmpty() && metricsBefore) {
      spec.commandLine()
          .getErr()
          .println(
              "collect: released metrics hold for the data they were released from, so they are"
                  + " dropped; release again, or vouch with --keep-released that nothing changed");
    }
  }

  private List<ColumnNames> named(Policy policy) {
    List<ColumnNames> names = new ArrayList<>();
    columns.forEach(list -> names.addAll(ColumnNames.parse(list, policy)));
    if (wanted != null) {
      names.addAll(ColumnNames.parse(TextFiles.read(wanted, Code.BAD_USAGE), policy));
    }
    return names;
  }

  /** Caps that could be enforced, found by private questions. */
  static final class CapOptions {
    @Option(
        names = "--advise-caps",
        description =
            "Also propose caps that could be enforced: the size that 99.5 %% of the groups of each"
                + " measured key do not exceed. Private, and charged to the budget of the tables.")
    boolean advise;

    @Option(
        names = "--advise-epsilon",
        paramLabel = "E",
        description =
            "What each proposed cap, or all proposed ranges of a table, cost the table (default: the"
                + " policy's epsilon).")
    BigDecimal epsilon;

    /**
     * @param ranges whether ranges are advised too
     */
    void check(boolean ranges) {
      if (!advise && !ranges && epsilon != null) {
        throw ConfigurationError.of(
            Code.BAD_USAGE,
            "nothing is advised without --advise-caps or --advise-ranges",
            "Add one of them.");
      }
    }

    /** What advice costs. */
    BigDecimal epsilon(Policy policy) {
      return Optional.ofNullable(epsilon)
          .or(policy.privacy()::epsilon)
          .orElseThrow(
              () ->
                  ConfigurationError.of(
                      Code.BAD_USAGE,
                      "no epsilon is given, neither here nor in the policy",
                      "Give one: --advise-epsilon 0.2"));
    }

    void run(
        Setup setup, Policy policy, RequiredFrequencies wanted, PrintWriter out, PrintWriter err) {
      if (!advise) {
        return;
      }
      List<CapAdvice> all = CapAdvice.of(policy, wanted);
      if (all.isEmpty()) {
        err.println(
            "collect: no key could be capped; name some with --columns. A cap takes a protected table"
                + " with a unique key without NULL, and without owners.");
        return;
      }
      try (FlexDp flexdp = setup.open()) {
        for (CapAdvice advice : all) {
          AnalystView view = flexdp.askAsOwner(ask(advice));
          out.println("advice: " + advice.line(view.rows().getFirst().getFirst()));
          err.println(
              "collect: that cost "
                  + advice.table()
                  + " epsilon "
                  + view.epsilon().stripTrailingZeros().toPlainString()
                  + (view.repeat() ? " before, and nothing now" : ""));
        }
        out.flush();
        BigDecimal each = epsilon == null ? policy.privacy().epsilon().orElse(null) : epsilon;
        if (each != null) {
          err.println(
              "collect: a key needs about "
                  + CapAdvice.groupsNeeded(each)
                  + " different values at this epsilon; with fewer, what is proposed is chance");
        }
      }
    }

    private QueryRequest ask(CapAdvice advice) {
      QueryOptions options =
          new QueryOptions(
              MechanismChoice.AUTO,
              Optional.ofNullable(epsilon),
              Optional.empty(),
              Optional.empty());
      return new QueryRequest(advice.sql(), options, LedgerOptions.owner(), Set.of(), false);
    }

    /** Where the metrics, the ledger and the database are. */
    static Setup setup(Path policy, String database, Path metrics, Optional<String> ledger) {
      Setup setup = Setup.of(policy).metrics(metrics).analyst(LedgerOptions.owner());
      Setup there = ledger.map(setup::ledger).orElse(setup);
      return database == null ? there : there.database(database);
    }
  }

  /** Triggers that note changes, the one thing that is ever written to the owner's database. */
  static final class TriggerOptions {
    /** What becomes of them. */
    enum Action {
      install,
      remove
    }

    @Option(
        names = "--triggers",
        arity = "0..1",
        fallbackValue = "install",
        paramLabel = "install|remove",
        description =
            "Install triggers that keep the metrics current while others write, then measure;"
                + " or remove them and measure nothing.")
    Action action;

    boolean isRemoval() {
      return action == Action.remove;
    }

    /** Does what is asked for, if anything is. */
    void run(String url, Policy policy, RequiredFrequencies wanted, PrintWriter err) {
      if (action == null) {
        return;
      }
      try (Connection connection = Databases.writing(url)) {
        Connector connector = Connectors.of(connection);
        ChangeLog log =
            connector
                .changeLog()
                .orElseThrow(
                    () ->
                        ConfigurationError.of(
                            Code.BAD_USAGE,
                            connector.title() + " has no triggers that flexdp could use",
                            "Leave --triggers out: what a question needs is measured when it is"
                                + " asked, or declare the table static in the policy."));
        PhysicalCatalog catalog =
            PhysicalCatalog.of(policy, connector, connector.tables(connection, policy));
        TrackedTables trackedTables = new TrackedTables(connector, catalog, log);
        switch (action) {
          case remove -> {
            trackedTables.remove(policy, connection);
            err.println("collect: the triggers and what they noted are removed");
          }
          case install ->
              trackedTables
                  .install(policy, wanted, connection)
                  .forEach(
                      (table, reason) ->
                          err.println("collect: no triggers on " + table + ": " + reason));
        }
      } catch (SQLException e) {
        throw DatabaseError.of(
            "The triggers could not be written: " + e.getMessage(),
            "It takes the right to create triggers and a schema, and a moment without other writers"
                + " of the table (five seconds are waited for). What was done before stays.");
      }
    }
  }

  /** Metrics for the terminal. */
  static final class CollectedText {
    private CollectedText() {}

    /** Private values, for the owner's eyes. */
    static void measured(PrintWriter out, Policy policy, CollectedMetrics collected) {
      for (String table : policy.tables().keySet()) {
        print(out, table, collected.metrics().table(table));
      }
    }

    /** Public values. */
    static void released(PrintWriter out, Policy policy, Map<String, ReleasedTable> released) {
      for (String table : policy.tables().keySet()) {
        ReleasedTable one = released.get(table);
        if (one != null) {
          print(out, table, one.release().values());
          out.printf(
              "  released for epsilon %s, delta %s%n",
              one.release().epsilon().toPlainString(), one.release().delta());
        }
      }
    }

    /** Public, too: they foretell answers. */
    static void profiles(PrintWriter out, List<ContributionProfile> profiles) {
      BigDecimal sum = BigDecimal.ZERO;
      for (ContributionProfile profile : profiles) {
        out.printf(
            Locale.ROOT,
            "profile of %s%s: about %,.0f people with about %,.0f%s in all%n",
            profile.table(),
            profile.column().map(c -> "." + c).orElse(""),
            profile.count(),
            profile.total(),
            profile.column().isEmpty() ? " rows" : "");
        sum = sum.add(profile.epsilon());
      }
      out.printf(
          "  released for epsilon %s, each its share%n", sum.stripTrailingZeros().toPlainString());
    }

    private static void print(PrintWriter out, String table, TableMetrics metrics) {
      out.println(table + metrics.rows().map(n -> ": " + n + " rows").orElse(""));
      Map<String, MaxFrequency> byName = new TreeMap<>();
      metrics.frequencies().forEach((columns, f) -> byName.put(name(columns), f));
      byName.forEach(
          (name, f) ->
              out.printf(
                  Locale.ROOT,
                  "  %-32s %s%n",
                  name,
                  f.max().map(n -> "at most " + n + " rows share a value").orElse("")
                      + withNull(f.max().isPresent(), f)));
    }

    private static String withNull(boolean follows, MaxFrequency frequency) {
      return frequency
          .maxWithNull()
          .filter(n -> !follows || !n.equals(frequency.max().orElse(BigInteger.ZERO)))
          .map(n -> (follows ? ", " : "at most ") + n + " with NULL as a value")
          .orElse("");
    }

    private static String name(Set<String> columns) {
      return String.join(", ", new TreeSet<>(columns));
    }
  }
}
