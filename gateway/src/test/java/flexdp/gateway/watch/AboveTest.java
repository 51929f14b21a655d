package flexdp.gateway.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.budget.Account;
import flexdp.failure.Rejection;
import flexdp.gateway.FlexDp;
import flexdp.gateway.api.ThresholdQuery;
import flexdp.gateway.api.ThresholdQuery.ThresholdView;
import flexdp.gateway.api.Workload;
import flexdp.gateway.json.AskLines;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many numbers against one threshold, at one price. */
class AboveTest {
  @TempDir Path folder;
  private WatchedTrips trips;

  @BeforeEach
  void create() throws Exception {
    trips = new WatchedTrips(folder, "{epsilon: 20000}");
  }

  private static Workload weeks(String... from) {
    List<String> texts = new ArrayList<>();
    for (String day : from) {
      texts.add(
          "SELECT COUNT(*) FROM trips WHERE requested_at >= TIMESTAMP '"
              + day
              + " 00:00:00' AND requested_at < TIMESTAMP '"
              + day
              + " 00:00:00' + INTERVAL '7' DAY");
    }
    return Workload.of(texts);
  }

  private ThresholdView ask(Workload workload, long above, int hits) {
    try (FlexDp flexdp = trips.open(0)) {
      ThresholdView view =
          flexdp.ask(
              workload,
              WatchedTrips.ask(WatchedTrips.LOUD),
              new ThresholdQuery(BigDecimal.valueOf(above), hits));
      assertEquals(
          0,
          new BigDecimal(WatchedTrips.LOUD)
              .compareTo(flexdp.ledger().standing(new Account.Table("trips")).spent().epsilon()));
      return view;
    }
  }

  private static List<Optional<Boolean>> found(ThresholdView view) {
    return view.lines().stream().map(ThresholdView.Line::above).toList();
  }

  @Test
  void thoseAboveAreFoundInOrderAndAfterTheLastHitNothingIsLookedAt() {
    ThresholdView view = ask(weeks("2026-10-19", "2026-11-09", "2026-11-02", "2026-11-09"), 100, 1);
    assertEquals(
        List.of(Optional.of(false), Optional.of(true), Optional.empty(), Optional.empty()),
        found(view));
    assertEquals(0, new BigDecimal(40).compareTo(view.lines().get(1).gap().orElseThrow()));
  }

  @Test
  void severalHitsAreFoundAtOnePrice() {
    assertEquals(
        List.of(Optional.of(true), Optional.of(false), Optional.of(true)),
        found(ask(weeks("2026-11-09", "2026-11-02", "2026-11-09"), 100, 3)));
  }

  @Test
  void whereNothingIsAboveEverythingIsSaidToBeBelow() {
    assertEquals(
        List.of(Optional.of(false), Optional.of(false)),
        found(ask(weeks("2026-10-19", "2026-11-02"), 1000, 1)));
  }

  @Test
  void countsAndSumsMayBeComparedTogether() {
    assertEquals(
        List.of(Optional.of(true), Optional.of(true)),
        found(
            ask(
                Workload.of(List.of("SELECT SUM(fare) FROM trips", "SELECT COUNT(*) FROM trips")),
                300,
                2)));
  }

  @Test
  void inLinesOfJsonAWorkloadMayHaveAThreshold() throws Exception {
    String all = "[\"SELECT COUNT(*) FROM trips\", \"SELECT COUNT(*) FROM drivers\"]";
    String lines =
        String.join(
            "\n",
            "{\"id\": 1, \"workload\": " + all + ", \"above\": 300, \"hits\": 2}",
            "{\"id\": 2, \"workload\": " + all + ", \"hits\": 2}",
            "{\"id\": 3, \"sql\": \"SELECT COUNT(*) FROM trips\", \"above\": 300}",
            "{\"id\": 4, \"workload\": " + all + ", \"above\": 300, \"hits\": 0}",
            "{\"id\": 5, \"workload\": [\"SELECT AVG(fare) FROM trips\"], \"above\": 300}");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (FlexDp flexdp = trips.open(0)) {
      new AskLines(
              flexdp::ask,
              flexdp::parse,
              flexdp::ask,
              flexdp::ask,
              WatchedTrips.ask(WatchedTrips.LOUD),
              false)
          .run(new ByteArrayInputStream(lines.getBytes(StandardCharsets.UTF_8)), out);
    }
    List<String> told = out.toString(StandardCharsets.UTF_8).lines().toList();
    assertTrue(
        told.get(0)
            .startsWith(
                "{\"id\":1,\"status\":\"answered\",\"answers\":[{\"statement\":1,\"above\":true"),
        told.get(0));
    assertTrue(told.get(0).contains("{\"statement\":2,\"above\":false}"), told.get(0));
    for (int i = 1; i < 4; i++) {
      assertTrue(told.get(i).contains("\"BAD_REQUEST\""), told.get(i));
    }
    assertTrue(told.get(4).contains("\"rejected\""), told.get(4));
  }

  @Test
  void oneRefusedStatementRefusesAllAtNoCost() {
    try (FlexDp flexdp = trips.open(0)) {
      Rejection refusal =
          assertThrows(
              Rejection.class,
              () ->
                  flexdp.ask(
                      Workload.of(
                          List.of("SELECT COUNT(*) FROM trips", "SELECT AVG(fare) FROM trips")),
                      WatchedTrips.ask("1"),
                      new ThresholdQuery(BigDecimal.TEN, 1)));
      assertTrue(refusal.message().startsWith("Statement 2"), refusal.message());
      assertEquals(List.of(), flexdp.ledger().standings());
    }
  }
}
