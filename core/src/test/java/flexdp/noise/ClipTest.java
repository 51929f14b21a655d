package flexdp.noise;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import org.junit.jupiter.api.Test;

/** What measurements that share a level cost together, by every way of adding up. */
class ClipTest {
  @Test
  void allPartsTogetherCostNoMoreThanTheMeasurements() {
    BigDecimal epsilon = new BigDecimal("0.3");
    Clip clip = new Clip(epsilon);
    for (int k = 1; k <= 200; k++) {
      BigDecimal many = BigDecimal.valueOf(k);
      BigDecimal choosing = clip.choosing(k);
      BigDecimal sum = choosing.add(many.multiply(clip.adding()));
      assertTrue(sum.compareTo(many.multiply(epsilon)) <= 0, k + " measurements");
      BigDecimal squares = choosing.pow(2).add(many.multiply(clip.adding().pow(2)));
      assertTrue(squares.compareTo(many.multiply(epsilon.pow(2))) <= 0, k + " squares");
    }
  }

  @Test
  void labelsOfTheDataAreWithinItToo() {
    BigDecimal epsilon = new BigDecimal("0.3");
    Clip clip = new Clip(epsilon, true, false);
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
