package flexdp.experiments.soundness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.experiments.measure.HistogramDelta;
import flexdp.sensitivity.Bound;
import flexdp.smooth.Smoothing;
import org.junit.jupiter.api.Test;

class ShortcutsTest {
  @Test
  void theSearchOfTheErrataHasTwoHumps() {
    Bound bound = EarlyStop.bound(1, 1000, 1, 500);
    double beta = HistogramDelta.paperBeta(1, 1e-8);
    assertEquals(1000, EarlyStop.early(bound, beta), 1e-9);
    assertEquals(7217.8, Smoothing.maximum(bound, beta).value(), 0.05);
  }

  @Test
  void rowsWithoutAPartnerStayInALeftJoin() {
    int[][] t = {{1, 1}, {2, 1}};
    OuterAsInner.Tables tables = new OuterAsInner.Tables(t, new int[0], new int[] {1, 2});
    assertEquals(2, tables.count());
    assertEquals(2, tables.sensitivity());
  }

  @Test
  void everyShortcutFailsSomewhereAndOursNever() {
    for (Shortcut shortcut :
        new Shortcut[] {
          OuterAsInner.run(60, 1), EarlyStop.run(40, 2), ManyBins.run(60), Sums.run(15, 3)
        }) {
      assertTrue(shortcut.tooSmall() > 0, shortcut.name());
      assertEquals(0, shortcut.oursTooSmall(), shortcut.name());
    }
  }
}
