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

/** What was mended of moving tables, taken back: the mover finds it. */
class MoverMutantsTest {
  private static final int MOST_MOVES = 400;

  /** Each with the database on which it is looked for. */
  private static final List<Mutant> ALL =
      List.of(
          Mutant.of(
              "declared keys are believed whoever keeps them",
              "EnforcedKeys",
              "return table.keys().stream().anyMatch(columns::containsAll);",
              "return table != null || table.keys().stream().anyMatch(columns::containsAll);",
              "POSTGRESQL"),
          Mutant.of(
              "a key that is gone is not missed",
              "Enforced",
              "if (columns.containsAll(key) && !now.keys().contains(key)) {",
              "if (columns.containsAll(key) && now.keys() == null) {",
              "POSTGRESQL"),
          Mutant.of(
              "a view is as good as a table",
              "Enforced",
              "if (now.kind() != then.kind()) {",
              "if (now.kind() == null) {",
              "MARIADB"),
          new Mutant(
              "looked at, then touched",
              List.of(
                  new Edit(
                      "Footing", "return database.session(all);", "return database.session();"),
                  new Edit(
                      "Footing",
                      "if (now.isPresent() && !stands(now.get())) {",
                      "if (now.isEmpty() && !stands(now.orElseThrow())) {")),
              List.of("POSTGRESQL")),
          Mutant.of(
              "metrics of an earlier state are used",
              "LiveMetrics",
              "case Trust.Again ignored -> again(table, earlier, statements);",
              "case Trust.Again ignored -> table == null ? again(table, earlier, statements) :"
                  + " earlier;",
              "SQLITE"));

  @Test
  void everyMutantHasItsPlace() throws Exception {
    for (Mutant mutant : ALL) {
      mutant.find();
    }
  }

  @TestFactory
  @Tag("nightly")
  Stream<DynamicTest> theMoverFindsEachOfThem(@TempDir Path folder) {
    return ALL.stream()
        .map(
            mutant ->
                DynamicTest.dynamicTest(
                    mutant.name(),
                    () -> {
                      Path place = folder.resolve(Integer.toString(ALL.indexOf(mutant)));
                      mutant.compile(place);
                      Class<?> mover =
                          Mutant.loader(place, Mover.class).loadClass(Mover.class.getName());
                      Method finds =
                          mover.getDeclaredMethod(
                              "finds", String.class, long.class, Path.class, int.class);
                      finds.setAccessible(true);
                      String kind = mutant.aims().getFirst();
                      Path world = Files.createDirectories(place.resolve("world"));
                      assertFalse(
                          finds.invoke(null, kind, 7L, world, MOST_MOVES).toString().isEmpty(),
                          mutant.name() + " survives");
                    }));
  }
}
