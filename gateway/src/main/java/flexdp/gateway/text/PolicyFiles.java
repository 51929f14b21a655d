package flexdp.gateway.text;

import java.nio.file.Path;

/**
 * The files that belong to a policy and stand beside it: rides.yaml has rides.metrics.json,
 * rides.ledger and rides.log. One rule for all of them: the policy's name up to its last dot.
 */
public record PolicyFiles(Path policy) {
  /** The policy's name without its ending, which is also the name of its database for clients. */
  public String name() {
    String file = policy.getFileName().toString();
    int dot = file.lastIndexOf('.');
    return dot < 1 ? file : file.substring(0, dot);
  }

  /** What was measured. */
  public Path metrics() {
    return beside(".metrics.json");
  }

  /** What was charged; see {@link flexdp.gateway.ledger.LedgerPlace} for its former name. */
  public Path ledger() {
    return beside(".ledger");
  }

  /** Where the causes of failures are kept for the owner. */
  public Path log() {
    return beside(".log");
  }

  private Path beside(String ending) {
    return policy.resolveSibling(name() + ending);
  }
}
