package flexdp.gateway.hostile;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/** Random questions over hostile values on a Trino cluster: the best part of an hour. */
@Tag("soak")
class TrinoAttackTest {
  private static final int QUESTIONS = Integer.getInteger("flexdp.hostile.trino", 2_000);

  @Test
  void trinoGivesNoRowAway(TestReporter reporter) throws Exception {
    AttackTest.attack(TrinoGround::new, 1, QUESTIONS, reporter);
  }
}
