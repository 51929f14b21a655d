package flexdp.gateway.ledger;

import flexdp.gateway.ledger.entry.Request;
import flexdp.policy.Policy;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The charges of one process that have not ended. How a question ends says whether it failed, so of
 * an analyst who was stopped meanwhile nothing more is told: of so many questions as are asked at
 * once.
 */
final class InFlight {
  /** After so long a question looks at what other processes wrote before its answer is told. */
  private static final Duration LONG = Duration.ofSeconds(1);

  private record Mine(String analyst, boolean measures, Instant since) {}

  private final Clock clock;
  private final Policy.Failures limit;
  private final Map<Long, Mine> open = new ConcurrentHashMap<>();
  private final Map<Long, String> withheld = new ConcurrentHashMap<>();
  private volatile Set<String> stopped = Set.of();

  InFlight(Clock clock, Policy.Failures limit) {
    this.clock = clock;
    this.limit = limit;
  }

  void begin(long charge, Request request) {
    open.put(charge, new Mine(request.analyst(), !request.meanings().isEmpty(), clock.instant()));
  }

  /** Whether it was open. */
  boolean end(long charge) {
    return open.remove(charge) != null;
  }

  /** The analysts who were stopped when entries were read last. */
  void stopped(Set<String> analysts) {
    stopped = analysts;
  }

  /**
   * What is put on record as failed: what is not told is neither counted nor remembered, or others
   * would hear of it.
   */
  Set<String> told(long charge, Set<String> failed, Failures failures) {
    if (failed.isEmpty() || !failures.isWithheld(charge)) {
      return failed;
    }
    withheld.put(charge, failures.analyst(charge));
    return Set.of();
  }

  /**
   * Whether an answer is not to be told.
   *
   * @param look reads what other processes wrote
   */
  boolean isWithheld(long charge, Runnable look) {
    Mine mine = open.get(charge);
    if (mine == null || !mine.measures()) {
      return false;
    }
    if (clock.instant().isAfter(mine.since().plus(LONG))) {
      look.run();
    }
    return stopped.contains(mine.analyst()) && withheld.put(charge, mine.analyst()) == null;
  }

  /** Throws where it is not to be told how a charge ended. */
  void require(long charge) {
    String analyst = withheld.remove(charge);
    if (analyst != null) {
      throw new TooManyFailures(analyst, limit);
    }
  }
}
