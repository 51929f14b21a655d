package flexdp.cli;

import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.failure.Failure;
import flexdp.failure.Position;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.CompletingParsedLine;
import org.jline.reader.EOFError;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.ParsedLine;
import org.jline.reader.Parser;
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

  /** A statement goes on over lines until its semicolon; a command is one line. */
  static final class ShellParser implements Parser {
    @Override
    public ParsedLine parse(String line, int cursor, ParseContext context) {
      boolean accepting =
          context == ParseContext.ACCEPT_LINE || context == ParseContext.UNSPECIFIED;
      if (accepting && !line.isBlank() && !ShellText.isCommand(line) && !ShellText.isWhole(line)) {
        throw new EOFError(-1, -1, "a statement ends with a semicolon", ";");
      }
      int start = ShellText.wordStart(line, cursor);
      return new Words(line, cursor, line.substring(start, cursor));
    }

    @Override
    public boolean isEscapeChar(char ch) {
      return false; // a backslash begins a command
    }

    /** The word before the cursor is what is completed. */
    private record Words(String line, int cursor, String word) implements CompletingParsedLine {
      @Override
      public int wordCursor() {
        return word.length();
      }

      @Override
      public int wordIndex() {
        return 0;
      }

      @Override
      public List<String> words() {
        return List.of(word);
      }

      @Override
      public CharSequence escape(CharSequence candidate, boolean complete) {
        return candidate;
      }

      @Override
      public int rawWordCursor() {
        return word.length();
      }

      @Override
      public int rawWordLength() {
        return word.length();
      }
    }
  }

  /** Tables, columns of the tables that are named, functions, words of SQL, and commands. */
  static final class ShellCompleter implements Completer {
    private static final List<String> AGGREGATES =
        List.of("count", "sum", "avg", "min", "max", "median", "stddev", "variance");
    private static final List<String> WORDS =
        List.of(
            ("SELECT FROM WHERE GROUP ORDER BY HAVING LIMIT JOIN LEFT FULL INNER ON USING AND OR NOT"
                    + " IN EXISTS BETWEEN LIKE IS NULL DISTINCT AS WITH CASE WHEN THEN ELSE END UNION"
                    + " ALL INTERVAL DATE TIMESTAMP CAST DESC ASC OVER PARTITION")
                .split(" "));

    private final List<ShellSource.Table> tables;
    private final List<String> functions;

    ShellCompleter(ShellSource source) {
      this.tables = source.tables();
      this.functions = source.functions();
    }

    @Override
    public void complete(LineReader reader, ParsedLine line, List<Candidate> found) {
      String word = line.word();
      String text = line.line();
      if (ShellText.isCommand(text)) {
        command(text, word, found);
        return;
      }
      if (ShellText.wantsTable(text, line.cursor() - word.length())) {
        tables.forEach(t -> add(found, word, t.name(), "tables"));
        return;
      }
      int dot = word.lastIndexOf('.');
      for (ShellSource.Table table : tables) {
        add(found, word, table.name(), "tables");
        boolean named = tables.size() == 1 || ShellText.mentions(text, table.name());
        for (ShellSource.Column column : table.columns()) {
          if (dot > 0 && !word.substring(0, dot).equalsIgnoreCase(table.name())) {
            // An alias: columns of the tables that are named.
            if (named) {
              add(found, word, word.substring(0, dot + 1) + column.name(), "columns");
            }
          } else if (dot > 0) {
            add(found, word, table.name() + "." + column.name(), "columns");
          } else if (named || !text.toLowerCase(Locale.ROOT).contains("from")) {
            add(found, word, column.name(), "columns");
          }
        }
      }
      if (!word.isEmpty() && dot < 0) {
        AGGREGATES.forEach(f -> add(found, word, f + "(", "functions"));
        functions.forEach(f -> add(found, word, f + "(", "functions"));
        WORDS.forEach(w -> add(found, word, w, "words"));
      }
    }

    private void command(String text, String word, List<Candidate> found) {
      if (word.startsWith("\\")) {
        Shell.COMMANDS.forEach(c -> add(found, word, c, "commands"));
      } else if (text.stripLeading().startsWith("\\d")) {
        tables.forEach(t -> add(found, word, t.name(), "tables"));
      } else if (text.stripLeading().startsWith("\\set")) {
        List.of(ShellSettings.EPSILON, ShellSettings.DELTA, ShellSettings.WITHIN)
            .forEach(s -> add(found, word, s, "settings"));
      }
    }

    private static void add(List<Candidate> found, String word, String value, String group) {
      if (value.toLowerCase(Locale.ROOT).startsWith(word.toLowerCase(Locale.ROOT))
          && found.stream().noneMatch(c -> c.value().equals(value))) {
        boolean open = value.endsWith("(") || value.endsWith(".");
        found.add(new Candidate(value, value, group, null, null, null, !open));
      }
    }
  }

  /** Where the statements of a prompt end, and which words stand in them. */
  static final class ShellText {
    private ShellText() {}

    static boolean isCommand(String text) {
      return text.stripLeading().startsWith("\\");
    }

    /** Whether a statement ends here: with a semicolon that stands in no quotes and no comment. */
    static boolean isWhole(String text) {
      boolean ended = false;
      for (int i = 0; i < text.length(); i++) {
        char c = text.charAt(i);
        if (c == '\'' || c == '"') {
          int end = text.indexOf(c, i + 1);
          if (end < 0) {
            return false;
          }
          i = end;
          ended = false;
        } else if (c == '-' && text.startsWith("--", i)) {
          int end = text.indexOf('\n', i);
          i = end < 0 ? text.length() : end;
        } else if (c == '/' && text.startsWith("/*", i)) {
          int end = text.indexOf("*/", i + 2);
          if (end < 0) {
            return false;
          }
          i = end + 1;
        } else if (!Character.isWhitespace(c)) {
          ended = c == ';';
        }
      }
      return ended;
    }

    /** A statement without its last semicolon. */
    static String statement(String text) {
      String bare = text.strip();
      return bare.endsWith(";") ? bare.substring(0, bare.length() - 1).stripTrailing() : bare;
    }

    /** Where the word begins that ends at the cursor. */
    static int wordStart(String text, int cursor) {
      int start = cursor;
      while (start > 0 && isWord(text.charAt(start - 1))) {
        start--;
      }
      return start > 0 && text.charAt(start - 1) == '\\' ? start - 1 : start;
    }

    private static boolean isWord(char c) {
      return Character.isLetterOrDigit(c) || c == '_' || c == '.';
    }

    /** Whether a table is what comes next: after FROM and JOIN. */
    static boolean wantsTable(String text, int at) {
      String before = text.substring(0, at).stripTrailing().toLowerCase(Locale.ROOT);
      return before.endsWith("from") || before.endsWith("join");
    }

    static boolean mentions(String text, String name) {
      String low = text.toLowerCase(Locale.ROOT);
      String wanted = name.toLowerCase(Locale.ROOT);
      for (int at = low.indexOf(wanted); at >= 0; at = low.indexOf(wanted, at + 1)) {
        int end = at + wanted.length();
        boolean begins = at == 0 || !isWord(low.charAt(at - 1));
        if (begins && (end == low.length() || !isWord(low.charAt(end)))) {
          return true;
        }
      }
      return false;
    }
  }

  /** A failure below the line of the statement that it speaks of, the place underlined. */
  static final class ShellError {
    private ShellError() {}

    static String of(Failure failure, String sql) {
      return failure.at().map(at -> underlined(sql, at)).orElse("")
          + FailureText.of(failure)
          + "\n";
    }

    /** The line, and below it marks under the word at the place; columns are code points. */
    static String underlined(String sql, Position at) {
      List<String> lines = sql.lines().toList();
      if (at.line() > lines.size()) {
        return "";
      }
      String line = lines.get(at.line() - 1);
      int length = line.codePointCount(0, line.length());
      int column = Math.min(at.column() - 1, length);
      int from = line.offsetByCodePoints(0, column);
      int to = from;
      while (to < line.length() && isWord(line.codePointAt(to))) {
        to += Character.charCount(line.codePointAt(to));
      }
      int marks = Math.max(1, line.codePointCount(from, to));
      StringBuilder pad = new StringBuilder();
      line.substring(0, from).codePoints().forEach(c -> pad.append(c == '\t' ? '\t' : ' '));
      return line + "\n" + pad + "^".repeat(marks) + "\n";
    }

    private static boolean isWord(int c) {
      return Character.isLetterOrDigit(c) || c == '_' || c == '.';
    }
  }
}
