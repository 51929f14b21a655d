package flexdp.gateway.collect;

import flexdp.metrics.Metrics;
import java.time.Instant;

/**
 * Metrics of one table that were paid for and are public.
 *
 * @param snapshot the state of the data that they bound; for another they promise nothing
 */
public record ReleasedTable(Metrics.Release release, String snapshot, Instant releasedAt) {}
