package flexdp.cli;

import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.text.ClosedTable;
import flexdp.gateway.text.TextFiles;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.tree.Nearest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Writes into a policy that a table is closed. */
@Command(
    name = "close",
    description = "Close a table: no question that reads it is answered (owner).",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExample:%n",
    footer = {
      "  flexdp policy close --policy rides.yaml trips",
      "",
      "Writes closed: true under the table; take the line away to open it again.",
      "A server that runs takes the new policy up by itself."
    })
final class PolicyCloseCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Option(names = "--policy", paramLabel = "FILE", required = true, description = "The policy.")
  Path policy;

  @Parameters(paramLabel = "TABLE", description = "The table, as the policy names it.")
  String table;

  @Override
  public Integer call() {
    Policy before = PolicyReader.read(TextFiles.tree(policy, Code.BAD_POLICY));
    if (before.table(table).isEmpty()) {
      throw ConfigurationError.of(
          Code.BAD_USAGE,
          "the policy has no table '"
              + table
              + "'."
              + Nearest.question(table, before.tables().keySet()));
    }
    if (!before.table(table).orElseThrow().isClosed()) {
      write(ClosedTable.in(TextFiles.read(policy, Code.BAD_POLICY), table));
    }
    spec.commandLine().getOut().println(table + " is closed: " + policy);
    return 0;
  }

  private void write(String text) {
    Path beside = policy.resolveSibling(policy.getFileName() + ".closing");
    try {
      Files.copy(
          policy, beside, StandardCopyOption.COPY_ATTRIBUTES, StandardCopyOption.REPLACE_EXISTING);
      Files.writeString(beside, text);
      Files.move(
          beside, policy, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw ConfigurationError.of(Code.BAD_USAGE, "the file " + policy + " cannot be written");
    }
  }
}
