package flexdp.cli;

import flexdp.budget.Allowances;
import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.failure.DatabaseError;
import flexdp.gateway.Setup;
import flexdp.gateway.catalog.Identities;
import flexdp.gateway.catalog.PhysicalCatalog;
import flexdp.gateway.catalog.Vendor;
import flexdp.gateway.collect.Collected;
import flexdp.gateway.collect.Collector;
import flexdp.gateway.collect.ColumnNames;
import flexdp.gateway.collect.EnforcedKeys;
import flexdp.gateway.collect.MetricsFile;
import flexdp.gateway.collect.MetricsFile.ReleasedTable;
import flexdp.gateway.collect.PartFile;
import flexdp.gateway.collect.Publication;
import flexdp.gateway.collect.Wanted;
import flexdp.gateway.database.Vendors;
import flexdp.gateway.ledger.KnownLedger;
import flexdp.gateway.ledger.LedgerPlace;
import flexdp.gateway.propose.Suggestions;
import flexdp.gateway.text.TextFiles;
import flexdp.policy.Policy;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    Wanted all = Wanted.of(policy).and(named(policy)).and(release.named(policy));
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
    Collected collected;
    Identities tables;
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
      tables = Identities.of(policy, Vendors.of(connection), connection);
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
    Publication.Keeper keeper =
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
      Collected collected,
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
    Vendor vendor = Vendors.of(connection);
    PhysicalCatalog catalog = PhysicalCatalog.of(policy, vendor, vendor.tables(connection, policy));
    Policy counting = EnforcedKeys.counting(policy, MetricsFile.enforced(file), catalog);
    EnforcedKeys.unenforced(policy, catalog).forEach(line -> err.println("collect: " + line));
    return counting;
  }

  /** What the database enforces and the policy leaves unsaid makes answers better. */
  private void suggest(Policy policy, Connection connection) throws SQLException {
    Vendor vendor = Vendors.of(connection);
    PhysicalCatalog catalog = PhysicalCatalog.of(policy, vendor, vendor.tables(connection, policy));
    for (String suggestion : Suggestions.of(policy, catalog)) {
      spec.commandLine().getErr().println("collect: the policy could say: " + suggestion);
    }
  }

  private void write(
      Path file,
      Policy policy,
      Collected collected,
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
}
