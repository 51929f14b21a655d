package flexdp.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The root: names every command and does nothing itself. */
@Command(
    name = "flexdp",
    description = "Differential privacy for the SQL you already write.",
    mixinStandardHelpOptions = true,
    version = "flexdp 0.1.0",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      DemoCommand.class,
      AskCommand.class,
      ShellCommand.class,
      ExplainCommand.class,
      AnalyzeCommand.class,
      CollectCommand.class,
      PolicyCommand.class,
      BudgetCommand.class,
      LedgerCommand.class,
      ServeCommand.class,
      UserCommand.class,
      TokenCommand.class,
      WatchCommand.class,
      ProgramCommand.class,
      VerifyCommand.class,
      StudyCommand.class,
      ExperimentCommand.class,
      BenchCommand.class,
      CompletionCommand.class
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:answered",
      "1:a promise does not hold (verify)",
      "2:wrong usage or configuration",
      "3:the query was rejected",
      "4:the budget is exhausted",
      "5:the database failed"
    })
final class FlexdpCommand implements Runnable {
  @Spec CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Which command? Try: flexdp --help");
  }
}
