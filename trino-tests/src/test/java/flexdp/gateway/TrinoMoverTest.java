package flexdp.gateway;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@link MoverTest} does, on Trino. */
class TrinoMoverTest {
  @TempDir Path folder;

  private Mover mover(long seed) {
    return new Mover("TRINO", ignored -> new MovedTrino(), seed, folder);
  }

  @Test
  void noAnswerTellsMoreThanItsNoiseCovers() throws Exception {
    mover(30).run(Mover.moves(8));
  }

  @Test
  @Tag("soak")
  void noAnswerTellsMoreThanItsNoiseCoversForLong() throws Exception {
    mover(Long.getLong("flexdp.mover.seed", 1000))
        .run(Mover.during(Duration.ofMinutes(Integer.getInteger("flexdp.mover.minutes", 10))));
  }

  @Test
  void whatMustKeepWorkingIsAnswered() throws Exception {
    mover(31).everyday();
  }

  @Test
  void everyMoveCanBeMade() throws Exception {
    mover(32).whileNobodyAsks();
  }
}
