package flexdp.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What clients were heard to ask of a PostgreSQL 15's catalogue, asked here and of a real one with
 * the policy's tables, empty: the answers are compared value by value, numbers of objects aside.
 */
class CapturedStatementsTest {
  /** Those that drive the door in the tests; what others ask is compared as well. */
  private static final Set<String> DRIVEN =
      Set.of("psql", "pgjdbc", "sqlalchemy", "psycopg2", "node");

  @TempDir Path folder;

  /** How many are the same. */
  private static final class Count {
    private int same;
    private int all;

    @Override
    public String toString() {
      return same + " of " + all;
    }
  }

  @Test
  void answersAreThoseOfARealServer() throws Exception {
    compare(3);
  }

  @Test
  @Tag("nightly")
  void allAnswersAreThoseOfARealServer() throws Exception {
    compare(1);
  }

  /** Asks one in so many. */
  private void compare(int step) throws Exception {
    Map<String, Count> counts = new TreeMap<>();
    List<String> different = new ArrayList<>();
    StringBuilder details = new StringBuilder();
    Map<String, String> reasons = reasons();
    List<String> unexplained = new ArrayList<>();
    try (RealPostgres real = RealPostgres.start();
        Demo demo = Demo.start(folder);
        RawClient theirs = new RawClient(real.port()).startup("ann");
        Login ours = Login.of(demo.port(), "ann")) {
      while (theirs.next() != 'Z') {
        continue;
      }
      Replay expected = new Replay(theirs);
      Replay found = new Replay(ours.raw);
      int number = 0;
      for (JsonNode captured : captured()) {
        String client = captured.path("c").asText();
        if (number++ % step > 0) {
          continue;
        }
        List<List<String>> should = expected.run(captured);
        List<List<String>> is = found.run(captured);
        for (String key : List.of(client, DRIVEN.contains(client) ? "DRIVEN" : "OTHERS")) {
          Count count = counts.computeIfAbsent(key, k -> new Count());
          count.all++;
          count.same += should.equals(is) ? 1 : 0;
        }
        if (!should.equals(is)) {
          String shown = shown(captured);
          different.add(shown);
          if (reasons.keySet().stream().noneMatch(shown::startsWith)) {
            unexplained.add(shown);
          }
          details.append("=== ").append(captured).append('\n');
          details.append("missing ").append(minus(should, is)).append('\n');
          details.append("more ").append(minus(is, should)).append('\n');
        }
      }
    }
    Files.writeString(Path.of("target/captured-different.txt"), details);
    assertTrue(counts.get("DRIVEN").same * 100 >= 95 * counts.get("DRIVEN").all, counts::toString);
    assertTrue(counts.get("OTHERS").same * 100 >= 85 * counts.get("OTHERS").all, counts::toString);
    assertEquals(List.of(), unexplained, "see target/captured-different.txt");
    List<String> outdated = new ArrayList<>(reasons.keySet());
    outdated.removeIf(reason -> different.stream().anyMatch(d -> d.startsWith(reason)));
    assertTrue(step > 1 || outdated.isEmpty(), outdated + " are the same now");
  }

  /** The client and the statement, as the list of differences names them. */
  private static String shown(JsonNode captured) {
    return captured.path("c").asText()
        + " "
        + captured.path("sql").asText().strip().replaceAll("\\s+", " ");
  }

  /** What is known to be otherwise, and why. */
  private static Map<String, String> reasons() throws IOException {
    Map<String, String> reasons = new LinkedHashMap<>();
    try (var in = CapturedStatementsTest.class.getResourceAsStream("otherwise.txt")) {
      String why = "";
      for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
        if (line.startsWith("#")) {
          why = line.substring(1).strip();
        } else if (!line.isBlank()) {
          reasons.put(line.strip(), why);
        }
      }
    }
    return reasons;
  }

  private static List<List<String>> minus(List<List<String>> some, List<List<String>> others) {
    List<List<String>> left = new ArrayList<>(some);
    left.removeAll(others);
    return left.subList(0, Math.min(3, left.size()));
  }

  private static List<JsonNode> captured() throws IOException {
    ObjectMapper json = new ObjectMapper();
    List<JsonNode> all = new ArrayList<>();
    try (var in = CapturedStatementsTest.class.getResourceAsStream("captured.jsonl")) {
      for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
        all.add(json.readTree(line));
      }
    }
    return all;
  }
}
