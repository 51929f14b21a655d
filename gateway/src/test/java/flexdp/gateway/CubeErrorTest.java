package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A CUBE of 20 cities, 12 months, 3 classes of fare and 4 quarters of an hour, asked as it is. */
class CubeErrorTest {
  private static final String CUBE =
      "SELECT c.name, EXTRACT(MONTH FROM t.day) AS m,"
          + " CASE WHEN t.fare < 10 THEN 'low' WHEN t.fare < 50 THEN 'middle' ELSE 'high' END AS f,"
          + " CASE WHEN t.id < 500 THEN 1 WHEN t.id < 1000 THEN 2 WHEN t.id < 1500 THEN 3 ELSE 4"
          + " END AS q, GROUPING(c.name, EXTRACT(MONTH FROM t.day),"
          + " CASE WHEN t.fare < 10 THEN 'low' WHEN t.fare < 50 THEN 'middle' ELSE 'high' END,"
          + " CASE WHEN t.id < 500 THEN 1 WHEN t.id < 1000 THEN 2 WHEN t.id < 1500 THEN 3 ELSE 4"
          + " END) AS g, COUNT(*) AS n FROM trips t JOIN cities c ON t.city_id = c.id"
          + " GROUP BY CUBE(1, 2, 3, 4)";

  private static final List<String> FILL =
      List.of(
          "DELETE FROM trips",
          "DELETE FROM cities",
          "INSERT INTO cities SELECT i, 'city ' || i FROM range(1, 21) r(i)",
          "ALTER TABLE trips ALTER COLUMN day SET NOT NULL",
          "INSERT INTO trips SELECT i, CAST(i % 7 AS INTEGER), CAST(1 + i * 7 % 20 AS INTEGER),"
              + " CAST(i * 37 % 100 AS DECIMAL(9,2)), 1.0, 'completed',"
              + " CAST(DATE '2024-01-01' + CAST(i * 13 % 366 AS INTEGER) AS DATE)"
              + " FROM range(2000) r(i)");

  @TempDir Path folder;

  private static QueryRequest ask(String epsilon) {
    QueryOptions d = QueryOptions.DEFAULT;
    return new QueryRequest(
        CUBE,
        new QueryOptions(d.mechanism(), Optional.of(new BigDecimal(epsilon)), d.delta(), d.bins()),
        "ann",
        Set.of(),
        true,
        true,
        Optional.empty());
  }

  /** The squared errors of one answer, by set. */
  private static Map<Object, List<Double>> squares(AnalystView truth, AnalystView view) {
    Map<Object, List<Double>> squares = new HashMap<>();
    Map<List<Object>, BigDecimal> exact = new HashMap<>();
    truth.rows().forEach(r -> exact.put(r.subList(0, 5), (BigDecimal) r.get(5)));
    for (List<Object> row : view.rows()) {
      double error = ((BigDecimal) row.get(5)).subtract(exact.get(row.subList(0, 5))).doubleValue();
      squares.computeIfAbsent(row.get(4), g -> new ArrayList<>()).add(error * error);
    }
    return squares;
  }

  /** At ε = 1 an even split would have an error of 22.6 in every set. */
  @Test
  void hasARootMeanSquareErrorOfTwelveOverItsSets() throws Exception {
    SmallRides.Replayed source = new SmallRides.Replayed(3);
    String policy =
        SmallRides.POLICY.replace("day: {type: date,", "day: {type: date, nullable: false,");
    try (SmallRides rides = new SmallRides(folder, () -> source, policy, FILL)) {
      AnalystView truth = rides.gateway.ask(ask("5000"));
      assertEquals(21 * 13 * 4 * 5, truth.rows().size(), "labels and all, of each key; no NULL");
      int rounds = 40;
      Map<Object, Double> means = new HashMap<>();
      int held = 0;
      int cells = 0;
      for (int round = 0; round < rounds; round++) {
        AnalystView view = rides.gateway.ask(ask("1"));
        squares(truth, view)
            .forEach(
                (set, all) ->
                    means.merge(
                        set,
                        all.stream().mapToDouble(x -> x).average().orElseThrow() / rounds,
                        Double::sum));
        for (int row = 0; row < view.rows().size(); row++) {
          AnalystView.Bar bar = view.interval(row, 5).orElseThrow();
          BigDecimal exact = (BigDecimal) truth.rows().get(row).get(5);
          held += bar.low().compareTo(exact) <= 0 && bar.high().compareTo(exact) >= 0 ? 1 : 0;
          cells++;
        }
      }
      assertEquals(16, means.size());
      double mean = means.values().stream().mapToDouble(x -> x).average().orElseThrow();
      double error = Math.sqrt(mean);
      assertTrue(error <= 12.5, "" + error);
      assertTrue(error > 10.5, "no better than can be: " + error);
      double share = (double) held / cells;
      assertTrue(share > 0.94 && share < 0.965, "held " + share);
    }
  }
}
