package flexdp.experiments.blocks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.noise.BitSource;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** How many blocks, and what one row does to them. */
class BlocksExperimentTest {
  private static final class Repeated extends BitSource {
    private final SplittableRandom random = new SplittableRandom(3);

    @Override
    protected long next() {
      return random.nextLong();
    }
  }

  @Test
  void theNumberOfBlocksFollowsFromWhatIsPublic() {
    assertEquals(424, BlocksExperiment.blocks(0.1));
    assertEquals(43, BlocksExperiment.blocks(1));
  }

  /** Chorus numbers rows and takes the rest: a row put first moves every other. */
  @Test
  void oneRowMovesOneBlockByAHashAndAllOfThemByItsNumber() {
    int rows = 10_000;
    Set<Integer> byHash = new HashSet<>();
    Set<Integer> byNumber = new HashSet<>();
    byHash.add(FareRows.block(rows, 40));
    for (int row = 0; row < rows; row++) {
      if (row % 40 != (row + 1) % 40) {
        byNumber.add(row % 40);
        byNumber.add((row + 1) % 40);
      }
    }
    assertEquals(1, byHash.size());
    assertEquals(40, byNumber.size());
  }

  /** GUPT's number of blocks, by the private number of rows, is too small at a small ε. */
  @Test
  void asManyBlocksAsFitEpsilonAreFarBetterThanRowsToThePowerOfFourTenths() {
    FareRows fares = new FareRows(20_000, 7);
    double truth = fares.slopes(1)[0];
    BitSource bits = new Repeated();
    double ours = BlocksExperiment.error(fares.slopes(424), truth, "0.1", 51, bits);
    double theirs = BlocksExperiment.error(fares.slopes(52), truth, "0.1", 51, bits);
    assertTrue(ours < 0.1, "off by " + ours);
    assertTrue(theirs > 10 * ours, theirs + " against " + ours);
  }

  @Test
  void blocksHaveTheSlopeOfTheWhole() {
    FareRows fares = new FareRows(20_000, 7);
    double[] slopes = fares.slopes(43);
    java.util.Arrays.sort(slopes);
    double whole = fares.slopes(1)[0];
    assertTrue(Math.abs(slopes[21] - whole) < 0.05, slopes[21] + " of " + whole);
  }
}
