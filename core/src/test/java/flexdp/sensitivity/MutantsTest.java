package flexdp.sensitivity;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Every term of every rule is dropped once, every sum and maximum exchanged once, every pair of
 * signs swapped once; each such mistake must show as a bound below a true change (or, where it
 * makes the bound larger, as a bound above a change that used to be met exactly).
 */
class MutantsTest {
  private static final RandomTrees.Aim[] AIMS = RandomTrees.Aim.values();
  private static final int TREES = Integer.getInteger("mutants.trees", 2_200);

  /** 2·min(1, T1) without the minimum is 2: larger, never smaller. */
  private static final Set<Mutant> HARMLESS =
      Set.of(new Mutant("S-SCALAR-AGGREGATE.T", Mutant.Mistake.DROPPED_FACTOR, 1));

  /** Trees that tell most; asked first, they save time. All mistakes are found without them too. */
  private static final int[] TELLING = {
    151, 152, 159, 167, 196, 203, 233, 246, 247, 252, 269, 278, 288, 301, 324, 338, 357, 362, 378,
    397, 401, 413, 430, 478, 480, 513, 553, 555, 581, 645, 700, 841, 877, 885, 918, 950, 956, 975,
    1038, 1129, 1317, 1369, 1371, 1414, 1419, 1668, 1744, 1855, 2047, 2102, 2292, 2473, 2754, 2755,
    2768, 2864, 2911, 3116, 3309, 3522, 3943, 3987, 4273, 4469, 4738, 4933, 5056, 5059, 5745, 5958,
    6230
  };

  private final Set<Mutant> seen = new LinkedHashSet<>();
  private final Set<Mutant> caught = new LinkedHashSet<>(HARMLESS);

  @Test
  void everyMistakeIsCaught() {
    JudgedCases cases =
        new JudgedCases(
            visible -> {
              seen.addAll(visible);
              return !caught.containsAll(visible);
            },
            this::judge);
    new PinnedCases(cases).all();
    IntStream.concat(Arrays.stream(TELLING), IntStream.range(0, TREES))
        .forEach(i -> cases.random(AIMS[i % AIMS.length], 77_000_000L + i));
    Set<Mutant> survivors = new LinkedHashSet<>(seen);
    survivors.removeAll(caught);
    assertTrue(
        survivors.isEmpty(),
        () -> survivors.stream().map(Mutant::toString).collect(Collectors.joining("\n")));
    assertTrue(seen.size() >= 400, () -> "only " + seen.size() + " mutants");
  }

  private void judge(JudgedCases.Case one) {
    for (Mutant mutant : one.visible()) {
      if (!caught.contains(mutant) && isCaught(mutant, one)) {
        caught.add(mutant);
      }
    }
  }

  private static boolean isCaught(Mutant mutant, JudgedCases.Case one) {
    BigInteger value = one.by(mutant);
    if (value == null) {
      return false;
    }
    return mutant.mistake().unsound
        ? value.compareTo(one.truth()) < 0
        : one.bound().equals(one.truth()) && value.compareTo(one.truth()) > 0;
  }
}
