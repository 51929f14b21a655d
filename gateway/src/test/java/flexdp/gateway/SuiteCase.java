package flexdp.gateway;

import flexdp.failure.RejectionCode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * One query of the shared suite, as the data file has it:
 *
 * <pre>
 * query its name
 * zeros                       labels that no row has are answered with 0 and not listed here
 * hand                        the values are worked out by hand: the text answers otherwise
 * original SELECT ...         the text for PostgreSQL where it spells something in its own way
 * reject sqlite UNSUPPORTED   a dialect that refuses it, before anything is charged
 * SELECT ...                  the analyst's text, on as many lines as it takes
 * ----
 * 'text' | 1.5 | NULL         the rows, in any order
 * </pre>
 *
 * <p>The values are what PostgreSQL answers to the text itself, never to what is rendered from it.
 */
record SuiteCase(
    String name,
    boolean zeros,
    boolean hand,
    Optional<String> original,
    Map<String, RejectionCode> rejected,
    String sql,
    List<String> rows) {

  static List<SuiteCase> read(String resource) throws IOException {
    List<SuiteCase> cases = new ArrayList<>();
    for (String block : text(resource).split("\n\\s*\n")) {
      List<String> lines = block.lines().filter(l -> !l.startsWith("#")).toList();
      if (!lines.isEmpty()) {
        cases.add(of(lines));
      }
    }
    return cases;
  }

  static String text(String resource) throws IOException {
    try (InputStream in = SuiteCase.class.getResourceAsStream(resource)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  static SuiteCase of(List<String> lines) {
    String name = "";
    boolean zeros = false;
    boolean hand = false;
    Optional<String> original = Optional.empty();
    Map<String, RejectionCode> rejected = new TreeMap<>();
    List<String> sql = new ArrayList<>();
    int at = 0;
    for (; at < lines.size() && !lines.get(at).equals("----"); at++) {
      String line = lines.get(at);
      String[] words = line.split(" ");
      switch (sql.isEmpty() ? words[0] : "") {
        case "query" -> name = line.substring("query ".length());
        case "zeros" -> zeros = true;
        case "hand" -> hand = true;
        case "original" -> original = Optional.of(line.substring("original ".length()));
        case "reject" -> rejected.put(words[1], RejectionCode.valueOf(words[2]));
        default -> sql.add(line);
      }
    }
    List<String> rows = at < lines.size() ? lines.subList(at + 1, lines.size()) : List.of();
    return new SuiteCase(
        name, zeros, hand, original, rejected, String.join("\n", sql), List.copyOf(rows));
  }
}
