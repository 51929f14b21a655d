package flexdp.gateway.ledger;

/** A charge that is on record: the question may run now. */
public record Reservation(String ledger, long entry) {}
