package flexdp.cli;

import flexdp.document.NearestName;
import flexdp.failure.Failure;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Where the command line starts. Every failure ends as one or two lines and an exit code. */
public final class Main {
  private static final int USAGE = 2;
  private static final int INTERNAL = 1;

  private Main() {}

  public static void main(String[] args) {
    PrintStream out =
        new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
    PrintStream err =
        new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
    System.setOut(out);
    System.setErr(err);
    int code = run(writer(out), writer(err), args);
    out.flush();
    System.exit(code);
  }

  private static PrintWriter writer(PrintStream stream) {
    return new PrintWriter(stream, true, StandardCharsets.UTF_8);
  }

  /** Runs one command and gives its exit code. */
  static int run(PrintWriter out, PrintWriter err, String... args) {
    CommandLine command = FlexdpCommand.calledBy(args);
    command.setOut(out);
    command.setErr(err);
    command.setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF));
    command.setParameterExceptionHandler(
        (e, given) -> {
          String meant = CommandSuggestion.question(e, given);
          err.println(
              "flexdp: " + firstLine(e.getMessage()) + (meant.isEmpty() ? "" : "." + meant));
          return USAGE;
        });
    command.setExecutionExceptionHandler((e, ignored, parsed) -> report(e, err));
    int code = command.execute(args);
    out.flush();
    err.flush();
    return code;
  }

  private static int report(Throwable thrown, PrintWriter err) {
    if (thrown instanceof Failure failure) {
      err.println("flexdp: " + FailureText.of(failure));
      return failure.exitCode();
    }
    // No message and no trace: either could hold values that were seen in the data.
    StackTraceElement[] trace = thrown.getStackTrace();
    String where =
        trace.length == 0 ? "" : " at " + trace[0].getFileName() + ":" + trace[0].getLineNumber();
    err.println(
        "flexdp: internal error ("
            + thrown.getClass().getSimpleName()
            + where
            + "); please report it");
    return INTERNAL;
  }

  /** Without the words of Java that picocli puts in brackets behind its own. */
  private static String firstLine(String message) {
    String whole = message == null ? "" : message.lines().findFirst().orElse("");
    String said = whole.replaceFirst(" \\(java\\..*\\)$", "");
    return said.isEmpty() ? "wrong usage" : said;
  }

  /** What somebody probably meant by a command or an option that does not exist. */
  static final class CommandSuggestion {
    private CommandSuggestion() {}

    /** " Did you mean '--policy'?", or nothing. */
    static String question(ParameterException e, String... args) {
      CommandLine command = e.getCommandLine();
      Set<String> options = command.getCommandSpec().optionsMap().keySet();
      for (String arg : args) {
        String name = arg.contains("=") ? arg.substring(0, arg.indexOf('=')) : arg;
        // A question may begin with a comment, and a number with a minus.
        if (name.matches("--?[a-z][-a-z]*") && !options.contains(name)) {
          String meant = NearestName.question(name, options);
          if (!meant.isEmpty()) {
            return meant;
          }
        }
      }
      List<String> unmatched =
          e instanceof UnmatchedArgumentException u ? u.getUnmatched() : List.of();
      return unmatched.isEmpty()
          ? ""
          : NearestName.question(unmatched.getFirst(), command.getSubcommands().keySet());
    }
  }
}
