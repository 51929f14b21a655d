package flexdp.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import picocli.CommandLine;
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
  /** In the order of the help. A lambda, unlike a reference, loads nothing until it is called. */
  private static final Map<String, Supplier<Object>> COMMANDS = new LinkedHashMap<>();

  static {
    COMMANDS.put("demo", () -> new DemoCommand());
    COMMANDS.put("ask", () -> new AskCommand());
    COMMANDS.put("shell", () -> new ShellCommand());
    COMMANDS.put("explain", () -> new ExplainCommand());
    COMMANDS.put("analyze", () -> new AnalyzeCommand());
    COMMANDS.put("collect", () -> new CollectCommand());
    COMMANDS.put("policy", () -> new PolicyCommand());
    COMMANDS.put("budget", () -> new BudgetCommand());
    COMMANDS.put("ledger", () -> new LedgerCommand());
    COMMANDS.put("serve", () -> new ServeCommand());
    COMMANDS.put("user", () -> new UserCommand());
    COMMANDS.put("token", () -> new TokenCommand());
    COMMANDS.put("watch", () -> new WatchCommand());
    COMMANDS.put("program", () -> new ProgramCommand());
    COMMANDS.put("verify", () -> new VerifyCommand());
    COMMANDS.put("study", () -> new StudyCommand());
    COMMANDS.put("experiment", () -> new ExperimentCommand());
    COMMANDS.put("bench", () -> new BenchCommand());
    COMMANDS.put("completion", () -> new CompletionCommand());
  }

  @Spec CommandSpec spec;

  /** With all commands, for whatever looks at more than one. */
  static CommandLine all() {
    return with(COMMANDS.keySet());
  }

  /** With the command that is called; where none is, with all of them. */
  static CommandLine calledBy(String... args) {
    boolean one = args.length > 0 && COMMANDS.containsKey(args[0]);
    return one && !args[0].equals(CompletionCommand.NAME) ? with(Set.of(args[0])) : all();
  }

  private static CommandLine with(Set<String> names) {
    CommandLine line = new CommandLine(new FlexdpCommand());
    names.forEach(name -> line.addSubcommand(name, COMMANDS.get(name).get()));
    return line;
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Which command? Try: flexdp --help");
  }
}
