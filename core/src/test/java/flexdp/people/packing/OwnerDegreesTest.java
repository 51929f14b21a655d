package flexdp.people.packing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.people.clipping.ClipLevels;
import flexdp.people.packing.OwnerSets.Owner;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * What each person has, with the results of heavy people asked for by name, gives every value that
 * all results give: where nobody of one kind is heavy, where both kinds are, where one pair has
 * more than any level, and where numbers do not fit a word.
 */
class OwnerDegreesTest {
  private static final ClipLevels LEVELS = new ClipLevels(BigInteger.ONE, 5);

  private record Result(BigInteger weight, Optional<Integer> one, Optional<Integer> other) {
    List<Owner> owners() {
      List<Owner> owners = new ArrayList<>();
      one.ifPresent(id -> owners.add(new Owner(0, id)));
      other.ifPresent(id -> owners.add(new Owner(1, id)));
      return owners;
    }

    Optional<Integer> owner(int kind) {
      return kind == 0 ? one : other;
    }
  }

  private int named;
  private int whole;

  private static OwnerSets sets(List<Result> results) {
    OwnerSets sets = new OwnerSets(LEVELS.at(LEVELS.last()));
    results.forEach(r -> sets.add(r.weight(), r.owners()));
    return sets;
  }

  private OwnerDegrees degrees(List<Result> results) {
    OwnerDegrees degrees =
        new OwnerDegrees(
            LEVELS.at(LEVELS.last()),
            new OwnerDegrees.Source() {
              @Override
              public OwnerSets of(int kind, Set<Object> people) {
                named++;
                return sets(
                    results.stream()
                        .filter(r -> r.owner(kind).filter(people::contains).isPresent())
                        .toList());
              }

              @Override
              public OwnerSets all() {
                whole++;
                return sets(results);
              }
            });
    for (int kind = 0; kind < 2; kind++) {
      int of = kind;
      weights(results, kind)
          .forEach((id, weight) -> degrees.add(of, id.<Object>map(i -> i), weight));
    }
    return degrees;
  }

  /** How many have how much. */
  private OwnerBuckets buckets(List<Result> results) {
    OwnerBuckets buckets = new OwnerBuckets(LEVELS, () -> degrees(results));
    for (int kind = 0; kind < 2; kind++) {
      int of = kind;
      weights(results, kind)
          .forEach(
              (id, weight) -> {
                if (id.isPresent()) {
                  buckets.add(of, LEVELS.bucket(weight), 1, weight);
                } else {
                  buckets.nobodys(of, weight);
                }
              });
    }
    return buckets;
  }

  private static Map<Optional<Integer>, BigInteger> weights(List<Result> results, int kind) {
    Map<Optional<Integer>, BigInteger> weights = new LinkedHashMap<>();
    for (Result result : results) {
      weights.merge(result.owner(kind), result.weight(), BigInteger::add);
    }
    return weights;
  }

  private static Optional<Integer> somebody(SplittableRandom random, int people) {
    return random.nextInt(6) == 0 ? Optional.empty() : Optional.of(random.nextInt(people));
  }

  /** Every pair once, as a database groups them. */
  private static List<Result> results(SplittableRandom random) {
    Map<List<Optional<Integer>>, Result> results = new LinkedHashMap<>();
    int most = 1 + random.nextInt(random.nextInt(4) == 0 ? 50 : 12);
    int ones = 1 + random.nextInt(5);
    int others = 1 + random.nextInt(8);
    for (int i = random.nextInt(25); i > 0; i--) {
      Optional<Integer> one = somebody(random, ones);
      Optional<Integer> other = somebody(random, others);
      BigInteger weight = BigInteger.valueOf(random.nextInt(most + 1));
      if (random.nextInt(200) == 0) {
        weight = BigInteger.ONE.shiftLeft(60 + random.nextInt(10));
      }
      if (one.isPresent() || other.isPresent()) {
        results.put(List.of(one, other), new Result(weight, one, other));
      }
    }
    return List.copyOf(results.values());
  }

  @Test
  void valuesAreThoseOfAllResults() {
    SplittableRandom random = new SplittableRandom(14);
    int checked = 0;
    for (int i = 0; i < 6_000; i++) {
      List<Result> results = results(random);
      PackingValues all = new PackingValues(sets(results), LEVELS, null);
      PackingValues few = new PackingValues(degrees(results), LEVELS, null);
      PackingValues least = new PackingValues(buckets(results), LEVELS, null);
      for (int level = LEVELS.last(); level >= 0; level--) {
        int at = level;
        assertEquals(all.at(level), few.at(level), () -> "level " + at + " of " + results);
        assertEquals(all.at(level), least.at(level), () -> "level " + at + " of " + results);
        checked++;
      }
    }
    assertTrue(checked == 36_000 && named > 3_000 && whole > 100, named + " named, " + whole);
  }

  /** One heavy person and her partners are asked for; light ones never are. */
  @Test
  void nothingIsAskedForWhileOneKindIsLight() {
    List<Result> results = new ArrayList<>();
    for (int other = 0; other < 40; other++) {
      results.add(new Result(BigInteger.ONE, Optional.of(1), Optional.of(other)));
    }
    PackingValues values = new PackingValues(degrees(results), LEVELS, null);
    assertEquals(BigInteger.valueOf(32).shiftLeft(40), values.at(5));
    assertEquals(BigInteger.valueOf(1).shiftLeft(40), values.at(0));
    assertEquals(0, named + whole);
  }
}
