package flexdp.gateway.ledger;

import flexdp.gateway.ledger.entry.ReleasedAnswer;
import java.util.List;
import java.util.Optional;

/** Released answers by what they answer. They survive restarts. */
public interface AnswerStore {
  /** What was released for a key at a snapshot, the newest first. */
  List<ReleasedAnswer> find(String key, String snapshot);

  /**
   * What was released lately about the same rows at a snapshot, the newest first.
   *
   * @param analyst whose answers alone are wanted: those of others must not crowd them out
   */
  List<ReleasedAnswer> family(String family, String snapshot, Optional<String> analyst);
}
