package flexdp.sensitivity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.ownership.OwnershipConditions;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The rules of docs/rules.md on random trees, and wrong twins of them that must be noticed. */
class PeopleFuzzTest {
  private static final int SEEDS = Integer.getInteger("flexdp.people.seeds", 1_500);

  @Test
  void noTreeBreaksARule() {
    judged(0, SEEDS);
  }

  @Test
  @Tag("soak")
  void noTreeBreaksARuleInTheLongRun() {
    judged(1_000_000, 200_000);
  }

  @Test
  void noTreeBreaksARuleWhereRowsAreKept() {
    judged(0, SEEDS / 2, true);
  }

  @Test
  @Tag("soak")
  void noTreeBreaksARuleWhereRowsAreKeptInTheLongRun() {
    judged(2_000_000, 100_000, true);
  }

  private static void judged(long first, int seeds) {
    judged(first, seeds, false);
  }

  private static void judged(long first, int seeds, boolean keeps) {
    JudgedPeople judged = new JudgedPeople(JudgedPeople.Twin.RIGHT, keeps);
    for (long seed = first; seed < first + seeds; seed++) {
      judged.judge(seed);
      assertEquals(List.of(), judged.violations());
    }
    assertTrue(judged.trees > seeds / 3, judged.trees + " trees");
    assertTrue(judged.owned > judged.trees / 4, judged.owned + " owned");
  }

  private static JudgedPeople.Twin without(String condition) {
    return new JudgedPeople.Twin(
        new OwnershipConditions() {
          @Override
          public boolean require(String name, boolean holds) {
            return holds || name.equals(condition);
          }
        },
        BoundArithmetic.EXACT,
        false,
        false);
  }

  private static JudgedPeople.Twin with(BoundArithmetic terms) {
    return new JudgedPeople.Twin(OwnershipConditions.EXACT, terms, false, false);
  }

  private static Map<String, JudgedPeople.Twin> wrong() {
    Map<String, JudgedPeople.Twin> wrong = new LinkedHashMap<>();
    for (String condition :
        List.of(
            "O-ALIGNED.TAG",
            "O-ALIGNED.EQUAL",
            "O-INNER.FREE",
            "O-LEFT.SIDE",
            "O-FULL.ALIGNED",
            "O-LEFT.PADDED",
            "O-FULL.PADDED",
            "O-SUBQUERY.FREE",
            "O-DISTINCT",
            "O-GROUP",
            "O-GROUP.SETS",
            "O-WINDOW",
            "O-TOP",
            "O-SORT",
            "O-SET.ALIKE",
            "O-SET-FREE",
            "O-APART.NOT-NULL")) {
      wrong.put(condition + " left out", without(condition));
    }
    wrong.put("O-KEPT left out", without("O-KEPT"));
    wrong.put(
        "a person counts as one row",
        with(
            new BoundArithmetic() {
              @Override
              public UnitEffect step(UnitEffect f) {
                return new UnitEffect(
                    f.unit(), BigInteger.ONE, f.removed(), BigInteger.ONE, f.growth());
              }
            }));
    wrong.put(
        "groups grow by one",
        with(
            new BoundArithmetic() {
              @Override
              public UnitEffect step(UnitEffect f) {
                return new UnitEffect(f.unit(), f.added(), f.removed(), f.both(), BigInteger.ONE);
              }
            }));
    wrong.put("a person's rows are those of here", with(mutant("S-OWNED.GROWN", "NOT_GROWN")));
    wrong.put(
        "padding is no value",
        with(new Mutant("D-OWNED-JOIN.PAD", Mutant.Mistake.DROPPED_TERM, 1)));
    wrong.put(
        "one side of a join counts",
        with(new Mutant("D-OWNED-JOIN", Mutant.Mistake.DROPPED_FACTOR, 0)));
    wrong.put(
        "tables of one person apart", with(new Mutant("S-INNER.P", Mutant.Mistake.SUM_AS_MAX, 0)));
    wrong.put(
        "no pairs of new rows",
        with(
            new BoundArithmetic() {
              @Override
              public BoundOrReason product(String place, BoundOrReason... factors) {
                return place.equals("S-X") ? BoundOrReason.ZERO : BoundOrReason.product(factors);
              }
            }));
    wrong.put(
        "one value is touched",
        with(
            new BoundArithmetic() {
              @Override
              public BoundOrReason min(String place, BoundOrReason... terms) {
                return place.equals("D-MIN") && !terms[1].isZero()
                    ? BoundOrReason.ONE
                    : BoundOrReason.min(terms);
              }
            }));
    wrong.put(
        "metrics of all rows",
        new JudgedPeople.Twin(OwnershipConditions.EXACT, BoundArithmetic.EXACT, true, false));
    wrong.put(
        "an order of everybody's rows",
        new JudgedPeople.Twin(OwnershipConditions.EXACT, BoundArithmetic.EXACT, false, true));
    return wrong;
  }

  private static Mutant mutant(String place, String mistake) {
    return new Mutant(place, Mutant.Mistake.valueOf(mistake), 0);
  }

  @TestFactory
  List<DynamicTest> wrongTwinsAreNoticed() {
    List<DynamicTest> tests = new ArrayList<>();
    wrong()
        .forEach(
            (name, rules) ->
                tests.add(DynamicTest.dynamicTest(name, () -> assertNoticed(name, rules))));
    return tests;
  }

  private static void assertNoticed(String name, JudgedPeople.Twin rules) {
    JudgedPeople judged = new JudgedPeople(rules, name.startsWith("O-KEPT"));
    // Few trees tell these; the first is a good way off.
    long first =
        Map.of("padding is no value", 5_450, "tables of one person apart", 7_900)
            .getOrDefault(name, 0);
    for (long seed = first; seed < first + 30_000 && judged.violations().isEmpty(); seed++) {
      judged.judge(seed);
    }
    assertTrue(!judged.violations().isEmpty(), name + " was not noticed in " + judged.trees);
  }
}
