package flexdp.gateway;

import flexdp.gateway.collect.CollectedMetrics;
import flexdp.gateway.collect.Collector;
import flexdp.gateway.collect.MetricsFile;
import flexdp.gateway.collect.Progress;
import flexdp.gateway.collect.RequiredFrequencies;
import flexdp.gateway.database.Databases;
import flexdp.policy.Policy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A database whose tables somebody moves, and the ways to move them. */
abstract class MovedWorld implements AutoCloseable {
  /** The rows of a state in which one row of u changes this many. */
  static final int MANY = 1000;

  /** How many rows are joined in the usual state. */
  static final int FEW = 20;

  /** Tables that every world has, with what stands under some of them. */
  private static final String TABLES =
      """
      privacy: {neighbors: add-remove-one, epsilon: 1, delta: 1e-9, budget: {epsilon: 1000000, delta: 0.5}}
      failures: {atMost: 1000, window: 30m}
      tables:
        t: {%1$scolumns: {id: {type: integer, nullable: false, unique: true}, g: {type: integer, nullable: false}}}
        u: {%1$scolumns: {tid: {type: integer, nullable: false, unique: true, references: t.g}, city: {type: varchar, nullable: false, references: cities.name}}}
        cities: {%2$spublic: true, columns: {id: {type: integer, nullable: false}, name: {type: varchar, nullable: false}}}
        secret: {%3$scolumns: {id: {type: integer, nullable: false}, name: {type: varchar, nullable: false}}}
      """;

  /** The databases of this module, and what they follow or stand behind. */
  enum Kind {
    POSTGRESQL,
    POOLED,
    NOTED,
    MARIADB,
    REPLAYED,
    SQLITE,
    DUCKDB;

    MovedWorld open(Path folder) throws Exception {
      return switch (this) {
        case POSTGRESQL -> MovedPostgres.Alone.create();
        case POOLED -> PooledPostgres.start(folder);
        case NOTED -> new NotedPostgres(folder);
        case MARIADB -> new MovedMariaDb();
        case REPLAYED -> new ReplayedMariaDb();
        case SQLITE -> new MovedFile.Sqlite(folder);
        case DUCKDB -> new MovedFile.DuckDb(folder);
      };
    }
  }

  private Optional<Policy> policy = Optional.empty();
  private final List<Path> metrics = new ArrayList<>();

  /** What is done; false where others hold what it needs. */
  @FunctionalInterface
  interface Act {
    boolean make(boolean patient) throws Exception;
  }

  /**
   * Something that is done and undone.
   *
   * @param undone empty where nothing has to be
   * @param slow whether it may be undone only when every question that saw it has ended: a name
   *     that leads elsewhere for a moment is a limit that docs/live.md names
   */
  record Move(String name, Act done, Optional<Act> undone, boolean slow) {
    static Move of(String name, Act done, Act undone) {
      return new Move(name, done, Optional.of(undone), false);
    }

    Move slowly() {
      return new Move(name, done, undone, true);
    }
  }

  /** Where who asks finds it: one address, or several of databases that follow each other. */
  abstract List<String> urls();

  String url() {
    return urls().getFirst();
  }

  /** Whether somebody may be let in between two statements of a question. */
  boolean holdsTables() {
    return false;
  }

  /** What is asked about, beside the address. */
  String policy() {
    return tables("", "", "");
  }

  /**
   * The tables that every world has.
   *
   * @param keyed what stands under those that have keys
   * @param open what stands under the public one
   * @param others what stands under the rest
   */
  static String tables(String keyed, String open, String others) {
    return TABLES.formatted(keyed, open, others);
  }

  /** Questions that only this world has, and the most that they may say. */
  List<Mover.Bounded> questions() {
    return List.of();
  }

  /** Moves that tell of a row, unless somebody sees to it that they do not. */
  abstract List<Move> moves();

  /** What has to keep working: nobody is refused but for a moment. */
  abstract List<Move> harmless();

  /** A connection that may write. */
  abstract Connection connect() throws SQLException;

  /** How long a writer waits for who holds a table. */
  abstract String waiting(boolean patient);

  /** Statements on a connection of their own. */
  Act all(List<String> statements) {
    return patient -> {
      try (Connection connection = connect()) {
        try {
          OpenGateway.write(connection, waiting(patient));
          OpenGateway.write(connection, statements.toArray(String[]::new));
          return true;
        } catch (SQLException e) {
          OpenGateway.write(connection, "ROLLBACK");
          return false;
        }
      } catch (SQLException e) {
        return false;
      }
    };
  }

  Act all(String... statements) {
    return all(List.of(statements));
  }

  Move move(String name, List<String> done, List<String> undone) {
    return Move.of(name, all(done), all(undone));
  }

  /** Done the same way as it is undone. */
  Move exchange(String name, String... statements) {
    return move(name, List.of(statements), List.of(statements));
  }

  Move harmless(String... done) {
    return new Move(done[0], all(done), Optional.empty(), false);
  }

  /** From now on the owner measures for these files. */
  void measureFor(Policy asked, List<Path> files) throws Exception {
    policy = Optional.of(asked);
    metrics.addAll(files);
    collect(url());
  }

  /** As the owner does, at some address. */
  void collect(String at) throws Exception {
    try (Connection connection = Databases.streaming(at)) { // in this process, others share it
      CollectedMetrics collected =
          new Collector(
                  policy.orElseThrow(),
                  RequiredFrequencies.of(policy.orElseThrow()),
                  Progress.NONE,
                  Clock.systemUTC())
              .collect(connection);
      for (Path file : metrics) {
        MetricsFile.write(file, policy.orElseThrow(), collected, Map.of());
      }
    }
  }

  /** The tables of every world; {@code series} gives the whole numbers from one to another as i. */
  static List<String> tables(Series series) {
    return List.of(
        "CREATE TABLE t(id int NOT NULL, g int NOT NULL, CONSTRAINT t_key UNIQUE (id))",
        "CREATE TABLE t_new(id int NOT NULL, g int NOT NULL)",
        "CREATE TABLE u(tid int NOT NULL, city varchar(20) NOT NULL, CONSTRAINT u_key UNIQUE"
            + " (tid))",
        "CREATE TABLE cities(id int NOT NULL, name varchar(20) NOT NULL)",
        "CREATE TABLE secret(id int NOT NULL, name varchar(20) NOT NULL)",
        "INSERT INTO t SELECT i, i FROM " + series.of(1, FEW),
        "INSERT INTO t_new SELECT 1, 5000 + i FROM " + series.of(1, MANY),
        "INSERT INTO u SELECT i, 'Rome' FROM " + series.of(1, FEW),
        "INSERT INTO cities VALUES (1, 'Rome'), (2, 'Oslo')",
        "INSERT INTO secret VALUES (1, 'alice')");
  }

  /** What stands in FROM for whole numbers. */
  @FunctionalInterface
  interface Series {
    String of(int from, int to);

    /** Where a table is computed row by row. */
    static String recursive(int from, int to) {
      return "(WITH RECURSIVE n(i) AS (SELECT %d UNION ALL SELECT i + 1 FROM n WHERE i < %d) SELECT i FROM n) AS r"
          .formatted(from, to);
    }
  }

  /** After it one row of u joins a thousand of t by t.g, which no key forbids. */
  static String many(Series series) {
    return "INSERT INTO t SELECT %d + i, 1 FROM %s".formatted(MANY, series.of(1, MANY));
  }

  static final String FEW_AGAIN = "DELETE FROM t WHERE id > " + MANY;
}
