package flexdp.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.gateway.database.CancellationToken;
import flexdp.server.engine.GatewayEngine;
import flexdp.server.session.ServerFacts;
import flexdp.server.sql.Token;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EngineLeaseTest {
  @TempDir Path folder;

  /** A catalogue that cannot be closed. */
  private record Stuck() implements ServerFacts {
    @Override
    public Found find(
        List<Token> tokens,
        List<Object> values,
        Visitor visitor,
        boolean describe,
        CancellationToken cancellation) {
      return new Found(List.of(), List.of());
    }

    @Override
    public void close() {
      throw new IllegalStateException("stuck");
    }
  }

  @Test
  void whatCannotBeClosedIsLoggedAndNotTheLastUsersFault() throws Exception {
    List<String> logged = new ArrayList<>();
    Path policy = Demo.rides(folder, "10");
    GatewayEngine engine = GatewayEngine.open(policy, Optional.empty(), Duration.ofMinutes(1));
    EngineLease lease = new EngineLease(engine, new Stuck(), (what, cause) -> logged.add(what));
    assertTrue(lease.enter());
    lease.retire();
    assertEquals(List.of(), logged);
    lease.leave();
    assertTrue(lease.isOver());
    assertEquals(List.of("the catalogue of rides cannot be closed"), logged);
  }
}
