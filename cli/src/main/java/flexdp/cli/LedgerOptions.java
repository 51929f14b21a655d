package flexdp.cli;

import flexdp.failure.ConfigurationError;
import flexdp.gateway.ledger.LedgerPlace;
import flexdp.gateway.text.TextFiles;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
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

  /** Who acts, for the record. */
  static String owner() {
    return System.getProperty("user.name", "owner");
  }
}
