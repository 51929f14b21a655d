package flexdp.gateway.ledger.entry;

import flexdp.budget.Cost;

/**
 * Something that was released and may be shown again at no cost to the data.
 *
 * @param key the hash of what it answers, see {@code flexdp.fingerprint.QueryFingerprint}
 * @param family the hash of the rows it is about, see {@code flexdp.reuse.MeasurementShape};
 *     answers to other questions about the same rows may follow from it. Empty when none can
 * @param snapshot the state of the data that it describes
 * @param analyst who paid for it; others pay from their own accounts (guarantee §9)
 * @param cost what it cost; it serves questions that ask for no more accuracy than that
 * @param body the noisy values, as the gateway writes them
 */
public record ReleasedAnswer(
    String key,
    String family,
    String snapshot,
    String analyst,
    String mechanism,
    Cost cost,
    String body) {
  /** An answer from which no other follows. */
  public ReleasedAnswer(
      String key, String snapshot, String analyst, String mechanism, Cost cost, String body) {
    this(key, "", snapshot, analyst, mechanism, cost, body);
  }

  /** This answer, paid for by another analyst. */
  public ReleasedAnswer by(String other) {
    return new ReleasedAnswer(key, family, snapshot, other, mechanism, cost, body);
  }
}
