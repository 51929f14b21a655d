package flexdp.noise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import org.junit.jupiter.api.Test;

/** What measurements that share a level cost together, by every way of adding up. */
class ClippedNoiseTest {
  @Test
  void allPartsTogetherCostNoMoreThanTheMeasurements() {
    BigDecimal epsilon = new BigDecimal("0.3");
    ClippedNoise clip = new ClippedNoise(epsilon);
    for (int k = 1; k <= 200; k++) {
      BigDecimal many = BigDecimal.valueOf(k);
      BigDecimal choosing = clip.choosing(k);
      BigDecimal sum = choosing.add(many.multiply(clip.adding()));
      assertTrue(sum.compareTo(many.multiply(epsilon)) <= 0, k + " measurements");
      BigDecimal squares = choosing.pow(2).add(many.multiply(clip.adding().pow(2)));
      assertTrue(squares.compareTo(many.multiply(epsilon.pow(2))) <= 0, k + " squares");
    }
  }

  /** An eighth of ρ, and the rest. */
  @Test
  void gaussianPartsAddUpToRho() {
    BigDecimal rho = new BigDecimal("0.0261");
    for (boolean together : new boolean[] {false, true}) {
      ClippedNoise clip = new ClippedNoise(Gaussian.ofZcdp(rho, new BigDecimal("1e-9")), together);
      assertEquals(rho, clip.rho().orElseThrow());
      for (int k = 1; k <= 200; k++) {
        BigDecimal many = BigDecimal.valueOf(k);
        BigDecimal parts = clip.choosingConcentration(k).add(many.multiply(clip.concentration()));
        assertTrue(parts.compareTo(many.multiply(rho)) <= 0, k + " measurements");
      }
      Mechanism.Stored kept = clip.stored();
      assertTrue(kept.serves(clip) && kept.additive().orElseThrow() instanceof Gaussian);
      assertFalse(kept.serves(new ClippedNoise(BigDecimal.ONE)));
      assertFalse(new ClippedNoise(BigDecimal.TEN).stored().serves(clip));
      // What is kept has the noise that was drawn.
      BigDecimal widened = clip.widened(BigDecimal.TEN);
      double drawn = clip.added().scale(BigDecimal.TEN).doubleValue();
      double told = kept.additive().orElseThrow().scale(widened).doubleValue();
      assertTrue(told >= drawn && told < drawn * (1 + 1e-9));
    }
  }

  @Test
  void labelsOfTheDataAreWithinItToo() {
    BigDecimal epsilon = new BigDecimal("0.3");
    ClippedNoise clip = new ClippedNoise(epsilon, true, false);
    for (int k = 1; k <= 200; k++) {
      BigDecimal many = BigDecimal.valueOf(k);
      BigDecimal once = clip.choosing(k).add(clip.labelling(k));
      assertTrue(
          once.add(many.multiply(clip.adding())).compareTo(many.multiply(epsilon)) <= 0,
          k + " measurements");
      BigDecimal squares =
          clip.choosing(k)
              .pow(2)
              .add(clip.labelling(k).pow(2))
              .add(many.multiply(clip.adding().pow(2)));
      assertTrue(squares.compareTo(many.multiply(epsilon.pow(2))) <= 0, k + " squares");
    }
  }
}
