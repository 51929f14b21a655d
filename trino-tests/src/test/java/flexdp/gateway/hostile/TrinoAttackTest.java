package flexdp.gateway.hostile;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/** Random questions over hostile values on Trino: a second or two for each. */
@Tag("soak")
class TrinoAttackTest {
  private static final int QUESTIONS = Integer.getInteger("flexdp.hostile.trino", 2_000);

  @Test
  void trinoGivesNoRowAway(TestReporter reporter) throws Exception {
    AttackTest.attack(TrinoTestBed::new, AttackTest.SEED, QUESTIONS, reporter);
  }
}
