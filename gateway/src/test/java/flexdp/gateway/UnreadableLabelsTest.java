package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One row with a label that cannot be read leaves the question as it was: answered, or refused. */
class UnreadableLabelsTest {
  private static final String POLICY =
      SmallRides.POLICY.replace("  delta: 1e-9", "  delta: 1e-9\n  thresholding: {delta: 1e-6}");
  private static final List<String> WITHOUT =
      List.of("INSERT INTO trips (id, driver_id) SELECT 1000 + i, 7 FROM range(200) r(i)");
  private static final List<String> WITH =
      List.of(
          WITHOUT.getFirst(),
          "INSERT INTO trips VALUES (77, 7, 1, 1, 'inf', 'victim', 'infinity')");

  @TempDir Path folder;

  /** The labels of the answers, at an ε that gives nothing else away. */
  private List<String> labels(List<String> changes, String sql) throws Exception {
    Path own = Files.createTempDirectory(folder, "rides");
    try (SmallRides rides =
        new SmallRides(own, () -> new SmallRides.Replayed(5), POLICY, changes)) {
      QueryOptions options = epsilon("100");
      AnalystView view = rides.gateway.ask(new QueryRequest(sql, options, "eve", Set.of()));
      List<String> labels = new ArrayList<>();
      view.rows().forEach(row -> labels.add(String.valueOf(row.getFirst())));
      return labels;
    }
  }

  private static QueryOptions epsilon(String epsilon) {
    QueryOptions d = QueryOptions.DEFAULT;
    return new QueryOptions(
        d.mechanism(), Optional.of(new BigDecimal(epsilon)), d.delta(), d.bins());
  }

  @Test
  void neighboursEndAlike() throws Exception {
    for (String sql :
        List.of(
            "SELECT CAST(CASE WHEN status = 'victim' THEN 'inf' ELSE '1' END AS DOUBLE) g,"
                + " COUNT(*) FROM trips GROUP BY 1",
            "SELECT CASE WHEN status = 'victim' THEN distance * 1e308 ELSE 1.0 END g, COUNT(*)"
                + " FROM trips GROUP BY 1",
            "SELECT day, COUNT(*) FROM trips GROUP BY day",
            "SELECT CASE WHEN status = 'victim' THEN distance ELSE 0.0 END g, COUNT(*) FROM trips"
                + " GROUP BY 1")) {
      assertEquals(labels(WITHOUT, sql), labels(WITH, sql), sql);
    }
  }

  @Test
  void intervalsAreRefusedBeforeAnythingIsCharged() throws Exception {
    try (SmallRides rides =
        new SmallRides(folder, () -> new SmallRides.Replayed(5), POLICY, WITH)) {
      String sql =
          "SELECT CASE WHEN driver_id = 7 THEN INTERVAL '1' DAY ELSE INTERVAL '2' DAY END g,"
              + " COUNT(*) FROM trips WHERE status = 'victim' GROUP BY 1";
      for (boolean explained : new boolean[] {true, false}) {
        Rejection e =
            assertThrows(
                Rejection.class,
                () -> {
                  if (explained) {
                    rides.gateway.explain(QueryRequest.of(sql, "eve"));
                  } else {
                    rides.gateway.ask(QueryRequest.of(sql, "eve"));
                  }
                });
        assertEquals(RejectionCode.LABEL_TYPE, e.code());
      }
      assertEquals(List.of(), rides.log);
    }
  }
}
