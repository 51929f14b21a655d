package flexdp.cli;

import flexdp.budget.Allowances;
import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.failure.DatabaseError;
import flexdp.gateway.api.Spent;
import flexdp.gateway.catalog.TableIdentities;
import flexdp.gateway.collect.CollectedMetrics;
import flexdp.gateway.collect.Collector;
import flexdp.gateway.collect.MetricsFile;
import flexdp.gateway.collect.MetricsPublication;
import flexdp.gateway.collect.Progress;
import flexdp.gateway.collect.RequiredFrequencies;
import flexdp.gateway.database.Connectors;
import flexdp.gateway.database.Databases;
import flexdp.gateway.demo.Hospital;
import flexdp.gateway.demo.RideSharing;
import flexdp.gateway.ledger.Ledger;
import flexdp.gateway.ledger.LedgerPlace;
import flexdp.noise.PrivacyParameters;
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
    Optional<PrivacyParameters> release,
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
        Optional.of(new PrivacyParameters(BigDecimal.ONE, new BigDecimal("1e-7"))),
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
    CollectedMetrics collected;
    TableIdentities identities;
    try (Connection connection = Databases.readOnly(read.database().orElseThrow())) {
      collected =
          new Collector(read, RequiredFrequencies.of(read), Progress.NONE, Clock.systemUTC())
              .collect(connection);
      identities = TableIdentities.of(read, Connectors.of(connection), connection);
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

  private void publish(
      Path file, Policy read, CollectedMetrics collected, TableIdentities identities)
      throws IOException {
    List<Metric> choice = MetricsPublication.usual(read, collected.metrics());
    LedgerPlace place = LedgerPlace.of(file, Optional.empty());
    try (Ledger ledger = place.open(Allowances.of(read), false)) {
      MetricsPublication.secure(read, ledger, identities)
          .publish(
              collected,
              choice,
              release.orElseThrow(),
              "demo",
              released -> MetricsFile.write(MetricsFile.beside(file), read, collected, released));
    }
  }

  /** A question of the demo; those of rides are in the manner of the paper's examples. */
  record DemoQuestion(String title, String sql) {
    static final DemoQuestion BY_PEOPLE =
        new DemoQuestion(
            "Not a trip but a driver with all her trips is protected: another policy, drivers.yaml",
            """
          SELECT d.vehicle, COUNT(*) AS trips
          FROM trips t JOIN drivers d ON t.driver_id = d.id
          WHERE t.status = 'completed' GROUP BY d.vehicle ORDER BY trips DESC\
          """);

    static final List<DemoQuestion> RIDES =
        List.of(
            new DemoQuestion(
                "A count: constant sensitivity, plain Laplace noise",
                "SELECT COUNT(*) AS completed FROM trips WHERE status = 'completed'"),
            new DemoQuestion(
                "A histogram: the policy lists the labels, so every one appears",
                """
              SELECT payment, COUNT(*) AS trips, AVG(fare) AS fare
              FROM trips WHERE status = 'completed'
              GROUP BY payment ORDER BY trips DESC\
              """),
            new DemoQuestion(
                "Labels from a public table; order and limit work on the noisy counts",
                """
              SELECT c.name, COUNT(*) AS trips
              FROM trips t JOIN cities c ON t.city_id = c.id
              GROUP BY c.name ORDER BY trips DESC LIMIT 5\
              """),
            new DemoQuestion(
                "A histogram over a join of two protected tables: released metrics make it possible",
                """
              SELECT d.vehicle, COUNT(*) AS trips
              FROM trips t JOIN drivers d ON t.driver_id = d.id
              WHERE t.status = 'completed'
              GROUP BY d.vehicle ORDER BY trips DESC\
              """),
            new DemoQuestion(
                "Three tables: drivers with a tag, by tag",
                """
              SELECT ut.tag, COUNT(DISTINCT d.id) AS drivers
              FROM drivers d JOIN users u ON d.user_id = u.id
              JOIN user_tags ut ON ut.user_id = u.id
              GROUP BY ut.tag ORDER BY drivers DESC\
              """),
            new DemoQuestion(
                "A nested aggregate: drivers with more than 100 completed trips",
                """
              SELECT COUNT(*) AS busy_drivers FROM (
                SELECT driver_id FROM trips WHERE status = 'completed'
                GROUP BY driver_id HAVING COUNT(*) > 100) x\
              """),
            new DemoQuestion(
                "A self join: pairs of trips of one rider with one driver",
                """
              SELECT COUNT(*) AS pairs FROM trips a JOIN trips b
              ON a.rider_id = b.rider_id AND a.driver_id = b.driver_id AND a.id < b.id\
              """),
            new DemoQuestion(
                "Above the aggregate everything is free: a share of noisy counts",
                """
              SELECT ROUND(100.0 * COUNT(*) FILTER (WHERE status = 'cancelled') / COUNT(*), 1)
                AS cancelled_percent FROM trips\
              """),
            new DemoQuestion(
                "A rejection: which drivers exist is nobody's business",
                "SELECT driver_id, COUNT(*) FROM trips GROUP BY driver_id"),
            new DemoQuestion("Another: raw rows", "SELECT * FROM trips WHERE fare > 400"));

    static final List<DemoQuestion> HOSPITAL =
        List.of(
            new DemoQuestion(
                "Each patient counts once: noise of about one",
                "SELECT sex, COUNT(*) AS patients FROM patient GROUP BY sex"),
            new DemoQuestion(
                "Patients have many visits: what one of them can add is capped, and the answer says"
                    + " where",
                """
              SELECT department, COUNT(*) AS visits
              FROM visit GROUP BY department ORDER BY visits DESC LIMIT 5\
              """),
            new DemoQuestion(
                "A time series",
                """
              SELECT DATE_TRUNC('month', admitted_at) AS month, COUNT(*) AS visits
              FROM visit WHERE admitted_at >= '2023-01-01' AND admitted_at < '2024-01-01'
              GROUP BY 1 ORDER BY 1\
              """),
            new DemoQuestion(
                "Different patients, by the kind of their visits",
                """
              SELECT kind, COUNT(DISTINCT patient_id) AS patients
              FROM visit GROUP BY kind ORDER BY patients DESC\
              """),
            new DemoQuestion(
                "An average over capped rows",
                """
              SELECT kind, AVG(charge) AS charge FROM visit GROUP BY kind ORDER BY charge DESC\
              """),
            new DemoQuestion(
                "Over a join that keeps patients apart",
                """
              SELECT p.sex, COUNT(*) AS emergencies
              FROM patient p JOIN visit v ON v.patient_id = p.id
              WHERE v.kind = 'emergency' GROUP BY p.sex\
              """),
            new DemoQuestion(
                "How many patients come often",
                """
              SELECT COUNT(*) AS often FROM (
                SELECT patient_id FROM visit GROUP BY patient_id HAVING COUNT(*) >= 10) x\
              """),
            new DemoQuestion(
                "A rejection: who is a patient is nobody's business",
                "SELECT patient_id, COUNT(*) FROM visit GROUP BY patient_id"));
  }
}
