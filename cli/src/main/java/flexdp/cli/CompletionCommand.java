package flexdp.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Completion for shells. */
@Command(
    name = CompletionCommand.NAME,
    description = "Print what lets bash or zsh complete commands and options.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExample:%n",
    footer = {"  source <(flexdp completion bash)      # in ~/.bashrc; zsh in ~/.zshrc"})
final class CompletionCommand implements Callable<Integer> {
  static final String NAME = "completion";

  /** Whose completion it is; both read the same script. */
  enum Kind {
    bash,
    zsh
  }

  @Spec CommandSpec spec;

  @Parameters(arity = "0..1", paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}")
  Kind shell = Kind.bash;

  @Override
  public Integer call() {
    if (shell == Kind.zsh) {
      spec.commandLine().getOut().println("autoload -U +X bashcompinit && bashcompinit");
    }
    spec.commandLine().getOut().print(AutoComplete.bash("flexdp", spec.root().commandLine()));
    spec.commandLine().getOut().flush();
    return 0;
  }
}
