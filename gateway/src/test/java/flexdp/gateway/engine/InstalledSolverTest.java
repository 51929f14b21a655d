package flexdp.gateway.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.people.packing.PackingSolver;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class InstalledSolverTest {
  /** Everything but the library. */
  private static final class Without extends ClassLoader {
    Without() {
      super(ClassLoader.getPlatformClassLoader());
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      if (name.startsWith("com.google.ortools")) {
        throw new ClassNotFoundException(name);
      }
      String file = name.replace('.', '/') + ".class";
      try (InputStream in = InstalledSolverTest.class.getClassLoader().getResourceAsStream(file)) {
        if (in == null) {
          throw new ClassNotFoundException(name);
        }
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }

  @Test
  void withoutTheLibraryThereIsNoSolver() throws ReflectiveOperationException {
    Class<?> lonely = Class.forName("flexdp.gateway.engine.InstalledSolver", true, new Without());
    Method find = lonely.getDeclaredMethod("find");
    find.setAccessible(true);
    assertEquals(Optional.empty(), find.invoke(null));
  }

  /** max x + y + z, two people who share two results each: prices and values are right. */
  @Test
  void pricesAreRight() {
    PackingSolver.Packing packing =
        new PackingSolver.Packing(2, new double[] {0.75, 0.5, 1}, new int[][] {{0}, {0, 1}, {1}});
    PackingSolver.Solution solution = InstalledSolver.find().orElseThrow().solve(packing);
    double sum = solution.of(0) + solution.of(1) + solution.of(2);
    assertEquals(1.75, sum, 1e-9);
    double bound = solution.price(0) + solution.price(1);
    double[] left = {
      1 - solution.price(0), 1 - solution.price(0) - solution.price(1), 1 - solution.price(1)
    };
    for (int i = 0; i < 3; i++) {
      bound += packing.weights()[i] * Math.max(0, left[i]);
    }
    assertTrue(bound - sum < 1e-9, "gap " + (bound - sum));
  }
}
