package flexdp.gateway;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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
  @EnumSource(names = {"POSTGRESQL", "MARIADB", "SQLITE", "DUCKDB"})
  void noAnswerTellsMoreThanItsNoiseCovers(MovedWorld.Kind kind) throws Exception {
    new Mover(kind, 30, folder).run(Mover.moves(12));
  }

  /** All of them at once, so that an hour is an hour. */
  @Test
  @Tag("nightly")
  void noAnswerTellsMoreThanItsNoiseCoversForLong() throws Exception {
    Duration most = Duration.ofMinutes(Integer.getInteger("flexdp.mover.minutes", 4));
    long seed = Long.getLong("flexdp.mover.seed", 1000);
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      List<Future<Void>> all = new ArrayList<>();
      for (MovedWorld.Kind kind : MovedWorld.Kind.values()) {
        Path own = Files.createDirectory(folder.resolve(kind.name()));
        Callable<Void> run =
            () -> {
              new Mover(kind, seed, own).run(Mover.during(most));
              return null;
            };
        all.add(threads.submit(run));
      }
      for (Future<Void> one : all) {
        one.get();
      }
    }
  }

  /** Rotation, rebuilding, online changes of a schema: nobody who asks has to know of them. */
  @ParameterizedTest
  @EnumSource(names = {"POSTGRESQL", "SQLITE", "DUCKDB"}) // MariaDB waits for locks by the second
  void whatMustKeepWorkingIsAnswered(MovedWorld.Kind kind) throws Exception {
    new Mover(kind, 31, folder).everyday();
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"POSTGRESQL", "SQLITE", "DUCKDB"})
  @Tag("nightly")
  void whatMustKeepWorkingIsAnsweredEverywhere(MovedWorld.Kind kind) throws Exception {
    new Mover(kind, 31, folder).everyday();
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRESQL", "MARIADB", "SQLITE", "DUCKDB"})
  void everyMoveCanBeMade(MovedWorld.Kind kind) throws Exception {
    new Mover(kind, 32, folder).whileNobodyAsks();
  }

  /** Behind a pooler, beside a standby and a copy, and with rows from a log. */
  @ParameterizedTest
  @EnumSource(names = {"POOLED", "NOTED", "REPLAYED"})
  @Tag("nightly")
  void everyMoveCanBeMadeElsewhere(MovedWorld.Kind kind) throws Exception {
    new Mover(kind, 32, folder).whileNobodyAsks();
  }

  /** If nobody looked, the judge would say so: it is asked about answers that tell too much. */
  @Test
  void theJudgeNoticesWhatTellsTooMuch() {
    MoverJudge.theJudgeIsAwake();
  }
}
