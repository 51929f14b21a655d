package flexdp.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class TailTest {
  @Test
  void oneLaplaceDrawIsWithinItsKnownQuantile() {
    Tail tail = new Tail();
    tail.laplace(1, 1, 100);
    assertEquals(100 * Math.log(20), tail.within(0.95), 1);
    assertEquals(100 * Math.log(1000), tail.within(0.999), 2);
  }

  @Test
  void normalDrawsAddUp() {
    Tail tail = new Tail();
    tail.normal(3, 4, 5);
    tail.normal(1, 1, 7);
    assertEquals(Math.sqrt(949) * 1.959964, tail.within(0.95), 0.05);
  }

  @Test
  void aSumOfTwoIsTheirConvolution() {
    Tail tail = new Tail();
    tail.laplace(1, 2, 50);
    // P(|X + Y| > w) = e^(−w/b)·(1 + w/(2b)) for continuous ones.
    double w = tail.within(0.95) / 50;
    assertEquals(0.05, Math.exp(-w) * (1 + w / 2), 5e-4);
  }
}
