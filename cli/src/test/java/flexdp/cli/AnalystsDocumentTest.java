package flexdp.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.gateway.FlexDp;
import flexdp.gateway.ask.Ask;
import flexdp.gateway.demo.RideSharing;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every command of docs/analysts.md works, and every refusal has the way out that it names. */
class AnalystsDocumentTest {
  @TempDir static Path folder;
  private static String page;
  private static Path policy;

  @BeforeAll
  static void makeDemo() throws Exception {
    page = Files.readString(Path.of("../docs/analysts.md"));
    Path database = folder.resolve("rides.duckdb");
    new RideSharing(5_000, 7).create(database);
    policy = folder.resolve("rides.yaml");
    Files.writeString(policy, RideSharing.policy("jdbc:duckdb:" + database));
    assertEquals("", run("collect", "--policy", policy.toString()).err());
    Matcher files = Pattern.compile("```csv (\\S+)\n(.*?)```", Pattern.DOTALL).matcher(page);
    while (files.find()) {
      Files.writeString(folder.resolve(files.group(1)), files.group(2));
    }
  }

  private record Ran(int code, String out, String err) {}

  private static Ran run(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code = Main.run(new PrintWriter(out), new PrintWriter(err), args);
    return new Ran(code, out.toString(), code == 0 ? "" : err.toString());
  }

  @Test
  void allTenExamplesRun() {
    Matcher commands = Pattern.compile("(?m)^\\$ \\./flexdp (.*)$").matcher(page);
    int ran = 0;
    List<Ran> answers = new ArrayList<>();
    while (commands.find()) {
      Ran answer = run(words(commands.group(1)));
      assertEquals(0, answer.code(), commands.group(1) + "\n" + answer.err());
      assertTrue(!answer.out().isBlank(), commands.group(1));
      answers.add(answer);
      ran++;
    }
    assertEquals(10, ran);
    assertEquals(answers.get(2).out(), answers.get(9).out()); // a question again
  }

  /** As a shell splits them; names of files are of the test's folder. */
  private static String[] words(String command) {
    List<String> words = new ArrayList<>();
    Matcher word = Pattern.compile("\"([^\"]*)\"|(\\S+)").matcher(command);
    while (word.find()) {
      String text = word.group(1) != null ? word.group(1) : word.group(2);
      words.add(text.matches("[a-z]+\\.(yaml|csv)") ? folder.resolve(text).toString() : text);
    }
    return words.toArray(String[]::new);
  }

  @Test
  void everyRefusalHasItsWayOut() {
    Matcher rows =
        Pattern.compile("(?m)^\\| `([A-Z_]+)` \\| `([^`]*)` \\| `([^`]*)` \\|$").matcher(page);
    int pairs = 0;
    try (FlexDp flexdp = FlexDp.open(policy)) {
      while (rows.find()) {
        pairs++;
        assertEquals(rows.group(1), verdict(flexdp, rows.group(2)), rows.group(2));
        assertEquals("accepted", verdict(flexdp, rows.group(3)), rows.group(3));
      }
    }
    assertTrue(pairs >= 28, pairs + " pairs");
  }

  private static String verdict(FlexDp flexdp, String sql) {
    try {
      flexdp.explain(Ask.of(sql, "ann"));
      return "accepted";
    } catch (Rejection e) {
      return e.codeName();
    }
  }

  @Test
  void noCodeIsLeftOut() {
    for (RejectionCode code : RejectionCode.values()) {
      assertTrue(page.contains("`" + code + "`"), code + " is missing in docs/analysts.md");
    }
  }
}
