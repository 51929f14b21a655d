package flexdp.gateway.engine;

import flexdp.gateway.database.Database;
import flexdp.gateway.database.ErrorLog;
import flexdp.gateway.ledger.Ledger;
import flexdp.gateway.livedata.LiveMetrics;
import flexdp.noise.BitSource;
import flexdp.policy.Policy;
import java.time.Clock;
import java.util.function.Supplier;

/** Gateways whose noise a test can foretell. Only tests can build them. */
public final class SeededGateways {
  private SeededGateways() {}

  public static QueryEngine gateway(
      Policy policy,
      LiveMetrics live,
      String state,
      Database database,
      Ledger ledger,
      ErrorLog log,
      Clock clock,
      Supplier<BitSource> bits) {
    return new QueryEngine(policy, live, state, database, ledger, log, clock, bits);
  }
}
