package flexdp.bench;

import flexdp.gateway.FlexDp;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Set;
import java.util.function.IntFunction;

/**
 * What the HTTP door adds to asking in the same process, and how soon a verdict comes while
 * somebody types. Both ways ask alike databases, in turns.
 */
public final class HttpBench {
  private static final int WARM_UP = 1_500;
  private static final int ROUNDS = 400;

  private final Results results = new Results("http", "Asking over HTTP");
  private final FlexDp flexdp;
  private final KeptConnection door;

  private HttpBench(FlexDp flexdp, KeptConnection door) {
    this.flexdp = flexdp;
    this.door = door;
  }

  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args.length > 0 ? args[0] : "benchmarks/results");
    Files.createDirectories(folder);
    Path work = Files.createTempDirectory(folder, "http");
    Path inside = ServedRides.policy(Files.createDirectory(work.resolve("inside")));
    try (FlexDp flexdp = FlexDp.open(inside);
        ServedRides served = ServedRides.open(Files.createDirectory(work.resolve("served")));
        KeptConnection door = new KeptConnection(served.page(), served.token())) {
      new HttpBench(flexdp, door).run().write(folder);
    } finally {
      try (var files = Files.walk(work)) {
        for (Path one : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(one);
        }
      }
    }
  }

  private Results run() throws IOException {
    results.say(
        "Milliseconds by the clock, medians of "
            + ROUNDS
            + " in turns after "
            + WARM_UP
            + " to warm up, one connection that is kept, each request in one piece.");
    results.say("");
    results.table("what", "in the process", "over HTTP", "added");
    added("a free repeat", i -> "SELECT status, COUNT(*) AS trips FROM trips GROUP BY status");
    added("a count that is paid for", i -> "SELECT COUNT(*) FROM trips WHERE id > " + i);
    added(
        "a histogram that is paid for",
        i -> "SELECT payment, COUNT(*) FROM trips WHERE id > " + i + " GROUP BY payment");
    results.end();
    results.section("The verdict while typing");
    results.say("Each text is another one, as it is when somebody types.");
    results.say("");
    results.table("what", "median", "99 % within");
    verdict("a count", i -> "SELECT COUNT(*) FROM trips WHERE fare > " + i);
    verdict(
        "a join of three tables",
        i ->
            "SELECT ut.tag, COUNT(DISTINCT d.id) AS drivers FROM drivers d JOIN users u"
                + " ON d.user_id = u.id JOIN user_tags ut ON ut.user_id = u.id WHERE u.id > "
                + i
                + " GROUP BY ut.tag");
    verdict("a word that is wrong", i -> "SELECT COUNT(*) FROM trips WHERE statsu = " + i);
    verdict(
        "half a question", i -> "SELECT payment, COUNT(*) FROM trips WHERE fare > " + i + " AND");
    return results;
  }

  private void added(String what, IntFunction<String> text) throws IOException {
    double[] inside = new double[ROUNDS];
    double[] outside = new double[ROUNDS];
    for (int i = -WARM_UP; i < ROUNDS; i++) {
      String sql = text.apply(i + WARM_UP);
      long start = System.nanoTime();
      flexdp.ask(new QueryRequest(sql, QueryOptions.DEFAULT, "ann", Set.of(), false));
      long middle = System.nanoTime();
      door.post("/v1/ask", sql);
      if (i >= 0) {
        inside[i] = (middle - start) / 1e6;
        outside[i] = (System.nanoTime() - middle) / 1e6;
      }
    }
    double own = quantile(inside, 0.5);
    double asked = quantile(outside, 0.5);
    double more = Math.max(0, asked - own);
    results.row(what, Aim.atMost(1, more), own, asked, more);
    results.figure(what, asked, asked, 1.2);
  }

  private void verdict(String what, IntFunction<String> text) throws IOException {
    double[] times = new double[ROUNDS];
    for (int i = -WARM_UP; i < ROUNDS; i++) {
      String sql = text.apply(i + WARM_UP);
      long start = System.nanoTime();
      door.post("/v1/explain", sql);
      if (i >= 0) {
        times[i] = (System.nanoTime() - start) / 1e6;
      }
    }
    double most = quantile(times, 0.99);
    results.row(what, Aim.atMost(20, most), quantile(times, 0.5), most);
    results.figure(what, quantile(times, 0.5), quantile(times, 0.5), 1.2);
  }

  private static double quantile(double[] values, double share) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[(int) Math.min(sorted.length - 1, sorted.length * share)];
  }
}
