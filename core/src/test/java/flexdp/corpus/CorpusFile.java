package flexdp.corpus;

import flexdp.policy.Neighbors;
import flexdp.sensitivity.RuleSet;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One theme of the corpus. The file begins with comments and settings; then come blocks, apart by
 * blank lines: a query, a line of four hyphens, and what the analysis says of it.
 */
record CorpusFile(Path path, List<String> header, List<Entry> entries) {
  /** A query and what is expected of it. */
  record Entry(int line, String sql, String expected) {
    boolean isAccepted() {
      return expected.startsWith("accepted");
    }
  }

  static CorpusFile read(Path path) {
    List<String> header = new ArrayList<>();
    List<Entry> entries = new ArrayList<>();
    List<String> lines = Setting.text(path).lines().toList();
    int at = 0;
    while (at < lines.size() && !lines.get(at).isBlank()) {
      header.add(lines.get(at++));
    }
    while (at < lines.size()) {
      if (lines.get(at).isBlank()) {
        at++;
        continue;
      }
      int start = at;
      StringBuilder sql = new StringBuilder();
      while (at < lines.size() && !lines.get(at).equals("----") && !lines.get(at).isBlank()) {
        sql.append(sql.isEmpty() ? "" : "\n").append(lines.get(at++));
      }
      StringBuilder expected = new StringBuilder();
      if (at < lines.size() && lines.get(at).equals("----")) {
        at++;
        while (at < lines.size() && !lines.get(at).isBlank()) {
          expected.append(lines.get(at++)).append('\n');
        }
      }
      entries.add(new Entry(start + 1, sql.toString(), expected.toString()));
    }
    return new CorpusFile(path, header, entries);
  }

  String setting() {
    return value("policy", "corpus/rides");
  }

  Neighbors neighbors() {
    return value("neighbors", "add-remove-one").equals("replace-one")
        ? Neighbors.REPLACE_ONE
        : Neighbors.ADD_REMOVE_ONE;
  }

  RuleSet rules() {
    return RuleSet.valueOf(value("rules", "flexdp").toUpperCase(Locale.ROOT));
  }

  private String value(String name, String otherwise) {
    return header.stream()
        .filter(line -> line.startsWith(name + " "))
        .map(line -> line.substring(name.length() + 1).strip())
        .findFirst()
        .orElse(otherwise);
  }

  /** Writes the file anew with other expectations, in the order of the entries. */
  void write(List<String> verdicts) throws IOException {
    StringBuilder text = new StringBuilder();
    header.forEach(line -> text.append(line).append('\n'));
    for (int i = 0; i < entries.size(); i++) {
      text.append('\n').append(entries.get(i).sql()).append("\n----\n").append(verdicts.get(i));
    }
    Files.writeString(path, text.toString(), StandardCharsets.UTF_8);
  }
}
