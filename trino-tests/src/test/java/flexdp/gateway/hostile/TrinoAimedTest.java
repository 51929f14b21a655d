package flexdp.gateway.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Attacks on Trino fail, and succeed once what stops them is taken away. */
@Tag("soak")
class TrinoAimedTest {
  @Test
  void noAttackSucceeds() throws Exception {
    assertEquals("", String.join("\n\n", TrinoAims.leaks(TrinoAims.names())));
  }

  @TestFactory
  Stream<DynamicTest> everyMutantIsNoticed(@TempDir Path folder) {
    return TrinoAims.MUTANTS.stream()
        .map(
            mutant ->
                DynamicTest.dynamicTest(
                    mutant.name(),
                    () -> {
                      Path place = folder.resolve(mutant.name().replace(' ', '-'));
                      mutant.compile(place);
                      assertFalse(leaks(mutant, place).isEmpty(), mutant.name() + " survives");
                    }));
  }

  private static List<?> leaks(Mutant mutant, Path place) throws Exception {
    Class<?> aims = Mutant.loader(place, TrinoAims.class).loadClass(TrinoAims.class.getName());
    Method leaks = aims.getDeclaredMethod("leaks", List.class);
    leaks.setAccessible(true);
    return (List<?>) leaks.invoke(null, mutant.aims());
  }
}
