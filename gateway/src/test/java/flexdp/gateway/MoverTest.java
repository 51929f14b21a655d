package flexdp.gateway;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random interleavings of questions with what others do to their tables. Two askers and somebody
 * who redefines, replaces and rewrites tables run at once; in the databases that hold tables by
 * locks, moves are also made just after a charge and just before rows are read. Whatever moves, no
 * answer may tell of a row what its noise does not cover.
 *
 * <p>{@code -Dflexdp.mover.minutes} says how long the nightly runs take on each database, {@code
 * -Dflexdp.mover.seed} where they begin.
 */
class MoverTest {
  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void noAnswerTellsMoreThanItsNoiseCovers(MovedWorld.Kind kind) throws Exception {
    new Mover(kind, 30, folder).run(Mover.moves(12));
  }

  @ParameterizedTest
  @EnumSource
  @Tag("nightly")
  void noAnswerTellsMoreThanItsNoiseCoversForLong(MovedWorld.Kind kind) throws Exception {
    Duration most = Duration.ofMinutes(Integer.getInteger("flexdp.mover.minutes", 2));
    new Mover(kind, Long.getLong("flexdp.mover.seed", 1000), folder).run(Mover.during(most));
  }

  /** Rotation, rebuilding, online changes of a schema: nobody who asks has to know of them. */
  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = "MARIADB") // whose shortest wait for a lock is a second
  void whatMustKeepWorkingIsAnswered(MovedWorld.Kind kind) throws Exception {
    new Mover(kind, 31, folder).everyday();
  }

  @Test
  @Tag("nightly")
  void whatMustKeepWorkingIsAnsweredOnMariaDb() throws Exception {
    new Mover(MovedWorld.Kind.MARIADB, 31, folder).everyday();
  }

  /** If nobody looked, the judge would say so: it is asked about answers that tell too much. */
  @Test
  void theJudgeNoticesWhatTellsTooMuch() {
    MoverJudge.theJudgeIsAwake();
  }
}
