package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;

import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.api.Workload;
import flexdp.gateway.api.Workload.WorkloadView;
import flexdp.marginals.StrategyChoice;
import flexdp.plan.MechanismChoice;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Of the keys of a frame those that no measured cuboid has are no keys to the database, and
 * GROUPING must not name them.
 */
class UnmeasuredKeysTest {
  private static final Workload ONE_LABEL =
      Workload.of(
          List.of(
              "SELECT status, COUNT(*) FROM trips GROUP BY status",
              "SELECT CASE WHEN id > 3 THEN 1 ELSE 1 END AS g, COUNT(*) FROM trips GROUP BY 1",
              "SELECT CASE WHEN id > 3 THEN 1 ELSE 1 END AS g, status, COUNT(*) FROM trips GROUP BY"
                  + " 1, 2",
              "SELECT COUNT(*) FROM trips",
              "SELECT COUNT(*) FROM trips WHERE id < 4"));

  @TempDir Path folder;

  @Test
  void aKeyThatNoCuboidHasIsAnsweredAll() throws Exception {
    for (StrategyChoice strategy : List.of(StrategyChoice.AUTO, StrategyChoice.MWEM)) {
      SmallRides.Replayed source = new SmallRides.Replayed(6);
      try (SmallRides rides =
          new SmallRides(Files.createTempDirectory(folder, "k"), () -> source, SmallRides.POLICY)) {
        QueryOptions options =
            new QueryOptions(
                    MechanismChoice.AUTO,
                    Optional.of(BigDecimal.valueOf(4000)),
                    Optional.empty(),
                    Optional.empty())
                .by(strategy);
        WorkloadView view =
            rides.gateway.ask(ONE_LABEL, new QueryRequest("", options, "ann", Set.of()));
        Object total = view.answers().get(3).rows().getFirst().getFirst();
        assertEquals(total, view.answers().get(1).rows().getFirst().getLast(), strategy.word());
      }
    }
  }
}
