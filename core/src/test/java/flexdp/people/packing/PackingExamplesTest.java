package flexdp.people.packing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.noise.Rational;
import flexdp.noise.SeededBits;
import flexdp.people.clipping.ClipLevels;
import flexdp.people.packing.OwnerSets.Owner;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleBiFunction;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The examples by which the descent was decided, each with its numbers. */
class PackingExamplesTest {
  private static final ClipLevels LEVELS = Hypergraphs.LEVELS;
  private static final Owner A = new Owner(0, "a");
  private static final Owner B = new Owner(0, "b");
  private static final Owner C = new Owner(0, "c");

  private static final PackingSolver NONE =
      packing -> {
        throw new AssertionError("no program is needed here");
      };

  private static Rational value(OwnerSets sets, int level, PackingSolver solver) {
    return new Rational(
        new PackingValues(sets, LEVELS, solver).at(level),
        BigInteger.ONE.shiftLeft(PackingValues.DIGITS));
  }

  private static OwnerSets sets() {
    return new OwnerSets(LEVELS.at(LEVELS.last()));
  }

  private static void add(OwnerSets sets, long weight, Owner... owners) {
    sets.add(BigInteger.valueOf(weight), List.of(owners));
  }

  /** A triangle of three people, each pair with one result, τ = 1: three halves. */
  @Test
  void valuesMayBeHalves() {
    OwnerSets sets = sets();
    add(sets, 1, A, B);
    add(sets, 1, B, C);
    add(sets, 1, C, A);
    assertEquals(Rational.of(3, 2), value(sets, 0, NONE));
    assertEquals(Rational.of(3), value(sets, 1, NONE));
  }

  @Test
  void twoKindsNeedNoHalves() {
    OwnerSets sets = sets();
    for (int customer = 0; customer < 3; customer++) {
      add(sets, 2, new Owner(0, customer), new Owner(1, 0));
      add(sets, 1, new Owner(0, customer), new Owner(1, 1));
    }
    // Each customer at most 1, each supplier at most 1.
    assertEquals(Rational.of(2), value(sets, 0, NONE));
    assertEquals(Rational.of(4), value(sets, 1, NONE));
  }

  /**
   * A solver that hands out row activities as prices, "6" for x + y ≤ 6: it is caught, and the
   * value found without it, since a failure would tell of the rows for which solvers are wrong.
   */
  @Test
  void activitiesForPricesAreCaughtAndFailNothing() {
    OwnerSets sets = sets();
    add(sets, 6, A, B, C);
    add(sets, 6, A, B, new Owner(0, "d"));
    PackingSolver right = new TableauSolver();
    assertEquals(Rational.of(4), value(sets, 2, right));
    PackingSolver wrong =
        packing -> {
          PackingSolver.Solution solution = right.solve(packing);
          return new PackingSolver.Solution() {
            @Override
            public double of(int result) {
              return solution.of(result);
            }

            @Override
            public double price(int person) {
              double load = 0;
              for (int i = 0; i < packing.sets().length; i++) {
                for (int member : packing.sets()[i]) {
                  load += member == person ? solution.of(i) : 0;
                }
              }
              return load;
            }
          };
        };
    assertEquals(Rational.of(4), value(sets, 2, wrong));
  }

  /** Certified values lie in [Q − η, Q] at τ = 1; whole numbers of them would move by 2. */
  @Test
  void certifiedValuesKeepTheirGrid() {
    Rational low = Rational.of(2).minus(PackingMechanism.SLACK);
    Rational high = Rational.of(3);
    assertTrue(high.minus(low).compareTo(Rational.ONE.plus(PackingMechanism.SLACK)) <= 0);
    assertEquals(BigInteger.TWO, high.floor().subtract(low.floor()));
  }

  @Test
  void levelsDoubleExactly() {
    for (ClipLevels levels :
        List.of(
            ClipLevels.ofRows(Optional.empty()),
            ClipLevels.ofSums(BigInteger.valueOf(99_999), Optional.empty()))) {
      for (int j = 0; j < levels.last(); j++) {
        assertEquals(levels.at(j).shiftLeft(1), levels.at(j + 1));
      }
    }
  }

  /**
   * An atom owned by customers that aggregates over suppliers: one supplier goes, and all of it.
   */
  @Test
  void anAtomThatDependsOnSomebodyElseIsNone() {
    OwnerSets with = sets();
    for (int customer = 0; customer < 100; customer++) {
      add(with, 1, new Owner(0, customer));
    }
    assertEquals(Rational.of(100), value(with, 0, NONE));
    assertEquals(Rational.ZERO, value(sets(), 0, NONE));
  }

  private static List<Hypergraphs.Result> shared(Map<List<String>, Long> weights) {
    return weights.entrySet().stream()
        .map(
            e ->
                new Hypergraphs.Result(
                    e.getValue(),
                    e.getKey().stream().map(n -> new Owner(0, n)).collect(Collectors.toSet())))
        .toList();
  }

  private static double moved(
      ToDoubleBiFunction<List<Hypergraphs.Result>, Long> way,
      List<Hypergraphs.Result> results,
      long level) {
    List<Hypergraphs.Result> without = Hypergraphs.without(results, new Owner(0, "hub"));
    double change = way.applyAsDouble(results, level) - way.applyAsDouble(without, level);
    return Math.abs(change) / level;
  }

  /**
   * Seven people: what looks like a count in which nobody weighs more than τ moves by 1.8τ, 4τ and
   * 4.8τ and more when one of them comes.
   */
  @Test
  void valuesThatLookAlikeMoveByMoreThanTheLevel() {
    Map<List<String>, Long> scaled = new HashMap<>();
    Map<List<String>, Long> closed = new HashMap<>();
    for (int i = 0; i < 6; i++) {
      scaled.put(List.of("p" + i), 8L);
      scaled.put(List.of("p" + i, "hub"), 7L);
    }
    for (int i = 1; i < 6; i++) {
      closed.put(List.of("p0", "p" + i), 3L);
      closed.put(List.of("p" + i, "hub"), 4L);
    }
    assertEquals(1.8, moved(Hypergraphs::scaled, shared(scaled), 8), 1e-9);
    assertTrue(moved(Hypergraphs::closedForm, shared(closed), 4) >= 4.8);
    Map<List<String>, Long> charged = new HashMap<>();
    for (String name : List.of("a", "b", "c", "d")) {
      charged.put(List.of(name, "hub"), 1L);
    }
    assertEquals(4, moved(Hypergraphs::oneOwnerPays, shared(charged), 1), 1e-9);
    for (List<Hypergraphs.Result> results :
        List.of(shared(scaled), shared(closed), shared(charged))) {
      for (long level : new long[] {1, 4, 8}) {
        assertTrue(moved(Hypergraphs::byProgram, results, level) <= 1 + 1e-9);
      }
    }
  }

  /** Levels that double keep what solvers may be off to 1.5η of a gain; others would need 2η. */
  @Test
  void scoresArePaidForWhatSolversMayBeOff() {
    Rational two = Rational.of(2);
    Rational paid = two.plus(PackingMechanism.SLACK.times(Rational.of(3)));
    assertEquals(
        Rational.of(1, 2).over(paid), new PackingMechanism(LEVELS, BigDecimal.ONE, true).rate());
    Rational doubled = Rational.ONE.plus(Rational.of(1, 2)).times(PackingMechanism.SLACK);
    assertEquals(paid, two.times(Rational.ONE.plus(doubled)));
    Rational alike = Rational.ONE.plus(Rational.ONE).times(PackingMechanism.SLACK);
    Rational needed = two.plus(PackingMechanism.SLACK.times(Rational.of(4)));
    assertEquals(needed, two.times(Rational.ONE.plus(alike)));
  }

  /** The penalty of R2T's race, (Lτ/ε)·ln(L/β), is 44τ with its L = 8, β = 0.1 at ε = 0.8. */
  @Test
  void thePenaltyOfTheRace() {
    assertEquals(44, 8 / 0.8 * Math.log(8 / 0.1), 0.5);
  }

  /** Weights beyond a word are capped at the largest level, and nothing overflows. */
  @Test
  void hugeWeightsAreCapped() {
    ClipLevels wide = new ClipLevels(BigInteger.ONE.shiftLeft(37), 24);
    OwnerSets sets = new OwnerSets(wide.at(24));
    for (int i = 0; i < 40; i++) {
      sets.add(BigInteger.TEN.pow(40), List.of(new Owner(0, i), new Owner(0, i + 1)));
      sets.add(BigInteger.TEN.pow(40), List.of(new Owner(0, 0)));
    }
    PackingValues values = new PackingValues(sets, wide, NONE);
    BigInteger[] grown = new BigInteger[25];
    for (int j = 0; j <= 24; j++) {
      grown[j] = values.at(j);
      assertEquals(grown[0].shiftLeft(j), grown[j]);
    }
    assertThrows(
        IllegalArgumentException.class,
        () -> new OwnerSets(BigInteger.ONE.shiftLeft(62).shiftLeft(1)));
  }

  /** 2,000 pairs of 400 people, ε = 1: the answer is near and on a level that people reach. */
  @Test
  void anOrdinaryGraphIsAnsweredWell() {
    ClipLevels levels = ClipLevels.ofRows(Optional.empty());
    OwnerSets sets = new OwnerSets(levels.at(levels.last()));
    for (int i = 0; i < 40_000; i++) {
      int a = (i * 7919) % 4001;
      int b = (i * 104_729 + 13) % 4001;
      sets.add(BigInteger.ONE, Set.of(new Owner(0, a), new Owner(0, a == b ? a + 1 : b)));
    }
    PackingMechanism descent = new PackingMechanism(levels, BigDecimal.ONE, false);
    SeededBits bits = new SeededBits(4);
    int near = 0;
    for (int draw = 0; draw < 20; draw++) {
      PackingMechanism.Released released =
          descent.release(new PackingValues(sets, levels, NONE), bits);
      near += Math.abs(released.noisy().doubleValue() - 40_000) < 1_500 ? 1 : 0;
    }
    assertTrue(near >= 18, "near: " + near);
  }
}
