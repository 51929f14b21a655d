package flexdp.cli;

import flexdp.tree.Nearest;
import java.util.List;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** What somebody probably meant by a command or an option that does not exist. */
final class Mistyped {
  private Mistyped() {}

  /** " Did you mean '--policy'?", or nothing. */
  static String question(ParameterException e, String... args) {
    CommandLine command = e.getCommandLine();
    Set<String> options = command.getCommandSpec().optionsMap().keySet();
    for (String arg : args) {
      String name = arg.contains("=") ? arg.substring(0, arg.indexOf('=')) : arg;
      // A question may begin with a comment, and a number with a minus.
      if (name.matches("--?[a-z][-a-z]*") && !options.contains(name)) {
        String meant = Nearest.question(name, options);
        if (!meant.isEmpty()) {
          return meant;
        }
      }
    }
    List<String> unmatched =
        e instanceof UnmatchedArgumentException u ? u.getUnmatched() : List.of();
    return unmatched.isEmpty()
        ? ""
        : Nearest.question(unmatched.getFirst(), command.getSubcommands().keySet());
  }
}
