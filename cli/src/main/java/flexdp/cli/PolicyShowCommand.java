package flexdp.cli;

import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.propose.PolicyText;
import flexdp.gateway.text.TextFiles;
import flexdp.policy.PolicyReader;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints a policy as it is understood. */
@Command(
    name = "show",
    description = "Print a policy as it is understood, defaults included.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExample:%n",
    footer = "  flexdp policy show --policy rides.yaml")
final class PolicyShowCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Option(names = "--policy", paramLabel = "FILE", required = true, description = "The policy.")
  Path policy;

  @Override
  public Integer call() {
    var tree = TextFiles.tree(policy, Code.BAD_POLICY);
    spec.commandLine().getOut().print(PolicyText.of(PolicyReader.read(tree)));
    return 0;
  }
}
