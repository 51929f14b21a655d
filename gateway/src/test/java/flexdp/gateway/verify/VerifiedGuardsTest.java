package flexdp.gateway.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.gateway.hostile.Mutant;
import flexdp.gateway.hostile.Mutant.Edit;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever would raise on some value is found out once nothing catches it any more: the rows that
 * are made up hold values beyond what functions, conversions and sums can take.
 */
class VerifiedGuardsTest {
  private static final int MANY = 300;
  private static final int FEW = 20;

  /** Nothing catches what one kind of expression raises. */
  private record Unguarded(Mutant mutant, List<String> questions) {
    static Unguarded of(String name, List<Edit> edits, String... questions) {
      return new Unguarded(new Mutant(name, edits, List.of()), List.of(questions));
    }
  }

  private static final List<Unguarded> ALL =
      List.of(
          Unguarded.of(
              "functions raise",
              List.of(
                  new Edit(
                      "DuckDb",
                      "return new DuckDbFunctions(this).call(function, arguments, type);",
                      "return new DuckDbFunctions(this).call(function, arguments, type)"
                          + ".replace(\"TRY(\", \"(\").replace(\"TRY_CAST(\", \"CAST(\");")),
              "SELECT COUNT(*) FROM t WHERE MOD(id + 1, 7) = 1",
              "SELECT COUNT(*) FROM t WHERE b * 2 > 7",
              "SELECT COUNT(*) FROM t WHERE a - b > 0",
              "SELECT COUNT(*) FROM t WHERE -b > 0",
              "SELECT COUNT(*) FROM t WHERE ABS(b) > 0",
              "SELECT COUNT(*) FROM t WHERE f + 1 > 3",
              "SELECT COUNT(*) FROM t WHERE LN(x) > 0",
              "SELECT COUNT(*) FROM t WHERE LOG10(x) > 0",
              "SELECT COUNT(*) FROM t WHERE SQRT(x - 4) > 1",
              "SELECT SUM(CASE WHEN s = 'x' THEN SQRT(x - 42) END) FILTER (WHERE a = 1) FROM t"),
          Unguarded.of(
              "conversions raise",
              List.of(
                  new Edit(
                      "DuckDb",
                      "String converted = \"TRY_CAST(\" + value",
                      "String converted = \"CAST(\" + value")),
              "SELECT COUNT(*) FROM t WHERE CAST(s AS INTEGER) = 1",
              "SELECT COUNT(*) FROM t WHERE CAST(s AS DATE) > DATE '2024-01-01'",
              "SELECT COUNT(*) FROM t WHERE CAST(s AS BOOLEAN)",
              "SELECT COUNT(*) FROM t WHERE CAST(x AS BIGINT) = 1",
              "SELECT COUNT(*) FROM t WHERE CAST(id AS DECIMAL(38,30)) = 1",
              "SELECT COUNT(*) FROM t WHERE CAST(id AS INTEGER) > b",
              "SELECT COUNT(*) FROM t LEFT JOIN p ON CAST(t.s AS INTEGER) = p.id"));

  @Test
  void everyGuardHasItsPlace() throws Exception {
    for (Unguarded one : ALL) {
      one.mutant().find();
    }
  }

  @TestFactory
  @Tag("nightly")
  Stream<DynamicTest> whatRaisesIsFound(@TempDir Path folder) {
    return ALL.stream()
        .flatMap(
            one -> {
              Path place = folder.resolve(Integer.toString(ALL.indexOf(one)));
              return one.questions().stream()
                  .map(
                      sql ->
                          DynamicTest.dynamicTest(
                              one.mutant().name() + ": " + sql, () -> found(one, place, sql)));
            });
  }

  private static void found(Unguarded one, Path place, String sql) throws Exception {
    if (!place.toFile().exists()) {
      one.mutant().compile(place);
    }
    Class<?> verifying = Mutant.loader(place, Verifying.class).loadClass(Verifying.class.getName());
    Method broken = verifying.getMethod("broken", String.class, String.class, int.class);
    String what = (String) broken.invoke(null, Verifying.ROWS, sql, MANY);
    assertTrue(what.contains("it fails"), sql + " survives: " + what);
  }

  @TestFactory
  Stream<DynamicTest> nothingRaisesAsItIs() {
    return ALL.stream()
        .flatMap(one -> one.questions().stream())
        .map(
            sql ->
                DynamicTest.dynamicTest(
                    sql, () -> assertEquals("", Verifying.broken(Verifying.ROWS, sql, FEW), sql)));
  }
}
