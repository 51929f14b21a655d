package flexdp.gateway.hostile;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Values and ranges at the ends of their types, and somebody with thousands of rows, on Trino. */
@Tag("soak")
class TrinoExtremesTest {
  @Test
  void noRowIsTooFar() throws Exception {
    ExtremeRangesTest.attack(new TrinoTestBed(), "DOUBLE", 1);
  }

  @Test
  void nobodyHasTooMany() throws Exception {
    ManyRowsOfOneTest.attack(new TrinoTestBed());
  }
}
