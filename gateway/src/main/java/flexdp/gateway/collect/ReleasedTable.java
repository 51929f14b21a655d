package flexdp.gateway.collect;

import flexdp.metrics.Metrics;
import java.time.Instant;
import java.util.UUID;

/**
 * Metrics of one table that were paid for and are public.
 *
 * @param snapshot the state of the data that they bound; for another they promise nothing. It may
 *     be a digest of the data, and stays private
 * @param name what the public file calls that state: drawn at random, and so nothing of the data
 */
public record ReleasedTable(
    Metrics.Release release, String snapshot, String name, Instant releasedAt) {
  private static final String RANDOM = "release:";

  /** With a name that nobody had before. */
  public ReleasedTable(Metrics.Release release, String snapshot, Instant releasedAt) {
    this(release, snapshot, RANDOM + UUID.randomUUID(), releasedAt);
  }

  /** Whether a name was drawn so. */
  static boolean isRandom(String name) {
    return name.startsWith(RANDOM);
  }
}
