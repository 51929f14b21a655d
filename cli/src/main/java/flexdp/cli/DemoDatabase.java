package flexdp.cli;

import flexdp.budget.Allowances;
import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.failure.DatabaseError;
import flexdp.gateway.ask.Spent;
import flexdp.gateway.catalog.Identities;
import flexdp.gateway.collect.Collected;
import flexdp.gateway.collect.Collector;
import flexdp.gateway.collect.MetricsFile;
import flexdp.gateway.collect.Progress;
import flexdp.gateway.collect.Publication;
import flexdp.gateway.collect.Wanted;
import flexdp.gateway.database.Databases;
import flexdp.gateway.database.Vendors;
import flexdp.gateway.demo.Hospital;
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
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A made-up database, its policy, and what the demo asks of it.
 *
 * @param name of the policy, and so of the database where it is served
 * @param title one line on what it holds
 * @param policy its policy, given the address
 * @param release what noisy metrics may cost, where its questions need any
 */
record DemoDatabase(
    String name,
    String title,
    List<String> tables,
    Maker maker,
    UnaryOperator<String> policy,
    Optional<Privacy> release,
    List<DemoQuestion> questions) {

  /** Makes a database in a file that is not there yet. */
  interface Maker {
    void make(Path file) throws IOException, SQLException;
  }

  /** Rows are protected. */
  static DemoDatabase rides(int trips, long seed) {
    return new DemoDatabase(
        "rides",
        "A ride-sharing company",
        RideSharing.TABLES,
        new RideSharing(trips, seed)::create,
        RideSharing::policy,
        Optional.of(new Privacy(BigDecimal.ONE, new BigDecimal("1e-7"))),
        DemoQuestion.RIDES);
  }

  /** Patients are protected, each with everything the hospital has about them. */
  static DemoDatabase hospital(int patients) {
    return new DemoDatabase(
        "hospital",
        "A hospital; each patient is protected with all visits, diagnoses and lab results",
        Hospital.TABLES,
        new Hospital(patients)::create,
        Hospital::policy,
        Optional.empty(),
        DemoQuestion.HOSPITAL);
  }

  Path file(Path folder) {
    return folder.resolve(name + ".duckdb");
  }

  Path policy(Path folder) {
    return folder.resolve(name + ".yaml");
  }

  /** Makes the database and writes its policy, and says where they are. */
  void create(PrintWriter out, Path folder) throws IOException {
    Path file = file(folder);
    if (Files.exists(file)) {
      throw ConfigurationError.of(
          Code.BAD_USAGE, file + " is there already", "Name another folder, or remove this one.");
    }
    out.println("-- " + title + ": " + file);
    out.flush();
    try {
      maker.make(file);
    } catch (SQLException e) {
      throw DatabaseError.of("The demo database could not be made.", "Is the disk full?");
    }
    Files.writeString(policy(folder), policy.apply("jdbc:duckdb:" + file));
    out.println("   tables " + String.join(", ", tables) + "; policy " + policy(folder));
  }

  /** What {@code collect --release} does, in few words. */
  void measure(PrintWriter out, Path folder) throws IOException {
    QuestionOptions options = new QuestionOptions();
    options.policy = policy(folder);
    Policy read = options.readPolicy();
    Collected collected;
    Identities identities;
    try (Connection connection = Databases.readOnly(read.database().orElseThrow())) {
      collected =
          new Collector(read, Wanted.of(read), Progress.NONE, Clock.systemUTC())
              .collect(connection);
      identities = Identities.of(read, Vendors.of(connection), connection);
    } catch (SQLException e) {
      throw DatabaseError.of("The demo database could not be measured.", "Try again.");
    }
    if (release.isPresent()) {
      publish(options.policy, read, collected, identities);
      out.println("-- Measured, and the max frequencies of join keys released once with noise");
      out.println(
          "   cost: epsilon "
              + Spent.plain(release.get().epsilon())
              + ", delta "
              + Spent.plain(release.get().delta())
              + " on each table that has some");
    } else {
      MetricsFile.write(MetricsFile.beside(options.policy), read, collected, Map.of());
      out.println("-- Measured");
    }
    out.println();
    out.flush();
  }

  private void publish(Path file, Policy read, Collected collected, Identities identities)
      throws IOException {
    List<Metric> choice = Publication.usual(read, collected.metrics());
    LedgerPlace place = LedgerPlace.of(file, Optional.empty());
    try (Ledger ledger = place.open(Allowances.of(read), false)) {
      Publication.secure(read, ledger, identities)
          .publish(
              collected,
              choice,
              release.orElseThrow(),
              "demo",
              released -> MetricsFile.write(MetricsFile.beside(file), read, collected, released));
    }
  }
}
