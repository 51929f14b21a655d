package flexdp.gateway.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import flexdp.gateway.hostile.Mutant;
import flexdp.gateway.hostile.Mutant.Edit;
import flexdp.gateway.hostile.Mutants;
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
 * An engine with a mistake in it is found out: rules weakened, what was mended broken again, noise
 * made too small. The same questions find nothing in the engine as it is.
 */
class VerifiedMutantsTest {
  private static final int MANY = 600;
  private static final int FEW = 30;
  private static final int SAMPLE = 3;

  /** A mistake and a question that shows it. */
  private record Case(Mutant mutant, String policy, String sql) {
    static Case rows(String name, String type, String text, String replacement, String sql) {
      return new Case(Mutant.of(name, type, text, replacement), Verifying.ROWS, sql);
    }

    /** One that attacks found first, and that was mended since. */
    static Case mended(String name, String sql) {
      return new Case(Mutants.named(name), Verifying.ROWS, sql);
    }

    static Case named(String name, String type, String text, String replacement, String sql) {
      return new Case(Mutant.of(name, type, text, replacement), Verifying.NAMED, sql);
    }

    static Case squares(String name, String type, String text, String replacement, String sql) {
      return new Case(Mutant.of(name, type, text, replacement), Verifying.SQUARES, sql);
    }

    static Case beside(String name, String type, String text, String replacement, String sql) {
      return new Case(Mutant.of(name, type, text, replacement), Verifying.BESIDE, sql);
    }

    static Case people(String name, String type, String text, String replacement, String sql) {
      return new Case(Mutant.of(name, type, text, replacement), Verifying.PEOPLE, sql);
    }
  }

  private static final List<Case> CASES =
      List.of(
          Case.rows(
              "rows of the second table join nobody",
              "JoinRule",
              "terms.product(\"S-INNER.P.2\", matches1, two.added()),",
              "BoundOrReason.ZERO,",
              "SELECT COUNT(*) FROM t JOIN u ON t.id = u.a"),
          Case.rows(
              "a new row does not meet itself",
              "JoinRule",
              "() -> innerAdded(m1, grown(m2), BoundOrReason.ZERO),\n"
                  + "            () -> innerAdded(grown(m1), m2, BoundOrReason.ZERO));",
              "() -> innerAdded(m1, m2, BoundOrReason.ZERO),\n"
                  + "            () -> innerAdded(m1, m2, BoundOrReason.ZERO));",
              "SELECT COUNT(*) FROM t JOIN t v ON t.b = v.b"),
          Case.rows(
              "EXISTS has one row outside",
              "SubqueryRule",
              "analysis.terms.product(place + \".M1\", rows, BoundOrReason.min(changes, keysTouched))",
              "rows == null ? rows : BoundOrReason.min(changes, keysTouched)",
              "SELECT COUNT(*) FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.a = t.b)"),
          Case.rows(
              "a group that changes neither leaves nor comes",
              "AggregateRule",
              "\"S-GROUP\", shown, shown, terms.product(\"S-GROUP.T\", BoundOrReason.of(2), shown));",
              "\"S-GROUP\", shown, shown, shown);",
              "SELECT CASE WHEN n = 1 THEN 'one' ELSE 'more' END AS k, COUNT(*) FROM"
                  + " (SELECT b, COUNT(*) AS n FROM t GROUP BY b) g GROUP BY 1"),
          Case.rows(
              "sums move by their nearer end",
              "Sensitivity",
              "Bound.product(Bound.max(high, low), histogram(signed))",
              "Bound.product(Bound.min(high, low), histogram(signed))",
              "SELECT s, SUM(a) FROM t GROUP BY s"),
          Case.mended(
              "bigint to double is injective", "SELECT COUNT(*) FROM t JOIN u ON t.id = u.x"),
          Case.mended(
              "set operations convert by themselves",
              "SELECT COUNT(*) FROM (SELECT id AS k FROM t UNION ALL SELECT CAST(-1 AS DOUBLE)) z"
                  + " JOIN u ON z.k = u.x"),
          Case.mended(
              "a NULL-safe equality follows what becomes NULL",
              "SELECT COUNT(*) FROM t JOIN u ON t.id IS NOT DISTINCT FROM u.f"),
          Case.mended(
              "text shows the sign of zero on DuckDB",
              "SELECT COUNT(DISTINCT CAST(t.x AS VARCHAR)) FROM t JOIN u ON t.x = u.x"),
          Case.mended(
              "frequencies with NULL follow what becomes NULL",
              "SELECT COUNT(*) FROM (SELECT COUNT(*) OVER (PARTITION BY z.k) AS c FROM (SELECT id"
                  + " AS k FROM t UNION ALL SELECT f FROM u) z) y WHERE y.c > 200"),
          Case.mended(
              "rows of VALUES are counted before they are converted",
              "SELECT COUNT(*) FROM (VALUES (100000000), (100000001), (100000002),"
                  + " (0.000000000000000000000000000001)) v(a) JOIN u ON v.a IS NOT DISTINCT FROM"
                  + " u.f"),
          Case.mended("labels show the sign of zero", "SELECT x, COUNT(*) FROM t GROUP BY x"),
          Case.mended(
              "moments at the end of the zones are converted",
              "SELECT COUNT(*) FROM t WHERE at > TIMESTAMP '2024-01-01 00:00:00'"),
          Case.mended(
              "functions fail on DuckDB where they have no value",
              "SELECT COUNT(*) FROM t WHERE LN(x) > 0"),
          Case.mended(
              "digits after the point may be cut off",
              "SELECT COUNT(*) FROM t JOIN u ON CAST(t.f AS BIGINT) = u.id"),
          Case.mended(
              "labels may be intervals",
              "SELECT CASE WHEN b = 1 THEN INTERVAL '1' DAY ELSE INTERVAL '2' DAY END AS g,"
                  + " COUNT(*) FROM t WHERE s = 'x' GROUP BY 1"),
          Case.mended(
              "a label that cannot be read ends the question",
              "SELECT x, COUNT(*) FROM t GROUP BY x"),
          new Case(
              new Mutant(
                  "24:00 is a time of day",
                  List.of(
                      new Edit(
                          "DuckDbCanonicalForm",
                          "Optional.of(sql + \" < TIME '24:00:00'\");",
                          "Optional.of(sql + \" IS NOT NULL\");"),
                      Mutants.UNREADABLE_THROWS,
                      Mutants.THROWING),
                  List.of()),
              Verifying.ROWS,
              "SELECT tm, COUNT(*) FROM t GROUP BY tm"),
          Case.mended(
              "rows in one group are not grouped",
              "SELECT COUNT(*) FROM (SELECT 1 AS s FROM t a JOIN t b ON a.b = b.b"
                  + " GROUP BY GROUPING SETS ((), ())) z"),
          Case.mended(
              "far days are kept on DuckDB",
              "SELECT COUNT(*) FROM t WHERE DATE_TRUNC('month', d) = DATE '2024-02-01'"),
          Case.rows(
              "every measurement has the whole epsilon",
              "Planner",
              "BigDecimal epsilon = epsilon(share);",
              "BigDecimal epsilon = epsilon(request.epsilon());",
              "SELECT COUNT(*), SUM(x) FROM t"),
          Case.rows(
              "half the noise",
              "Laplace",
              ".over(Rational.of(epsilon));\n  }\n\n  /** The least",
              ".over(Rational.of(epsilon.multiply(BigDecimal.TWO)));\n  }\n\n  /** The least",
              "SELECT COUNT(*) FROM t"),
          Case.rows(
              "MODE at twice its rate",
              "PrivateMode",
              "sensitivity.divide(BigDecimal.TWO)",
              "sensitivity.divide(BigDecimal.valueOf(4))",
              "SELECT MODE(s) FROM t"),
          new Case(
              new Mutant(
                  "MODE of the labels that rows have",
                  List.of(
                      new Edit(
                          "PrivateMode",
                          "if (gap.signum() > 0) {",
                          "if (gap.signum() > 0 && buckets.isEmpty()) {"),
                      new Edit(
                          "PrivateMode",
                          "if (next.compareTo(candidates) < 0) {",
                          "if (next.compareTo(candidates) < 0 && buckets.isEmpty()) {")),
                  List.of()),
              Verifying.ROWS,
              "SELECT MODE(s), COUNT(*) FROM t"),
          Case.people(
              "MODE by people at eight times its rate",
              "ClippedRelease",
              "new BigDecimal(clipping().moved(picked, level)),",
              "new BigDecimal(clipping().moved(picked, level).shiftRight(3)),",
              "SELECT MODE(v) FROM items"),
          Case.beside(
              "a weighted quantile beside rows moves by D·τ rows",
              "ClippingPlan",
              "case Measurement.Quantile quantile -> crossUnit.weightedRanks(tau, quantile.perRow());",
              "case Measurement.Quantile quantile -> crossUnit.weightedCount(tau);",
              "SELECT MEDIAN(n.v) FROM orders o JOIN notes n ON n.user_id = o.user_id AND n.v >"
                  + " o.a"),
          Case.people(
              "who weighs twice the level is not cut off",
              "Contributions",
              "if (bucket <= level) {",
              "if (bucket <= level + 1) {",
              "SELECT COUNT(*) FROM orders"),
          Case.people(
              "a person's rows add up to no more than their number",
              "ClippingPlan",
              "BigInteger own = byRows ? tau.multiply(perRow(measurement)) : tau;",
              "BigInteger own = tau;",
              "SELECT AVG(a) FROM orders"),
          Case.squares(
              "shares of lengths are rounded by a conversion",
              "DuckDb",
              "return \"CAST(TRUNC(\" + real + \") AS BIGINT)\";",
              "return \"CAST(\" + real + \" + 0.5 AS BIGINT)\";",
              "SELECT a, COUNT(*) FROM orders GROUP BY a"),
          Case.squares(
              "a length is that of the largest cell",
              "DuckDb",
              "String sum = \"SUM(\" + number + \" * \" + number + \")\" + over;",
              "String sum = \"MAX(\" + number + \" * \" + number + \")\" + over;",
              "SELECT i.v, o.a, u.a AS b, COUNT(*) FROM items i JOIN orders o ON i.order_id = o.id"
                  + " JOIN users u ON o.user_id = u.id GROUP BY 1, 2, 3"),
          Case.squares(
              "a row that many measurements share weighs one in length",
              "ClippingPlan",
              "BigInteger row = byRows ? perRow(measurement) : BigInteger.ONE;",
              "BigInteger row = BigInteger.ONE;",
              "SELECT a, AVG(a) FROM orders GROUP BY a"),
          Case.people(
              "keys beside other numbers are counted like people",
              "ClippingPlan",
              "        && !keys.contains(measurement.output().id());",
              "        && measurement.output().id() >= 0;",
              "SELECT COUNT(*), COUNT(DISTINCT id) FROM orders"),
          Case.people(
              "a row with two owners is the first one's",
              "PackedRelease",
              "if (value != null) {",
              "if (value != null && named.isEmpty()) {",
              "SELECT COUNT(*) FROM follows"),
          Case.people(
              "a person with one row is in one grouping set",
              "ReleaseRule",
              ".multiply(BigInteger.valueOf(point.groupingSets().size()))",
              "",
              "SELECT a, SUM(a) FROM users GROUP BY GROUPING SETS ((a), ())"),
          Case.named(
              "users whom no table knows are others in each table",
              "OwnedJoin",
              "rules.isFree(join.right())",
              "true",
              "SELECT COUNT(*) FROM ratings r JOIN orders o ON r.a = o.a"),
          Case.named(
              "a path to users whom no table knows leads to the row that it passes",
              "OwnedTableRows",
              "at = named(columns, hop.column());",
              "at = named(columns, hop.key());",
              "SELECT COUNT(*) FROM items"),
          Case.people(
              "owners of two sides are one whatever joins them",
              "MultiOwnerRelations",
              "return one != null && other != null && one.isAlike(other);",
              "return true;",
              "SELECT COUNT(*) FROM follows f JOIN follows g ON f.src = g.src"));

  @Test
  void everyMistakeHasItsPlace() throws Exception {
    for (Case one : CASES) {
      one.mutant().find();
    }
  }

  @TestFactory
  Stream<DynamicTest> someMistakesAreFound(@TempDir Path folder) {
    return found(CASES.subList(0, SAMPLE), folder);
  }

  @TestFactory
  @Tag("nightly")
  Stream<DynamicTest> everyMistakeIsFound(@TempDir Path folder) {
    return found(CASES, folder);
  }

  private static Stream<DynamicTest> found(List<Case> cases, Path folder) {
    String only = System.getProperty("flexdp.mutants", "");
    return cases.stream()
        .filter(one -> one.mutant().name().contains(only))
        .map(
            one ->
                DynamicTest.dynamicTest(
                    one.mutant().name(),
                    () -> {
                      Path place = folder.resolve(Integer.toString(cases.indexOf(one)));
                      one.mutant().compile(place);
                      String broken = mutated(place, one);
                      assertNotEquals("", broken, one.mutant().name() + " survives");
                    }));
  }

  private static String mutated(Path place, Case one) throws Exception {
    Class<?> verifying = Mutant.loader(place, Verifying.class).loadClass(Verifying.class.getName());
    Method broken = verifying.getMethod("broken", String.class, String.class, int.class);
    return (String) broken.invoke(null, one.policy(), one.sql(), MANY);
  }

  @TestFactory
  Stream<DynamicTest> nothingIsFoundWithoutMistakes() {
    return withoutMistakes(FEW / 3);
  }

  @TestFactory
  @Tag("nightly")
  Stream<DynamicTest> nothingIsFoundWithoutMistakesInMoreDatabases() {
    return withoutMistakes(FEW);
  }

  private static Stream<DynamicTest> withoutMistakes(int databases) {
    return CASES.stream()
        .map(
            one ->
                DynamicTest.dynamicTest(
                    one.sql(), () -> assertEquals("", refusedOr(one, databases), one.sql())));
  }

  /** Some are refused by the engine as it is, and only a mistake lets them in. */
  private static String refusedOr(Case one, int databases) {
    try {
      return Verifying.broken(one.policy(), one.sql(), databases);
    } catch (flexdp.failure.Rejection e) {
      return "";
    }
  }
}
