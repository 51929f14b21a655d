package flexdp.cli;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import org.junit.jupiter.api.Test;

/** After a training that fails every start would be slow, and nobody would know why. */
class TrainingTest {
  @Test
  void theTrainingAnswersItsQuestions() {
    assertDoesNotThrow(() -> Training.main(new String[0]));
  }
}
