package flexdp.cli;

import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.failure.Failure;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.terminal.Terminal;

/** The prompt: statements end with a semicolon, commands begin with a backslash. */
final class Shell {
  static final List<String> COMMANDS =
      List.of("\\d", "\\budget", "\\explain", "\\set", "\\unset", "\\help", "\\quit");

  private static final String HELP =
      """
      SELECT ...;             one private answer; it may take several lines
      \\explain SELECT ...     what it would cost and how wrong it would be; free
      \\d [TABLE]              tables, or the columns of one
      \\budget                 what is left
      \\set epsilon 0.5        for what follows; also delta, within (\\set within 5%)
      \\set, \\unset epsilon    what is set; back to the policy's
      \\quit                   or the end of the input
      """;

  private final ShellSource source;
  private final Terminal terminal;
  private final LineReader reader;
  private final ShellSettings settings = new ShellSettings();

  /**
   * @param history a file; none to forget everything
   */
  Shell(ShellSource source, Terminal terminal, Optional<Path> history) {
    this.source = source;
    this.terminal = terminal;
    LineReaderBuilder builder =
        LineReaderBuilder.builder()
            .appName("flexdp")
            .terminal(terminal)
            .parser(new ShellParser())
            .completer(new ShellCompleter(source))
            .variable(LineReader.SECONDARY_PROMPT_PATTERN, "     -> ")
            .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
            .option(LineReader.Option.CASE_INSENSITIVE, true);
    history.ifPresent(file -> builder.variable(LineReader.HISTORY_FILE, file));
    this.reader = builder.build();
  }

  ShellSettings settings() {
    return settings;
  }

  /** Reads and answers until the input ends. */
  void run() {
    PrintWriter out = terminal.writer();
    out.println("FlexDP. A question ends with a semicolon; \\help says what else there is.");
    out.flush();
    while (true) {
      String line;
      try {
        line = reader.readLine("flexdp> ");
      } catch (UserInterruptException e) {
        continue; // what was typed is forgotten
      } catch (EndOfFileException e) {
        return;
      }
      if (isQuit(line)) {
        return;
      }
      out.print(answer(line));
      out.flush();
    }
  }

  private static boolean isQuit(String line) {
    String word = line.strip().toLowerCase(Locale.ROOT);
    return word.equals("\\q")
        || word.equals("\\quit")
        || word.equals("quit;")
        || word.equals("exit;");
  }

  /** What is shown for one input. */
  String answer(String line) {
    if (line.isBlank()) {
      return "";
    }
    String sql = ShellText.statement(line);
    try {
      return ShellText.isCommand(line) ? command(line.strip()) : source.ask(sql, settings);
    } catch (Failure e) {
      return ShellError.of(e, ShellText.isCommand(line) ? argument(line) : sql);
    }
  }

  private static String argument(String line) {
    String bare = line.strip();
    int space = bare.indexOf(' ');
    return space < 0 ? "" : ShellText.statement(bare.substring(space + 1));
  }

  private String command(String line) {
    String name = line.split("\\s", 2)[0];
    String argument = argument(line);
    return switch (name) {
      case "\\d" -> argument.isEmpty() ? tables() : columns(argument);
      case "\\budget" -> source.budget();
      case "\\explain" -> source.explain(argument, settings);
      case "\\set" -> set(argument);
      case "\\unset" -> {
        settings.set(argument, Optional.empty());
        yield "";
      }
      case "\\help", "\\?", "\\h" -> HELP;
      default ->
          throw ConfigurationError.of(
              Code.BAD_USAGE, "there is no command " + name, "\\help lists them.");
    };
  }

  private String set(String argument) {
    if (argument.isEmpty()) {
      return settings.toString();
    }
    String[] words = argument.split("[\\s=]+", 2);
    settings.set(words[0], words.length < 2 ? Optional.empty() : Optional.of(words[1].strip()));
    return "";
  }

  private String tables() {
    StringBuilder text = new StringBuilder();
    for (ShellSource.Table table : source.tables()) {
      text.append(String.format(Locale.ROOT, "%-24s %s%n", table.name(), table.about()));
    }
    return text.toString();
  }

  private String columns(String name) {
    ShellSource.Table table =
        source.tables().stream()
            .filter(t -> t.name().equalsIgnoreCase(name))
            .findFirst()
            .orElseThrow(
                () ->
                    ConfigurationError.of(
                        Code.BAD_USAGE, "there is no table '" + name + "'", "\\d lists them."));
    StringBuilder text = new StringBuilder();
    for (ShellSource.Column column : table.columns()) {
      text.append(
          String.format(Locale.ROOT, "%-24s %-16s %s", column.name(), column.type(), column.facts())
              .stripTrailing());
      text.append(System.lineSeparator());
    }
    return text.toString();
  }
}
