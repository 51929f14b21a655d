package flexdp.gateway.ledger;

/**
 * How an analyst stands whose questions failed in the database.
 *
 * @param recent within the policy's window, since the owner looked last
 * @param atMost so many stop the analyst
 */
public record FailureCount(int recent, int atMost, boolean stopped) {}
