package flexdp.cli;

import flexdp.budget.Allowances;
import flexdp.failure.ConfigurationError;
import flexdp.gateway.collect.MetricsFile;
import flexdp.gateway.files.TextFiles;
import flexdp.gateway.ledger.KnownLedger;
import flexdp.gateway.ledger.Ledger;
import flexdp.gateway.ledger.LedgerPlace;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Which policy and which ledger the budget commands are about. */
final class LedgerOptions {
  @Option(
      names = "--policy",
      paramLabel = "FILE",
      required = true,
      description = "the policy whose budget it is")
  Path policyFile;

  @Option(
      names = "--ledger",
      paramLabel = "FILE|URL",
      description =
          "the ledger, when it is not NAME.ledger beside the policy: a file, or"
              + " jdbc:postgresql://HOST/DATABASE")
  Optional<String> ledger = Optional.empty();

  Policy policy() {
    return PolicyReader.read(TextFiles.tree(policyFile, ConfigurationError.Code.BAD_POLICY));
  }

  LedgerPlace place() {
    return LedgerPlace.of(policyFile, ledger);
  }

  /** Whether there is no ledger, and was none as far as the metrics beside the policy tell. */
  boolean isNew() {
    return place().isNew() && known().isEmpty();
  }

  /**
   * The ledger; the metrics beside the policy have to name it, if they name one.
   *
   * @throws flexdp.failure.LedgerError when it is gone, or is another
   */
  Ledger open(Allowances allowances) {
    LedgerPlace.follow(policyFile, ledger, known().map(KnownLedger::id));
    return place().open(allowances, false, known());
  }

  /** What the metrics beside the policy know of the ledger. */
  Optional<KnownLedger> known() {
    return MetricsFile.ledger(MetricsFile.beside(policyFile));
  }

  /** The ledger; without one it says so, and there is nothing to do. */
  Optional<Ledger> opened(PrintWriter out) {
    if (isNew()) {
      out.println("There is no ledger yet: nothing was ever charged.");
      out.flush();
      return Optional.empty();
    }
    return Optional.of(open(Allowances.of(policy())));
  }

  /** Who acts, for the record. */
  static String owner() {
    return System.getProperty("user.name", "owner");
  }
}
