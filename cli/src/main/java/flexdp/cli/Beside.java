package flexdp.cli;

import java.nio.file.Path;

/** The files that stand beside a policy unless options say otherwise. */
final class Beside {
  private Beside() {}

  static Path metrics(Path policy) {
    return policy.resolveSibling(name(policy) + ".metrics.json");
  }

  static Path ledger(Path policy) {
    return policy.resolveSibling(name(policy) + ".ledger");
  }

  /** Where the causes of failures are kept for the owner. */
  static Path log(Path policy) {
    return policy.resolveSibling(name(policy) + ".log");
  }

  private static String name(Path policy) {
    String file = policy.getFileName().toString();
    int dot = file.lastIndexOf('.');
    return dot < 1 ? file : file.substring(0, dot);
  }
}
