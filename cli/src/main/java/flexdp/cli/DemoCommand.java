package flexdp.cli;

import flexdp.budget.Allowances;
import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.failure.DatabaseError;
import flexdp.failure.Failure;
import flexdp.gateway.FlexDp;
import flexdp.gateway.ask.AnalystView;
import flexdp.gateway.catalog.Identities;
import flexdp.gateway.collect.Collected;
import flexdp.gateway.collect.Collector;
import flexdp.gateway.collect.MetricsFile;
import flexdp.gateway.collect.Progress;
import flexdp.gateway.collect.Publication;
import flexdp.gateway.collect.Wanted;
import flexdp.gateway.database.Databases;
import flexdp.gateway.database.Vendors;
import flexdp.gateway.demo.RideSharing;
import flexdp.gateway.ledger.Ledger;
import flexdp.gateway.ledger.LedgerPlace;
import flexdp.noise.Privacy;
import flexdp.plan.MetricRelease.Metric;
import flexdp.policy.Policy;
import java.io.IOException;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The main job from nothing: a database, its metrics, questions, answers, what is left. */
@Command(
    name = "demo",
    description = "Make a ride-sharing database, measure it, ask a few questions.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExample:%n",
    footer = {"  flexdp demo --trips 200000 --folder rides-demo"})
final class DemoCommand implements Callable<Integer> {
  private static final Privacy RELEASE = new Privacy(BigDecimal.ONE, new BigDecimal("1e-7"));

  @Spec CommandSpec spec;

  @Option(names = "--trips", description = "How many trips (default: ${DEFAULT-VALUE}).")
  int trips = RideSharing.DEFAULT_TRIPS;

  @Option(names = "--seed", description = "Another database of the same kind.")
  long seed = RideSharing.DEFAULT_SEED;

  @Option(
      names = "--folder",
      paramLabel = "DIR",
      description = "Where to put it (default: a new folder among the temporary files).")
  Path folder;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    if (trips < 1) {
      throw ConfigurationError.of(Code.BAD_USAGE, "--trips: at least one");
    }
    Path place = folder == null ? Files.createTempDirectory("flexdp-demo-") : folder;
    Path file = place.resolve("rides.duckdb");
    if (Files.exists(file)) {
      throw ConfigurationError.of(
          Code.BAD_USAGE, file + " is there already", "Name another folder, or remove this one.");
    }
    QuestionOptions options = new QuestionOptions();
    options.policy = place.resolve("rides.yaml");
    options.analyst = "demo";
    create(out, file, options.policy);
    measure(out, options);
    try (FlexDp flexdp = options.open()) {
      for (DemoQuestion question : DemoQuestion.ALL) {
        ask(out, flexdp, options, question);
      }
      out.println("-- What is left of the budget of each table");
      StandingText.print(
          out,
          flexdp.ledger().standings(),
          flexdp.policy().privacy().epsilon().orElse(BigDecimal.ONE));
    }
    out.println();
    byPeople(out, file, place.resolve("drivers.yaml"));
    out.println("Go on with questions of your own:");
    out.println("  ./flexdp ask --policy " + options.policy + " \"SELECT COUNT(*) FROM users\"");
    out.flush();
    return 0;
  }

  /** The same rows under a policy that protects whoever owns many of them. */
  private void byPeople(PrintWriter out, Path file, Path policy) throws IOException {
    Files.writeString(policy, RideSharing.policyByDrivers("jdbc:duckdb:" + file));
    QuestionOptions options = new QuestionOptions();
    options.policy = policy;
    options.analyst = "demo";
    try (FlexDp flexdp = options.open()) {
      ask(out, flexdp, options, DemoQuestion.BY_PEOPLE);
    }
  }

  void create(PrintWriter out, Path file, Path policy) throws IOException {
    out.println("-- A ride-sharing company: " + file);
    out.flush();
    try {
      new RideSharing(trips, seed).create(file);
    } catch (SQLException e) {
      throw DatabaseError.of("The demo database could not be made.", "Is the disk full?");
    }
    Files.writeString(policy, RideSharing.policy("jdbc:duckdb:" + file));
    out.println("   tables " + String.join(", ", RideSharing.TABLES) + "; policy " + policy);
  }

  void measure(PrintWriter out, QuestionOptions options) throws IOException {
    Policy policy = options.readPolicy();
    Path metrics = MetricsFile.beside(options.policy);
    Collected collected;
    Identities tables;
    try (Connection connection = Databases.readOnly(policy.database().orElseThrow())) {
      collected =
          new Collector(policy, Wanted.of(policy), Progress.NONE, Clock.systemUTC())
              .collect(connection);
      tables = Identities.of(policy, Vendors.of(connection), connection);
    } catch (SQLException e) {
      throw DatabaseError.of("The demo database could not be measured.", "Try again.");
    }
    List<Metric> choice = Publication.usual(policy, collected.metrics());
    LedgerPlace place = LedgerPlace.of(options.policy, Optional.empty());
    try (Ledger ledger = place.open(Allowances.of(policy), false)) {
      Publication.secure(policy, ledger, tables)
          .publish(
              collected,
              choice,
              RELEASE,
              "demo",
              released -> MetricsFile.write(metrics, policy, collected, released));
    }
    out.println("-- Measured, and the max frequencies of join keys released once with noise");
    out.println(
        "   cost: epsilon "
            + AnswerText.plain(RELEASE.epsilon())
            + ", delta "
            + AnswerText.plain(RELEASE.delta())
            + " on each table that has some");
    out.println();
    out.flush();
  }

  private void ask(PrintWriter out, FlexDp flexdp, QuestionOptions options, DemoQuestion question) {
    out.println("-- " + question.title());
    question.sql().lines().forEach(line -> out.println("   " + line));
    try {
      AnalystView view = flexdp.ask(options.ask(question.sql()).withIntervals(true));
      AnswerText.table(view, true).lines().forEach(line -> out.println("     " + line));
      out.println("   " + AnswerText.cost(view));
      AnswerText.notes(view).forEach(note -> out.println("   " + note));
    } catch (Failure e) {
      FailureText.of(e).lines().forEach(line -> out.println("   " + line));
    }
    out.println();
    out.flush();
  }
}
