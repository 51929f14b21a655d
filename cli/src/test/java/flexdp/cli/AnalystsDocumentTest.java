package flexdp.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.gateway.FlexDp;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.demo.RideSharing;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every refusal of docs/analysts.md has the way out that it names. */
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
    StringWriter said = new StringWriter();
    int code =
        Main.run(
            new PrintWriter(said), new PrintWriter(said), "collect", "--policy", policy.toString());
    assertEquals(0, code, said.toString());
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
      flexdp.explain(QueryRequest.of(sql, "ann"));
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
