package flexdp.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/**
 * The console in Chromium: how soon it can be used, how much is sent for it, and whether a long
 * answer scrolls. Node, Playwright and Chromium come with scripts/clients.
 */
public final class PageBench {
  private static final Path SCRIPT =
      Path.of("server", "src", "test", "node", "console", "speed.js");

  /** What takes longer to be drawn is felt as waiting. */
  private static final double FELT = 100;

  private PageBench() {}

  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args.length > 0 ? args[0] : "benchmarks/results");
    Files.createDirectories(folder);
    Path work = Files.createTempDirectory(folder, "page");
    try (ServedRides rides = ServedRides.open(work)) {
      results(measured(rides)).write(folder);
    } finally {
      try (var files = Files.walk(work)) {
        for (Path one : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(one);
        }
      }
    }
  }

  private static JsonNode measured(ServedRides rides) throws IOException, InterruptedException {
    Process browser =
        new ProcessBuilder(
                "node", SCRIPT.toString(), rides.page().toString(), "ann", rides.password())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    browser.getOutputStream().close();
    String said = new String(browser.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (browser.waitFor() != 0) {
      throw new IllegalStateException("the browser failed; scripts/clients installs it");
    }
    return new ObjectMapper().readTree(said);
  }

  private static Results results(JsonNode measured) {
    Results results = new Results("page", "The console in Chromium");
    results.say("On loopback, with an empty cache each time; 9 openings after the first.");
    results.say("");
    results.table("milliseconds until it takes what is typed", "median", "worst");
    opening(results, "the form to sign in", measured.path("stranger"));
    opening(results, "the editor, signed in", measured.path("known"));
    results.end();
    results.table("kB sent, compressed, with headers", "kB");
    double size = measured.path("known").path("kB").asDouble();
    results.row("everything that the page needs", Aim.atMost(500, size), size);
    results.figure("size", size, size, 1.1);
    results.end();
    JsonNode rows = measured.path("rows");
    results.section("An answer of 125,000 rows");
    results.table("milliseconds", "median", "worst");
    scroll(results, "page by page, two frames a step", rows.path("pages"));
    scroll(results, "jumps to anywhere, two frames a step", rows.path("jumps"));
    double longest = rows.path("longest").asDouble();
    results.row("longest work that blocks the page while it comes", Aim.NONE, "", longest);
    results.row("from typing to the table", Aim.NONE, "", rows.path("shown").asDouble());
    return results;
  }

  private static void opening(Results results, String what, JsonNode times) {
    double median = times.path("median").asDouble();
    results.row(what, Aim.atMost(1_000, median), median, times.path("worst").asDouble());
    results.figure(what, median, median, 1.3);
  }

  private static void scroll(Results results, String what, JsonNode times) {
    double worst = times.path("worst").asDouble();
    results.row(what, Aim.atMost(FELT, worst), times.path("median").asDouble(), worst);
  }
}
