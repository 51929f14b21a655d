package flexdp.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A dated file of tables, printed while it grows. A table without a row is an error: it says that
 * nothing was measured, whatever the reason. Figures of two commits are compared by
 * scripts/bench-check, which names a file for them in the property flexdp.bench.figures.
 */
final class Results {
  private static final String FIGURES = System.getProperty("flexdp.bench.figures", "");

  private final String name;
  private final List<String> lines = new ArrayList<>();
  private final List<String> figures = new ArrayList<>();
  private String section = "";
  private String open = "";

  /**
   * @param name of the file, after its date
   */
  Results(String name, String title) {
    this.name = name;
    say("# " + title + ", " + LocalDate.now());
    say("");
  }

  void say(String line) {
    System.out.println(line);
    lines.add(line);
  }

  void section(String title) {
    requireRow();
    section = title + ": ";
    say("## " + title);
    say("");
  }

  /** The heading of a table; its first column names rows and its last, the aim, comes by itself. */
  void table(String... columns) {
    requireRow();
    open = section + String.join(", ", columns);
    say("| " + String.join(" | ", columns) + " | aim |");
    say("|---" + "|---:".repeat(columns.length - 1) + "|---|");
  }

  void row(String what, Aim aim, Object... cells) {
    StringBuilder line = new StringBuilder("| " + what);
    for (Object cell : cells) {
      line.append(" | ")
          .append(cell instanceof Double d ? String.format(Locale.ROOT, "%.2f", d) : cell);
    }
    say(line + " | " + aim.said() + " |");
    open = "";
  }

  /**
   * What is compared between commits; less is better.
   *
   * @param clock the same by the clock
   * @param limit how much more it may be in the later commit
   */
  void figure(String what, double value, double clock, double limit) {
    figures.add(section + what + "\t" + value + "\t" + clock + "\t" + limit);
  }

  /** Ends a table, with an empty line after it. */
  void end() {
    requireRow();
    say("");
  }

  void write(Path folder) throws IOException {
    requireRow();
    if (!FIGURES.isEmpty()) {
      Files.write(Path.of(FIGURES), figures);
      return; // a comparison leaves no dated file
    }
    Files.createDirectories(folder);
    Path file = folder.resolve(LocalDate.now() + "-" + name + ".md");
    while (!lines.isEmpty() && lines.getLast().isEmpty()) {
      lines.removeLast();
    }
    Files.write(file, lines);
    System.out.println("written to " + file);
  }

  private void requireRow() {
    if (!open.isEmpty()) {
      throw new IllegalStateException("a table without a row: " + open);
    }
  }
}
