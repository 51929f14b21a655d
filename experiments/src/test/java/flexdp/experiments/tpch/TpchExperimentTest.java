package flexdp.experiments.tpch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.experiments.measure.Setting;
import flexdp.experiments.measure.TrueAnswers;
import flexdp.experiments.measure.Way;
import flexdp.noise.Noise;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongToDoubleFunction;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The noise of TPC-H, from formulas written down by hand over frequencies measured by hand. */
class TpchExperimentTest {
  private static final Setting.Cost COST = Setting.Cost.of(0.1, 1e-9);
  private static final double BETA = 0.1 / (2 * Math.log(2 / 1e-9));

  @TempDir static Path folder;
  private static Connection connection;
  private static Setting setting;
  private static Map<String, String> joins;

  @BeforeAll
  static void open() throws Exception {
    connection = new TpchDatabase(folder, 0.01).open();
    setting =
        new Setting(TpchDatabase.policy(), TpchDatabase.measure(connection, TpchDatabase.policy()));
    joins =
        TpchJoins.all().stream()
            .collect(Collectors.toMap(TpchJoins.Join::name, TpchJoins.Join::sql));
  }

  @AfterAll
  static void close() throws Exception {
    connection.close();
  }

  private static double frequency(String table, String column) throws Exception {
    return TrueAnswers.number(
        connection,
        "SELECT MAX(n) FROM (SELECT COUNT(*) AS n FROM " + table + " GROUP BY " + column + ")");
  }

  /** 2S/ε, S = max e^(−βk)·Ŝ(k). */
  private static double scale(LongToDoubleFunction elastic) {
    double best = 0;
    for (long k = 0; k < 20_000; k++) {
      best = Math.max(best, Math.exp(-BETA * k) * elastic.applyAsDouble(k));
    }
    return 2 * best / 0.1;
  }

  private static void assertScale(double expected, String sql, int bins) {
    Setting.Noisy noisy = setting.noisy(sql, Way.LETTER, COST, Optional.empty(), bins);
    assertEquals(expected, noisy.law().orElseThrow().scale(), 1e-9 * expected, noisy.formula());
  }

  @Test
  void scalesOfThePapersMechanismFollowFromTheFigure() throws Exception {
    double orders = frequency("orders", "o_custkey");
    double lines = frequency("lineitem", "l_orderkey");
    double supplied = frequency("partsupp", "ps_suppkey");
    assertScale(2 * 2 / 0.1, Histograms.all(1).get(0).sql(), 6);
    assertScale(scale(k -> k + lines), joins.get("Q12"), 1);
    assertScale(scale(k -> k + supplied), joins.get("Q11"), 1);
    // customer ⋈ orders: max(mf(o_custkey)+k, 1+k); ⋈ lineitem: each order at most mf(l_orderkey)+k
    // lines, each line at most mf(o_orderkey)+k orders of the join.
    assertScale(scale(k -> (orders + k) * (lines + k)), joins.get("Q3"), 1);
    assertScale(scale(k -> (orders + k) * (lines + k)), joins.get("Q10"), 1);
  }

  @Test
  void ourDefaultIsNeverWorseThanThePapersMechanismMadeSound() throws Exception {
    for (TpchJoins.Join join : TpchJoins.all()) {
      double[] cells = {1000};
      Asked.Question question =
          new Asked.Question(join.name(), join.sql(), Optional.empty(), 1, cells, List.of());
      Asked asked = Asked.of(question, setting, COST, 1, Noise.secure());
      assertTrue(TpchText.better(asked) >= 1, join.name());
    }
  }

  @Test
  void releasedMetricsAreUsedWhenTheyAreBelowTheCeilingOfAPublicTable() throws Exception {
    Histograms.Histogram q16 = Histograms.all(0.01).get(3);
    double[] cells = TrueAnswers.cells(connection, q16.sql());
    int bins = (int) TrueAnswers.number(connection, q16.bins());
    Asked.Question question =
        new Asked.Question("Q16", q16.sql(), Optional.empty(), bins, cells, q16.released());
    Setting.Cost cheap = Setting.Cost.of(100, 1e-9);
    Asked asked = Asked.of(question, setting, cheap, 1, Noise.secure());
    assertEquals("released", asked.errors().get(Way.DEFAULT).mechanism());
  }
}
