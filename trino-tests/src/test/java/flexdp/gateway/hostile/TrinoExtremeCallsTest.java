package flexdp.gateway.hostile;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/** Every function with extreme constants where one row is computed, on Trino. */
@Tag("soak")
class TrinoExtremeCallsTest {
  private static final int CALLS = Integer.getInteger("flexdp.hostile.trino", 2_000);

  @Test
  void onTrino(TestReporter reporter) throws Exception {
    ExtremesTest.attack(TrinoTestBed::new, AttackTest.SEED + 4_000, CALLS, reporter);
  }
}
