package flexdp.cli;

import java.util.List;
import java.util.Locale;
import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.LineReader;
import org.jline.reader.ParsedLine;

/** Tables, columns of the tables that are named, functions, words of SQL, and commands. */
final class ShellCompleter implements Completer {
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
