package flexdp.gateway;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A database whose tables somebody moves, and the ways to move them. */
final class MovedWorld implements AutoCloseable {
  /** The rows of a state in which one row of u changes this many. */
  static final int MANY = 1000;

  /** How many rows are joined in the usual state. */
  static final int FEW = 20;

  enum Kind {
    POSTGRESQL,
    MARIADB,
    SQLITE,
    DUCKDB;

    /** Whether somebody may be let in between two statements of a question. */
    boolean holdsTables() {
      return this == POSTGRESQL || this == MARIADB;
    }
  }

  /**
   * Something that is done and undone.
   *
   * @param undone empty where nothing has to be
   * @param slow whether it may be undone only when every question that saw it has ended: a name
   *     that leads elsewhere for a moment is a limit that docs/live.md names
   */
  record Move(String name, List<String> done, List<String> undone, boolean slow) {
    static Move of(String name, List<String> done, List<String> undone) {
      return new Move(name, done, undone, false);
    }

    static Move harmless(String... done) {
      return new Move(done[0], List.of(done), List.of(), false);
    }
  }

  /** A file is put in the place of the database's. */
  private static final String FILE = "FILE ";

  final Kind kind;
  final String url;
  private final Path folder;
  private final Optional<FreshPostgres> fresh;
  private final String name;

  MovedWorld(Kind kind, Path folder) throws Exception {
    this.kind = kind;
    this.folder = folder;
    this.name = "moved";
    fresh = kind == Kind.POSTGRESQL ? Optional.of(FreshPostgres.create()) : Optional.empty();
    url =
        switch (kind) {
          case POSTGRESQL -> fresh.orElseThrow().url();
          case MARIADB -> {
            MariaDbServer.create(name);
            yield MariaDbServer.url(name) + "?user=root";
          }
          case SQLITE -> "jdbc:sqlite:" + folder.resolve("d.db");
          case DUCKDB -> "jdbc:duckdb:" + folder.resolve("d.db");
        };
    try (Connection connection = connect(url)) {
      OpenGateway.write(connection, tables().toArray(String[]::new));
    }
    if (!kind.holdsTables()) {
      files();
    }
  }

  private static String series(Kind kind, int from, int to) {
    return switch (kind) {
      case POSTGRESQL -> "generate_series(%d, %d) AS r(i)".formatted(from, to);
      case DUCKDB -> "range(%d, %d) AS r(i)".formatted(from, to + 1);
      case MARIADB, SQLITE ->
          "(WITH RECURSIVE n(i) AS (SELECT %d UNION ALL SELECT i + 1 FROM n WHERE i < %d) SELECT i FROM n) AS r"
              .formatted(from, to);
    };
  }

  private List<String> tables() {
    return List.of(
        "CREATE TABLE t(id int NOT NULL, g int NOT NULL, CONSTRAINT t_key UNIQUE (id))",
        "CREATE TABLE t_new(id int NOT NULL, g int NOT NULL)",
        "CREATE TABLE t_like(id int NOT NULL, g int NOT NULL, UNIQUE (id))",
        "CREATE TABLE u(tid int NOT NULL, city varchar(20) NOT NULL, CONSTRAINT u_key UNIQUE"
            + " (tid))",
        "CREATE TABLE cities(id int NOT NULL, name varchar(20) NOT NULL)",
        "CREATE TABLE secret(id int NOT NULL, name varchar(20) NOT NULL)",
        "INSERT INTO t SELECT i, i FROM " + series(kind, 1, FEW),
        "INSERT INTO t_like SELECT i, i FROM " + series(kind, 1, FEW),
        "INSERT INTO t_new SELECT 1, 5000 + i FROM " + series(kind, 1, MANY),
        "INSERT INTO u SELECT i, 'Rome' FROM " + series(kind, 1, FEW),
        "INSERT INTO cities VALUES (1, 'Rome'), (2, 'Oslo')",
        "INSERT INTO secret VALUES (1, 'alice')");
  }

  /** Files that are put in the place of the database's. */
  private void files() throws SQLException, IOException {
    for (String file : List.of("keyless", "other", "good")) {
      Files.copy(folder.resolve("d.db"), folder.resolve(file));
      try (Connection connection = connect("jdbc:" + engine() + ":" + folder.resolve(file))) {
        switch (file) {
          case "keyless" ->
              OpenGateway.write(connection, "DROP TABLE t", "ALTER TABLE t_new RENAME TO t");
          case "other" -> OpenGateway.write(connection, many());
          default -> {}
        }
      }
    }
  }

  private String engine() {
    return kind == Kind.SQLITE ? "sqlite" : "duckdb";
  }

  /** After it one row of u joins a thousand of t by t.g, which no key forbids. */
  private String many() {
    return "INSERT INTO t SELECT %d + i, 1 FROM %s".formatted(MANY, series(kind, 1, MANY));
  }

  private Connection connect(String address) throws SQLException {
    return switch (kind) {
      case POSTGRESQL -> fresh.orElseThrow().connect();
      case MARIADB -> MariaDbServer.writer(name);
      case SQLITE, DUCKDB -> DriverManager.getConnection(address);
    };
  }

  /** Moves that tell of a row, unless somebody sees to it that they do not. */
  List<Move> moves() {
    List<Move> all = new ArrayList<>();
    String again = "DELETE FROM t WHERE id > " + MANY;
    switch (kind) {
      case POSTGRESQL -> {
        String dup = "INSERT INTO t SELECT 1, 5000 + i FROM " + series(kind, 2, MANY);
        List<String> whole =
            List.of(
                "BEGIN",
                "DELETE FROM t WHERE id = 1",
                "INSERT INTO t VALUES (1, 1)",
                "ALTER TABLE t ADD CONSTRAINT t_key UNIQUE (id)",
                "COMMIT");
        all.add(
            Move.of(
                "drop key",
                List.of("BEGIN", "ALTER TABLE t DROP CONSTRAINT t_key", dup, "COMMIT"),
                whole));
        List<String> swap =
            List.of(
                "BEGIN",
                "ALTER TABLE t RENAME TO t_x",
                "ALTER TABLE t_new RENAME TO t",
                "ALTER TABLE t_x RENAME TO t_new",
                "COMMIT");
        all.add(Move.of("swap", swap, swap));
        all.add(
            Move.of(
                "t as a view",
                List.of(
                    "BEGIN",
                    "ALTER TABLE t RENAME TO t_x",
                    "CREATE VIEW t AS SELECT * FROM t_new",
                    "COMMIT"),
                List.of("BEGIN", "DROP VIEW t", "ALTER TABLE t_x RENAME TO t", "COMMIT")));
        all.add(
            Move.of(
                "inherit",
                List.of("ALTER TABLE t_new INHERIT t"),
                List.of("ALTER TABLE t_new NO INHERIT t")));
        all.add(
            Move.of(
                "type",
                List.of("ALTER TABLE t ALTER id TYPE bigint"),
                List.of("ALTER TABLE t ALTER id TYPE int")));
        all.add(
            Move.of(
                "nullable",
                List.of("ALTER TABLE t ALTER id DROP NOT NULL"),
                List.of("ALTER TABLE t ALTER id SET NOT NULL")));
        all.add(
            Move.of(
                "public as a view",
                List.of(
                    "BEGIN",
                    "ALTER TABLE cities RENAME TO cities_x",
                    "CREATE VIEW cities AS SELECT id, name FROM secret",
                    "COMMIT"),
                List.of(
                    "BEGIN",
                    "DROP VIEW cities",
                    "ALTER TABLE cities_x RENAME TO cities",
                    "COMMIT")));
        List<String> places =
            List.of(
                "BEGIN",
                "ALTER TABLE cities RENAME TO cities_x",
                "ALTER TABLE secret RENAME TO cities",
                "ALTER TABLE cities_x RENAME TO secret",
                "COMMIT");
        all.add(Move.of("public and protected", places, places));
        List<String> schemas =
            List.of(
                "BEGIN",
                "ALTER SCHEMA public RENAME TO x",
                "ALTER SCHEMA evil RENAME TO public",
                "ALTER SCHEMA x RENAME TO evil",
                "COMMIT");
        all.add(
            new Move(
                "schemas",
                List.of(
                    "BEGIN",
                    "CREATE SCHEMA IF NOT EXISTS evil",
                    "DROP TABLE IF EXISTS evil.t, evil.u, evil.cities, evil.secret",
                    "CREATE TABLE evil.t AS SELECT * FROM public.t_new",
                    "ALTER TABLE evil.t ALTER id SET NOT NULL, ALTER g SET NOT NULL",
                    "CREATE TABLE evil.u (LIKE public.u INCLUDING ALL)",
                    "INSERT INTO evil.u SELECT * FROM public.u",
                    "CREATE TABLE evil.cities (LIKE public.secret INCLUDING ALL)",
                    "INSERT INTO evil.cities SELECT * FROM public.secret",
                    "CREATE TABLE evil.secret (LIKE public.cities INCLUDING ALL)",
                    schemas.get(1),
                    schemas.get(2),
                    schemas.get(3),
                    "COMMIT"),
                schemas,
                true));
      }
      case MARIADB -> {
        all.add(
            Move.of(
                "drop key",
                List.of(
                    "ALTER TABLE t DROP INDEX t_key",
                    "INSERT INTO t SELECT 1, 5000 + i FROM " + series(kind, 2, MANY)),
                List.of(
                    "DELETE FROM t WHERE id = 1",
                    "INSERT INTO t VALUES (1, 1)",
                    "ALTER TABLE t ADD CONSTRAINT t_key UNIQUE (id)")));
        List<String> swap = List.of("RENAME TABLE t TO t_x, t_new TO t, t_x TO t_new");
        all.add(Move.of("swap", swap, swap));
        all.add(
            Move.of(
                "t as a view",
                List.of(
                    "RENAME TABLE t TO t_x",
                    "CREATE SQL SECURITY INVOKER VIEW t AS SELECT * FROM t_new"),
                List.of("DROP VIEW IF EXISTS t", "RENAME TABLE t_x TO t")));
        all.add(
            Move.of(
                "public as a view",
                List.of(
                    "RENAME TABLE cities TO cities_x",
                    "CREATE SQL SECURITY INVOKER VIEW cities AS SELECT id, name FROM secret"),
                List.of("DROP VIEW IF EXISTS cities", "RENAME TABLE cities_x TO cities")));
        all.add(
            Move.of(
                "type",
                List.of("ALTER TABLE t MODIFY id bigint NOT NULL"),
                List.of("ALTER TABLE t MODIFY id int NOT NULL")));
      }
      case SQLITE -> {
        all.add(
            Move.of(
                "swap",
                List.of(
                    "BEGIN IMMEDIATE",
                    "ALTER TABLE t RENAME TO t_x",
                    "ALTER TABLE t_new RENAME TO t",
                    "COMMIT"),
                List.of(
                    "BEGIN IMMEDIATE",
                    "ALTER TABLE t RENAME TO t_new",
                    "ALTER TABLE t_x RENAME TO t",
                    "COMMIT")));
        all.add(
            Move.of(
                "public as a view",
                List.of(
                    "BEGIN IMMEDIATE",
                    "ALTER TABLE cities RENAME TO cities_x",
                    "CREATE VIEW cities AS SELECT id, name FROM secret",
                    "COMMIT"),
                List.of(
                    "BEGIN IMMEDIATE",
                    "DROP VIEW cities",
                    "ALTER TABLE cities_x RENAME TO cities",
                    "COMMIT")));
        all.add(new Move("keyless file", List.of(FILE + "keyless"), List.of(FILE + "good"), true));
        all.add(new Move("other file", List.of(FILE + "other"), List.of(FILE + "good"), true));
      }
      case DUCKDB -> {
        all.add(new Move("keyless file", List.of(FILE + "keyless"), List.of(FILE + "good"), true));
        all.add(new Move("other file", List.of(FILE + "other"), List.of(FILE + "good"), true));
      }
    }
    if (kind != Kind.DUCKDB) {
      all.add(Move.of("many rows", List.of(many()), List.of(again)));
      all.addAll(harmless());
    }
    return all;
  }

  /** What has to keep working: nobody is refused but for a moment. */
  List<Move> harmless() {
    return switch (kind) {
      case POSTGRESQL ->
          List.of(
              Move.harmless("ANALYZE t"),
              Move.harmless("CREATE INDEX IF NOT EXISTS more ON t(g)", "DROP INDEX IF EXISTS more"),
              Move.harmless("REINDEX TABLE CONCURRENTLY t"),
              Move.harmless("VACUUM FULL t"),
              Move.harmless("GRANT SELECT ON t TO PUBLIC"),
              Move.harmless(
                  "ALTER TABLE u ADD COLUMN IF NOT EXISTS later int",
                  "ALTER TABLE u DROP COLUMN IF EXISTS later"),
              Move.harmless(
                  "BEGIN",
                  "CREATE TABLE t_next(LIKE t INCLUDING ALL)",
                  "INSERT INTO t_next SELECT * FROM t",
                  "DROP TABLE t",
                  "ALTER TABLE t_next RENAME TO t",
                  "ALTER TABLE t RENAME CONSTRAINT t_next_id_key TO t_key",
                  "COMMIT"),
              Move.harmless("DELETE FROM t WHERE id = 9", "INSERT INTO t VALUES (9, 9)"));
      case MARIADB ->
          List.of(
              Move.harmless("ANALYZE TABLE t"),
              Move.harmless("OPTIMIZE TABLE t"),
              Move.harmless(
                  "CREATE INDEX IF NOT EXISTS more ON t(g)", "DROP INDEX IF EXISTS more ON t"),
              Move.harmless(
                  "ALTER TABLE u ADD COLUMN IF NOT EXISTS later int",
                  "ALTER TABLE u DROP COLUMN IF EXISTS later"),
              Move.harmless(
                  "CREATE OR REPLACE TABLE t_next LIKE t",
                  "INSERT INTO t_next SELECT * FROM t",
                  "RENAME TABLE t TO t_last, t_next TO t",
                  "DROP TABLE t_last"),
              Move.harmless("DELETE FROM t WHERE id = 9", "INSERT INTO t VALUES (9, 9)"));
      case SQLITE ->
          List.of(
              Move.harmless("ANALYZE"),
              Move.harmless("VACUUM"),
              Move.harmless("CREATE INDEX IF NOT EXISTS more ON t(g)", "DROP INDEX IF EXISTS more"),
              Move.harmless("DELETE FROM t WHERE id = 9", "INSERT INTO t VALUES (9, 9)"));
      case DUCKDB -> List.of(Move.harmless(FILE + "good"));
    };
  }

  /** Whether all of it could be done; tables that are held are not waited for. */
  boolean apply(List<String> statements) {
    return apply(statements, "50ms");
  }

  /** The same by somebody who waits longer, where the wait can be chosen. */
  boolean patiently(List<String> statements) {
    return apply(statements, "20s");
  }

  private boolean apply(List<String> statements, String wait) {
    if (statements.getFirst().startsWith(FILE)) {
      replace(statements.getFirst().substring(FILE.length()));
      return true;
    }
    try (Connection connection = connect(url)) {
      try {
        switch (kind) {
          case POSTGRESQL -> OpenGateway.write(connection, "SET lock_timeout = '" + wait + "'");
          case MARIADB -> OpenGateway.write(connection, "SET SESSION lock_wait_timeout = 1");
          case SQLITE -> OpenGateway.write(connection, "PRAGMA busy_timeout = 20");
          case DUCKDB -> {}
        }
        OpenGateway.write(connection, statements.toArray(String[]::new));
        return true;
      } catch (SQLException e) {
        OpenGateway.write(connection, "ROLLBACK");
        return false;
      }
    } catch (SQLException e) {
      return false;
    }
  }

  private void replace(String file) {
    try {
      Path beside = folder.resolve("beside.tmp");
      Files.copy(folder.resolve(file), beside, StandardCopyOption.REPLACE_EXISTING);
      Files.move(beside, folder.resolve("d.db"), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws SQLException {
    if (fresh.isPresent()) {
      fresh.get().close();
    }
  }
}
