package flexdp.server;

import flexdp.failure.Failure;
import flexdp.gateway.ledger.Balance;
import flexdp.server.engine.GatewayEngine;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * Grants as much again whenever everything is spent, until there has been enough of it: on a fast
 * machine, too, faults find somebody to disturb.
 */
final class Owner {
  private final Path policy;
  private final Optional<String> ledger;
  private final BigDecimal portion;
  private int grants;
  private boolean enough;

  /**
   * @param portion what the policy gives, and each grant
   */
  Owner(Path policy, Optional<String> ledger, BigDecimal portion) {
    this.policy = policy;
    this.ledger = ledger;
    this.portion = portion;
  }

  synchronized int grants() {
    return grants;
  }

  /** All that may be spent. */
  synchronized BigDecimal given() {
    return portion.multiply(BigDecimal.valueOf(1L + grants));
  }

  /** From now on what is spent is spent. */
  synchronized void enough() {
    enough = true;
  }

  /** Another round begins. */
  synchronized void again() {
    enough = false;
  }

  /**
   * Whether it is worth asking again.
   *
   * @param known the grants that there were when a question was refused
   */
  synchronized boolean grantsMore(int known) {
    if (enough) {
      return known < grants;
    }
    if (known == grants && granted()) {
      grants++;
    }
    return true;
  }

  private boolean granted() {
    GatewayEngine opened;
    try {
      opened = GatewayEngine.open(policy, ledger, Duration.ofMinutes(5));
    } catch (Failure e) {
      return false; // the database is being restarted
    }
    try (GatewayEngine engine = opened) {
      Balance people =
          engine.budgets(Set.of()).stream()
              .filter(s -> s.allowance().isPresent())
              .findFirst()
              .get();
      engine.grant(people.account(), portion, BigDecimal.ZERO, "owner", "another portion");
    }
    return true;
  }
}
