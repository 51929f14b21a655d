package flexdp.gateway;

import flexdp.budget.Allowances;
import flexdp.failure.BudgetError;
import flexdp.failure.ConfigurationError;
import flexdp.failure.DatabaseError;
import flexdp.failure.LedgerError;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.collect.CollectedMetrics;
import flexdp.gateway.collect.Collector;
import flexdp.gateway.collect.MetricsFile;
import flexdp.gateway.collect.Progress;
import flexdp.gateway.collect.RequiredFrequencies;
import flexdp.gateway.database.Databases;
import flexdp.gateway.files.TextFiles.PolicyFiles;
import flexdp.gateway.ledger.KnownLedger;
import flexdp.gateway.ledger.LedgerPlace;
import flexdp.policy.Policy;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Somebody who moves tables, files, policies and ledgers while rows pay for what is told of them.
 * Each physical table has a tag of its own in all its rows: none may be told of beyond its budget,
 * whatever it is called and wherever it lies.
 */
final class LedgerMover {
  private static final int STEPS = 12;
  private static final int BUDGET = 10;

  private final MovedWorld.Kind kind;
  private final Path folder;
  private final String url;
  private final SplittableRandom random;
  private final Optional<FreshPostgres> fresh;
  private final Map<String, Integer> plain = new TreeMap<>();
  private final Map<String, Integer> parts = new TreeMap<>();
  private final Map<Integer, Integer> told = new TreeMap<>();
  private final List<String> done = new ArrayList<>();
  private Path policy;
  private int tags;

  LedgerMover(MovedWorld.Kind kind, Path folder, SplittableRandom random) throws Exception {
    this.kind = kind;
    this.folder = Files.createTempDirectory(folder, "ledger");
    this.random = random;
    fresh =
        kind == MovedWorld.Kind.POSTGRESQL ? Optional.of(FreshPostgres.create()) : Optional.empty();
    url =
        switch (kind) {
          case POSTGRESQL -> fresh.orElseThrow().url();
          case MARIADB -> {
            MariaDbServer.create("paying");
            yield MariaDbServer.url("paying") + "?user=root";
          }
          case SQLITE, DUCKDB -> "jdbc:" + kind.name().toLowerCase(Locale.ROOT) + ":" + file();
          case POOLED, NOTED, REPLAYED ->
              throw new IllegalArgumentException(kind + " is one of the others to a ledger");
        };
    policy = this.folder.resolve("p0.yaml");
  }

  /** What is found in so many sequences; empty if nothing is. */
  static String finds(String kind, long seed, Path folder, int most) throws Exception {
    try {
      for (int i = 0; i < most; i++) {
        new LedgerMover(MovedWorld.Kind.valueOf(kind), folder, new SplittableRandom(seed + i))
            .run();
      }
      return "";
    } catch (AssertionError found) {
      return String.valueOf(found.getMessage());
    }
  }

  private Path file() {
    return folder.resolve("d.db");
  }

  private boolean isFile() {
    return kind == MovedWorld.Kind.SQLITE || kind == MovedWorld.Kind.DUCKDB;
  }

  /** How many questions were answered. */
  int run() throws Exception {
    if (fresh.isPresent()) {
      execute("CREATE TABLE p (id INT NOT NULL, m INT NOT NULL) PARTITION BY LIST (m)");
    } else {
      make("p");
    }
    make("a");
    make("b");
    Files.writeString(policy, policyText());
    collect();
    int answered = 0;
    FlexDp flexdp = FlexDp.open(policy);
    try {
      for (int step = 0; step < STEPS; step++) {
        int choice = random.nextInt(11);
        if (choice > 4) {
          answered += ask(flexdp);
        } else if (choice == 4 || kind == MovedWorld.Kind.DUCKDB) {
          // DuckDB lets nobody write to a file that is open.
          flexdp.close();
          move(choice);
          flexdp = again();
        } else {
          move(choice);
        }
      }
    } finally {
      flexdp.close();
      if (fresh.isPresent()) {
        fresh.get().close();
      }
    }
    return answered;
  }

  private void move(int choice) throws Exception {
    switch (choice) {
      case 0 -> {
        execute("DROP TABLE a");
        make("a");
      }
      case 1 -> {
        if (fresh.isPresent()) {
          swap();
        } else {
          execute("DELETE FROM b", "INSERT INTO b " + rows(plain.get("b")));
        }
      }
      case 2 -> {
        if (fresh.isPresent()) {
          attach();
        } else if (isFile()) {
          copied();
        }
      }
      case 3 -> {
        if (fresh.isPresent()) {
          detach();
        }
      }
      default -> {
        if (random.nextBoolean()) {
          renamed();
        }
      }
    }
  }

  /** The policy and its metrics under other names; the ledger stays where it is. */
  private void renamed() throws Exception {
    Path other = folder.resolve("p" + (random.nextInt(1000) + 1) + ".yaml");
    Files.move(policy, other, StandardCopyOption.REPLACE_EXISTING);
    Files.move(
        new PolicyFiles(policy).metrics(),
        new PolicyFiles(other).metrics(),
        StandardCopyOption.REPLACE_EXISTING);
    done.add("renamed to " + other.getFileName());
    try {
      FlexDp.open(other).close();
      policy = other;
    } catch (LedgerError e) {
      done.add("refused: " + e.message());
      Files.move(other, policy);
      Files.move(new PolicyFiles(other).metrics(), new PolicyFiles(policy).metrics());
    }
  }

  /** Copies the rows into another file of the same name. */
  private void copied() throws Exception {
    Path beside = folder.resolve("beside.tmp");
    Files.copy(file(), beside, StandardCopyOption.REPLACE_EXISTING);
    Files.move(beside, file(), StandardCopyOption.REPLACE_EXISTING);
    done.add("copied");
  }

  private FlexDp again() {
    return FlexDp.open(policy);
  }

  private String policyText() {
    StringBuilder text =
        new StringBuilder("database: \"" + url + "\"\n")
            .append("privacy: {epsilon: 1, delta: 1e-9, budget: {epsilon: 10}}\ntables:\n");
    for (String table : List.of("a", "b", "p")) {
      text.append("  ")
          .append(table)
          .append(": {columns: {id: {type: integer}, m: {type: integer}}}\n");
    }
    return text.toString();
  }

  private void collect() throws Exception {
    Policy read = OpenGateway.policy(policyText());
    KnownLedger ledger =
        LedgerPlace.of(policy, Optional.empty()).begun(Allowances.of(read), Optional.empty());
    try (Connection connection = Databases.readOnly(url)) {
      CollectedMetrics collected =
          new Collector(read, RequiredFrequencies.of(read), Progress.NONE, Clock.systemUTC())
              .collect(connection);
      MetricsFile.write(
          new PolicyFiles(policy).metrics(), read, collected, Map.of(), Optional.of(ledger));
    }
  }

  private void execute(String... statements) throws SQLException {
    done.addAll(List.of(statements));
    try (Connection connection =
        fresh.isPresent() ? fresh.get().connect() : DriverManager.getConnection(url)) {
      OpenGateway.write(connection, statements);
    }
  }

  private String rows(int tag) {
    return "SELECT i, "
        + tag
        + " FROM "
        + switch (kind) {
          case POSTGRESQL -> "generate_series(1, 100) AS r(i)";
          case DUCKDB -> "range(1, 101) AS r(i)";
          default -> MovedWorld.Series.recursive(1, 100);
        };
  }

  private void make(String name) throws SQLException {
    int tag = ++tags;
    execute(
        "CREATE TABLE " + name + " (id INT NOT NULL, m INT NOT NULL)",
        "INSERT INTO " + name + " " + rows(tag));
    plain.put(name, tag);
  }

  private void swap() throws SQLException {
    execute(
        "BEGIN",
        "ALTER TABLE a RENAME TO x",
        "ALTER TABLE b RENAME TO a",
        "ALTER TABLE x RENAME TO b",
        "COMMIT");
    int a = plain.get("a");
    plain.put("a", plain.get("b"));
    plain.put("b", a);
  }

  private void attach() throws SQLException {
    int tag = plain.get("b");
    String part = "part" + tag;
    execute(
        "ALTER TABLE p ATTACH PARTITION b FOR VALUES IN (" + tag + ")",
        "ALTER TABLE b RENAME TO " + part);
    parts.put(part, tag);
    make("b");
  }

  private void detach() throws SQLException {
    if (!parts.isEmpty()) {
      String part = parts.keySet().iterator().next();
      execute(
          "ALTER TABLE p DETACH PARTITION " + part,
          "DROP TABLE b",
          "ALTER TABLE " + part + " RENAME TO b");
      plain.put("b", parts.remove(part));
    }
  }

  private int ask(FlexDp flexdp) {
    String name = List.of("a", "b", "p").get(random.nextInt(3));
    int epsilon = random.nextBoolean() ? 4 : 6;
    try {
      QueryRequest request =
          QueryRequest.of("SELECT COUNT(*) FROM " + name, "ann").at(BigDecimal.valueOf(epsilon));
      if (flexdp.ask(request).repeat()) {
        done.add("asked " + name + " again");
        return 1;
      }
    } catch (BudgetError | DatabaseError | ConfigurationError e) {
      done.add("not asked: " + e.message());
      return 0;
    }
    done.add("asked " + name + " at " + epsilon);
    boolean all = fresh.isPresent() && name.equals("p");
    for (int tag : all ? parts.values() : List.of(plain.get(name))) {
      int lost = told.merge(tag, epsilon, Integer::sum);
      if (lost > BUDGET) {
        throw new AssertionError("rows of " + tag + " lost " + lost + ": " + done);
      }
    }
    return 1;
  }
}
