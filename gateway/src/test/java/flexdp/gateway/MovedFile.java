package flexdp.gateway;

import flexdp.failure.DatabaseError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A file of DuckDB or SQLite, and others that are put in its place. */
abstract class MovedFile extends MovedWorld {
  private final Path folder;
  private final String engine;
  private final Series series;

  MovedFile(Path folder, String engine, Series series) throws Exception {
    this.folder = folder;
    this.engine = engine;
    this.series = series;
    make("good");
    make("keyless", "DROP TABLE t", "ALTER TABLE t_new RENAME TO t");
    make("other", many(series));
    put("good");
  }

  private void make(String name, String... more) throws SQLException {
    try (Connection connection = connect(name)) {
      OpenGateway.write(connection, tables(series).toArray(String[]::new));
      OpenGateway.write(connection, more);
    }
  }

  private Connection connect(String name) throws SQLException {
    return DriverManager.getConnection("jdbc:" + engine + ":" + folder.resolve(name));
  }

  Path file() {
    return folder.resolve("d.db");
  }

  @Override
  List<String> urls() {
    return List.of("jdbc:" + engine + ":" + file());
  }

  @Override
  Connection connect() throws SQLException {
    return connect("d.db");
  }

  /** Whole, under another name first. */
  private void put(String name) throws IOException {
    Path beside = folder.resolve("beside.tmp");
    Files.copy(folder.resolve(name), beside, StandardCopyOption.REPLACE_EXISTING);
    Files.move(beside, file(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Put in its place. */
  Act file(String name) {
    return patient -> {
      put(name);
      return true;
    };
  }

  /** In place, as cp does it. */
  Act over(String name) {
    return patient -> {
      Files.write(file(), Files.readAllBytes(folder.resolve(name)));
      return true;
    };
  }

  /** Put in its place, and measured by the owner. */
  private Act measured(String name) {
    return patient -> {
      put(name);
      Await.until(this::isMeasured, "who has the old file open closes it");
      return true;
    };
  }

  /** Within a process the new file is not opened as long as somebody has the old one. */
  private boolean isMeasured() throws Exception {
    try {
      collect(url());
      return true;
    } catch (DatabaseError e) {
      return false;
    }
  }

  @Override
  List<Move> moves() {
    return new ArrayList<>(
        List.of(
            Move.of("keyless file", file("keyless"), file("good")).slowly(),
            Move.of("other file", file("other"), file("good")).slowly(),
            Move.of("other file, measured", measured("other"), measured("good")).slowly()));
  }

  @Override
  public void close() {}

  static final class Sqlite extends MovedFile {
    Sqlite(Path folder) throws Exception {
      super(folder, "sqlite", Series::recursive);
    }

    @Override
    String waiting(boolean patient) {
      return "PRAGMA busy_timeout = " + (patient ? 20_000 : 20);
    }

    @Override
    List<Move> moves() {
      List<Move> all = super.moves();
      all.addAll(harmless());
      all.add(
          move(
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
          move(
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
      all.add(
          move(
              "rename",
              List.of("ALTER TABLE t RENAME TO t_gone"),
              List.of("ALTER TABLE t_gone RENAME TO t")));
      all.add(move("many rows", List.of(many(Series::recursive)), List.of(FEW_AGAIN)));
      all.add(
          move(
              "a table named like the catalogue",
              List.of(
                  "BEGIN IMMEDIATE",
                  "CREATE TABLE pragma_index_list(seq, name, \"unique\", origin, partial)",
                  "INSERT INTO pragma_index_list VALUES (0, 'sqlite_autoindex_u_1', 1, 'u', 0)",
                  "ALTER TABLE t RENAME TO t_x",
                  "ALTER TABLE t_new RENAME TO t",
                  "COMMIT"),
              List.of(
                  "BEGIN IMMEDIATE",
                  "DROP TABLE pragma_index_list",
                  "ALTER TABLE t RENAME TO t_new",
                  "ALTER TABLE t_x RENAME TO t",
                  "COMMIT")));
      Act less =
          all(
              "BEGIN IMMEDIATE",
              "PRAGMA writable_schema = ON",
              "UPDATE sqlite_schema SET sql = replace(sql, ', CONSTRAINT t_key UNIQUE (id)', '')"
                  + " WHERE name = 't'",
              "DELETE FROM sqlite_schema WHERE type = 'index' AND tbl_name = 't'",
              "COMMIT");
      Act twice = all("INSERT INTO t SELECT 1, 5000 + i FROM " + Series.recursive(2, MANY));
      all.add(
          Move.of(
                  "the key's text",
                  patient -> less.make(patient) && twice.make(patient),
                  file("good"))
              .slowly());
      return all;
    }

    @Override
    List<Move> harmless() {
      return List.of(
          harmless("ANALYZE"),
          harmless("VACUUM"),
          harmless("CREATE INDEX IF NOT EXISTS more ON t(g)", "DROP INDEX IF EXISTS more"),
          harmless("DELETE FROM t WHERE id = 9", "INSERT INTO t VALUES (9, 9)"),
          harmless(
              "BEGIN IMMEDIATE",
              "CREATE TABLE u_next(tid int NOT NULL, city varchar(20) NOT NULL, UNIQUE (tid))",
              "INSERT INTO u_next SELECT * FROM u",
              "DROP TABLE u",
              "ALTER TABLE u_next RENAME TO u",
              "COMMIT"),
          new Move("the same file", file("good"), Optional.empty(), false));
    }
  }

  static final class DuckDb extends MovedFile {
    DuckDb(Path folder) throws Exception {
      super(folder, "duckdb", (from, to) -> "range(%d, %d) AS r(i)".formatted(from, to + 1));
    }

    @Override
    String waiting(boolean patient) {
      return "SELECT 1";
    }

    /** Another program, which DuckDB lets write only when nobody has the file open. */
    private Move written() {
      return Move.of(
          "a writer",
          patient ->
              MovedFileTest.writer(
                          url(),
                          many((from, to) -> "range(%d, %d) AS r(i)".formatted(from, to + 1)))
                      .waitFor()
                  == 0,
          file("good"));
    }

    @Override
    List<Move> moves() {
      List<Move> all = super.moves();
      all.add(written().slowly());
      all.add(Move.of("copied over", over("other"), file("good")).slowly());
      return all;
    }

    @Override
    List<Move> harmless() {
      return List.of(new Move("the same file", file("good"), Optional.empty(), false));
    }
  }
}
