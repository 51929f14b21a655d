package flexdp.gateway.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.gateway.Await;
import flexdp.gateway.FlexDp;
import flexdp.gateway.api.WatchView;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SIGKILL to what lets a watch look: what was shown is on record, and noise is drawn once. */
@Tag("soak")
class WatchCrashTest {
  private static final int KILLS = 6;
  private static final int HITS = 4;

  @TempDir Path folder;

  @Test
  void whatWasShownIsOnRecordAndNothingIsDrawnAgain() throws Exception {
    WatchedTrips trips = new WatchedTrips(folder, "{epsilon: 10}");
    try (FlexDp flexdp = trips.open(0)) {
      flexdp
          .watches()
          .add(WatchedTrips.order(WatchedTrips.WEEK, 75, HITS), WatchedTrips.ask("0.5"));
    }
    String kept = Files.readString(folder.resolve("rides.ledger.watches"));
    Random random = new Random(5);
    Map<String, String> shown = new HashMap<>();
    long week = 0;
    boolean over = false;
    for (int kill = 0; kill < KILLS && !over; kill++) {
      Process process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-cp",
                  System.getProperty("java.class.path"),
                  "--enable-native-access=ALL-UNNAMED",
                  // A process that is killed leaves its libraries there.
                  "-Djava.io.tmpdir=" + folder,
                  WatchProcess.class.getName(),
                  trips.policy.toString(),
                  Long.toString(week))
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      int lines = random.nextInt(4);
      try (BufferedReader reader =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
        for (int read = 0; ; read++) {
          String line = reader.readLine();
          if (line == null || line.equals("over")) {
            over |= line != null;
            break;
          }
          String[] words = line.split(" ", 3);
          week = Math.max(week, Long.parseLong(words[0]));
          shown.merge(words[1], words[2], (a, b) -> a.equals(b) ? a : a + " and then " + b);
          if (read == lines) {
            Await.pause(Duration.ofMillis(random.nextInt(120)));
            process.toHandle().destroyForcibly();
          }
        }
      }
      process.destroyForcibly().waitFor();
    }
    assertTrue(shown.size() >= 3, shown::toString);
    assertEquals(kept, Files.readString(folder.resolve("rides.ledger.watches")));
    try (FlexDp flexdp = trips.open(week)) {
      WatchView view = flexdp.watches().list("ann").getFirst();
      Map<String, String> recorded = new HashMap<>();
      view.turns().forEach(t -> recorded.put(t.from(), t.verdict() + " " + t.gap()));
      shown.forEach((from, what) -> assertEquals(what, recorded.get(from), from));
      List<WatchView.Turn> hits =
          view.turns().stream().filter(t -> t.verdict() == WatchView.Verdict.HIT).toList();
      assertTrue(hits.size() <= HITS, hits::toString);
    }
  }
}
