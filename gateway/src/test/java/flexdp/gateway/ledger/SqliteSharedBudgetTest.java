package flexdp.gateway.ledger;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteSharedBudgetTest {
  @TempDir Path folder;

  @Test
  void twoProcessesWithManyThreadsNeverExceedOneBudget() throws Exception {
    Path file = folder.resolve("p.ledger");
    SharedBudget.isNeverExceeded(file.toString(), Anchor.beside(file), "50");
  }

  @Test
  void theLastOfItIsSpentOnce() throws Exception {
    Path file = folder.resolve("p.ledger");
    SharedBudget.lastOfItIsSpentOnce(file.toString(), Anchor.beside(file));
  }
}
