package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertFalse;

import flexdp.gateway.hostile.Mutant;
import flexdp.gateway.hostile.Mutant.Edit;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * What was mended of moving tables, taken back: the mover finds it. What it cannot show is in
 * {@link MovedMutantsTest}: files of DuckDB that another process than the one that answers measures
 * or copies over, files of SQLite with the same count of changes, which only a new connection
 * reads, rows of a replayed log, and keys on the way to owners, since its people have too few rows.
 */
class MoverMutantsTest {
  private static final int MOST_MOVES = 400;
  private static final int MOST_SEQUENCES = 40;

  /** Each with the world in which it is looked for. */
  private static final List<Mutant> BY_NEIGHBOURS =
      List.of(
          Mutant.of(
              "declared keys are believed whoever keeps them",
              "PhysicalCatalog",
              "return physical(table).keys().stream().anyMatch(apart::containsAll);",
              "return vendor != null || physical(table).keys().stream().anyMatch(apart::containsAll);",
              "POSTGRESQL"),
          Mutant.of(
              "a key that is gone is not missed",
              "SnapshotGuard",
              "if (columns.containsAll(key) && !now.keys().contains(key)) {",
              "if (columns.containsAll(key) && now.keys() == null) {",
              "POSTGRESQL"),
          new Mutant(
              "looked at, then touched",
              List.of(
                  new Edit(
                      "SnapshotGuard",
                      "return database.session(all);",
                      "return database.session();"),
                  new Edit(
                      "SnapshotGuard",
                      "if (now.isPresent() && !stands(now.get())) {",
                      "if (now.isEmpty() && now.isPresent() && !stands(now.get())) {")),
              List.of("POSTGRESQL")),
          new Mutant(
              "others' operators are found",
              List.of(
                  new Edit(
                      "PostgreSqlTransaction",
                      "\"SET LOCAL search_path = pg_catalog, pg_temp\"",
                      "\"SET LOCAL search_path = public, pg_catalog\""),
                  new Edit(
                      "PostgreSqlTransaction",
                      "List.of(\"repeatable read\", \"on\", \"pg_catalog, pg_temp\")",
                      "List.of(\"repeatable read\", \"on\", \"public, pg_catalog\")")),
              List.of("POSTGRESQL")),
          new Mutant(
              "the search path is set for the session",
              List.of(
                  new Edit(
                      "PostgreSqlTransaction",
                      "PATH, \"SET LOCAL TimeZone = 'UTC'\",",
                      "\"SET LOCAL TimeZone = 'UTC'\","),
                  new Edit(
                      "PostgreSqlTransaction",
                      "if (!said.equals(EXPECTED)) {",
                      "if (said.isEmpty()) {"),
                  new Edit(
                      "PostgreSqlConnector",
                      "public List<String> settings(Duration timeout) { return List.of(); }",
                      "public List<String> settings(Duration timeout) { return"
                          + " List.of(\"SET search_path = pg_catalog, pg_temp\"); }")),
              List.of("POOLED")),
          new Mutant(
              "keys are read where a table can stand before them",
              List.of(
                  new Edit(
                      "SqliteTables",
                      "statements.run(\"PRAGMA main.\" + name, reader);",
                      "statements.run(name.startsWith(\"index_list(\") ? \"SELECT * FROM pragma_\""
                          + " + name.replaceFirst(\"[(].*\", \"\") : \"PRAGMA main.\" + name,"
                          + " reader);")),
              List.of("SQLITE")),
          Mutant.of(
              "a state is believed without its mark",
              "PostgreSqlChangeLog",
              "return seen[0];",
              "return seen[0] || mark != null;",
              "NOTED"),
          Mutant.of(
              "a view is as good as a table",
              "SnapshotGuard",
              "if (now.kind() != then.kind()) {",
              "if (now.kind() == null) {",
              "MARIADB"),
          Mutant.of(
              "public tables are not looked at",
              "SnapshotGuard",
              "asked.forEach((name, table) -> require(policy.table(name).orElseThrow(), table,"
                  + " present));",
              "asked.forEach((name, table) -> { if (policy.table(name).orElseThrow().isProtected())"
                  + " { require(policy.table(name).orElseThrow(), table, present); } });",
              "SQLITE"),
          Mutant.of(
              "a schema of others is written to",
              "PostgreSqlChangeLog",
              "if (strange.isPresent()) {",
              "if (strange.isPresent() && strange.isEmpty()) {",
              "NOTED"),
          new Mutant(
              "positions are taken on a standby",
              List.of(
                  new Edit(
                      "PostgreSqlChangeLog",
                      "+ \" pg_catalog.pg_is_in_recovery()\",",
                      "+ \" false\","),
                  new Edit("PostgreSqlChangeLog", "AND NOT pg_catalog.pg_is_in_recovery()", ""),
                  new Edit(
                      "PostgreSqlChangeLog", "return seen[0];", "return seen[0] || mark != null;")),
              List.of("NOTED")),
          Mutant.of(
              "metrics of an earlier state are used",
              "LiveMetrics",
              "case Trust.Again ignored -> again(table, earlier, statements);",
              "case Trust.Again ignored -> table == null ? again(table, earlier, statements) :"
                  + " earlier;",
              "SQLITE"));

  private static final List<Mutant> BY_THE_LEDGER =
      List.of(
          Mutant.of(
              "tables are who they were when the database was opened",
              "SnapshotGuard",
              "if (!other.isEmpty()) {",
              "if (other.size() > 1000) {",
              "POSTGRESQL"),
          Mutant.of(
              "partitions are no part of a table",
              "PostgreSqlConnector",
              "numbers.getOrDefault(TableDefinitions.Name.of(table), List.of());",
              "numbers.getOrDefault(TableDefinitions.Name.of(table),"
                  + " List.<Long>of()).stream().limit(1).toList();",
              "POSTGRESQL"),
          new Mutant(
              "metrics do not know their ledger",
              List.of(
                  new Edit(
                      "LedgerOpening",
                      "if (named.isPresent() && !named.equals(read.ledger()) &&"
                          + " !read.lossAccepted()) {",
                      "if (named.isPresent() && read.ledger() == null) {"),
                  new Edit(
                      "LedgerOpening",
                      "if (!Files.exists(file) && known.isPresent()) {",
                      "if (!Files.exists(file) && known == null) {")),
              List.of("SQLITE")));

  @Test
  void everyMutantHasItsPlace() throws Exception {
    for (Mutant mutant : BY_NEIGHBOURS) {
      mutant.find();
    }
    for (Mutant mutant : BY_THE_LEDGER) {
      mutant.find();
    }
  }

  @TestFactory
  @Tag("nightly")
  Stream<DynamicTest> theMoverFindsEachOfThem(@TempDir Path folder) {
    return Stream.concat(
        BY_NEIGHBOURS.stream().map(m -> test(m, Mover.class, MOST_MOVES, folder)),
        BY_THE_LEDGER.stream().map(m -> test(m, LedgerMover.class, MOST_SEQUENCES, folder)));
  }

  private static DynamicTest test(Mutant mutant, Class<?> mover, int most, Path folder) {
    return DynamicTest.dynamicTest(
        mutant.name(),
        () -> {
          Path place = Files.createTempDirectory(folder, "mutant");
          assertFalse(found(mutant, mover, most, place).isEmpty(), mutant.name() + " survives");
        });
  }

  /** What is found in the mutant. */
  static String found(Mutant mutant, Class<?> mover, int most, Path place) throws Exception {
    mutant.compile(place);
    Method finds =
        Mutant.loader(place, mover)
            .loadClass(mover.getName())
            .getDeclaredMethod("finds", String.class, long.class, Path.class, int.class);
    finds.setAccessible(true);
    Path world = Files.createDirectories(place.resolve("world"));
    return finds.invoke(null, mutant.aims().getFirst(), 7L, world, most).toString();
  }
}
