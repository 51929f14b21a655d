package flexdp.server.engine;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Set;

/**
 * A question on record.
 *
 * @param seq its place in the ledger
 * @param outcome how it ended; {@code open} while it is running, or when nobody could write that
 */
public record Charge(
    long seq,
    Instant at,
    String analyst,
    String query,
    Set<String> tables,
    String mechanism,
    BigDecimal epsilon,
    BigDecimal delta,
    String outcome) {}
