package flexdp.gateway.ledger;

import java.util.List;

/** Released answers by what they answer. They survive restarts. */
public interface AnswerCache {
  /** What was released for a key at a snapshot, the most accurate first. */
  List<ReleasedAnswer> find(String key, String snapshot);

  /** What was released lately about the same rows at a snapshot, the newest first. */
  List<ReleasedAnswer> family(String family, String snapshot);
}
