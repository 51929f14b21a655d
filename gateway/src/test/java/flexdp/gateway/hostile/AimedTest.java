package flexdp.gateway.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import flexdp.gateway.FreshPostgres;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Attacks that once succeeded fail, and succeed again once what stopped them is taken away. */
class AimedTest {
  /** So many show every time that mutants are made, loaded and noticed. */
  private static final int SAMPLE = 3;

  /** Words in the names of mutants, to try these alone. */
  private static final String ONLY = System.getProperty("flexdp.mutants", "");

  private static EmbeddedPostgres postgres;

  @BeforeAll
  static void start() throws Exception {
    postgres = FreshPostgres.own().start();
    PostgresTestBed.prepare(postgres);
  }

  @AfterAll
  static void stop() throws Exception {
    postgres.close();
  }

  @TestFactory
  Stream<DynamicTest> noAttackSucceeds() {
    return Aims.names().stream()
        .map(
            name ->
                DynamicTest.dynamicTest(
                    name,
                    () ->
                        assertEquals(
                            "", String.join("\n\n", Aims.leaks(postgres, List.of(name))))));
  }

  @Test
  void everyMutantHasItsPlace() throws Exception {
    for (Mutant mutant : Mutants.ALL) {
      mutant.find();
    }
  }

  @TestFactory
  Stream<DynamicTest> someMutantsAreNoticed(@TempDir Path folder) {
    return noticed(Mutants.ALL.subList(0, SAMPLE), folder);
  }

  @TestFactory
  @Tag("nightly")
  Stream<DynamicTest> everyMutantIsNoticed(@TempDir Path folder) {
    return noticed(Mutants.ALL.stream().filter(m -> m.name().contains(ONLY)).toList(), folder);
  }

  private static Stream<DynamicTest> noticed(List<Mutant> mutants, Path folder) {
    return mutants.stream()
        .map(
            mutant ->
                DynamicTest.dynamicTest(
                    mutant.name(),
                    () -> {
                      Path place = folder.resolve(Integer.toString(mutants.indexOf(mutant)));
                      mutant.compile(place);
                      assertFalse(leaks(mutant, place).isEmpty(), mutant.name() + " survives");
                    }));
  }

  private static List<?> leaks(Mutant mutant, Path place) throws Exception {
    Class<?> aims = Mutant.loader(place, Aims.class).loadClass(Aims.class.getName());
    Method leaks = aims.getDeclaredMethod("leaks", EmbeddedPostgres.class, List.class);
    leaks.setAccessible(true);
    return (List<?>) leaks.invoke(null, postgres, mutant.aims());
  }
}
