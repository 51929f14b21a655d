package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.gateway.hostile.Mutant;
import flexdp.gateway.hostile.Mutant.Edit;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * What was mended of moving tables and what the mover cannot show ({@link MoverMutantsTest} says
 * why), taken back: a test of its own fails then, and passes on what is whole.
 */
class MovedMutantsTest {
  /** Each with the test that notices, by class, method and, where it has one, its argument. */
  private static final List<Mutant> ALL =
      List.of(
          Mutant.of(
              "the file of DuckDB is what it was",
              "DuckDbConnector",
              "return state(path).filter(state::equals).isPresent();",
              "return state(path) != null;",
              "flexdp.gateway.MovedFileTest",
              "aFilePutInItsPlaceIsNotAnsweredFromTheOldOne"),
          Mutant.of(
              "the file of DuckDB is known by its number",
              "DuckDbConnector",
              "return state(path).filter(state::equals).isPresent();",
              "return state(path).filter(s -> s.substring(0, 8).equals(state.substring(0,"
                  + " 8))).isPresent();",
              "flexdp.gateway.MovedFileTest",
              "aFileThatIsCopiedOverIsNotRead"),
          Mutant.of(
              "the file of SQLite is what it was",
              "SqliteConnector",
              "return key.isPresent() && key.equals(key(path));",
              "return key.isPresent();",
              "flexdp.gateway.MovedSqliteTest",
              "aFileWithoutTheKeyPutInItsPlaceIsNotRead"),
          Mutant.of(
              "SQLite counts all changes of its schema",
              "SqliteTables",
              "if (before != null && !before.equals(texts)) {",
              "if (before != null && before.isEmpty()) {",
              "flexdp.gateway.MovedSqliteTest",
              "aKeyThatIsTakenFromTheTextAloneIsMissed"),
          Mutant.of(
              "rows of a replayed log are noted like others",
              "MariaDbChangeLog",
              "'COM_BINLOG'",
              "'COM_UNINSTALL_PLUGIN'",
              "flexdp.gateway.livedata.MariaDbCopiesTest",
              "rowsOfAReplayedBinaryLogAreNoticed"),
          new Mutant(
              "the way to owners is not looked at",
              List.of(
                  new Edit(
                      "SnapshotGuard",
                      "owner.hops().forEach(hop -> reads(hop.table()));",
                      "owner.hops().forEach(hop -> hop.table());"),
                  new Edit(
                      "SnapshotGuard",
                      "scanned(plan.read(point).input());",
                      "plan.read(point).input();")),
              List.of(
                  "flexdp.gateway.MovingWorldTest",
                  "theKeyOfATableOnTheWayToOwnersIsLookedAt",
                  "POSTGRESQL")),
          Mutant.of(
              "an expression is the same, stored or not",
              "MariaDbTables",
              "generation_expression, extra)",
              "generation_expression)",
              "flexdp.gateway.MovingWorldTest",
              "aStoredColumnThatIsComputedFromNowOnIsAnotherOne"));

  @Test
  void everyMutantHasItsPlace() throws Exception {
    for (Mutant mutant : ALL) {
      mutant.find();
    }
  }

  @TestFactory
  @Tag("nightly")
  Stream<DynamicTest> eachIsNoticedByATestOfItsOwn(@TempDir Path folder) {
    String only = System.getProperty("flexdp.mutants", "");
    return ALL.stream()
        .filter(mutant -> mutant.name().contains(only))
        .map(
            mutant ->
                DynamicTest.dynamicTest(
                    mutant.name(),
                    () -> {
                      Path whole = Files.createTempDirectory(folder, "whole");
                      Optional<Throwable> fault = failure(mutant, whole, whole);
                      assertTrue(fault.isEmpty(), () -> "on what is whole: " + fault);
                      Path place = Files.createTempDirectory(folder, "mutant");
                      mutant.compile(place);
                      Optional<Throwable> failed = failure(mutant, place, place);
                      assertTrue(failed.isPresent(), mutant.name() + " survives");
                    }));
  }

  /** How the mutant's test ends where this was compiled before the rest. */
  private static Optional<Throwable> failure(Mutant mutant, Path compiled, Path folder)
      throws Exception {
    List<String> aims = mutant.aims();
    Files.createDirectories(compiled.resolve("classes"));
    Class<?> test = Mutant.loader(compiled, MovedMutantsTest.class).loadClass(aims.getFirst());
    Method tested =
        methods(test).filter(m -> m.getName().equals(aims.get(1))).findFirst().orElseThrow();
    tested.setAccessible(true);
    all(test, BeforeAll.class, null);
    try {
      Constructor<?> constructor = test.getDeclaredConstructor();
      constructor.setAccessible(true);
      Object made = constructor.newInstance();
      for (Field field : test.getDeclaredFields()) {
        if (has(field, TempDir.class)) {
          field.setAccessible(true);
          field.set(made, Files.createTempDirectory(folder, "folder"));
        }
      }
      all(test, BeforeEach.class, made);
      Object[] arguments =
          Arrays.stream(tested.getParameterTypes())
              .map(type -> constant(type, aims.getLast()))
              .toArray();
      tested.invoke(made, arguments);
      return Optional.empty();
    } catch (InvocationTargetException e) {
      return Optional.of(e.getCause());
    } finally {
      all(test, AfterAll.class, null);
    }
  }

  private static Object constant(Class<?> type, String name) {
    return Arrays.stream(type.getEnumConstants())
        .filter(c -> c.toString().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static Stream<Method> methods(Class<?> test) {
    return Arrays.stream(test.getDeclaredMethods());
  }

  private static boolean has(AnnotatedElement element, Class<?> annotation) {
    return Arrays.stream(element.getAnnotations())
        .anyMatch(a -> a.annotationType().getName().equals(annotation.getName()));
  }

  private static void all(Class<?> test, Class<?> annotation, Object on) throws Exception {
    for (Method method : methods(test).filter(m -> has(m, annotation)).toList()) {
      method.setAccessible(true);
      method.invoke(on);
    }
  }
}
