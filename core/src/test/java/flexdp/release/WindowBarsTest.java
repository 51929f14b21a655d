package flexdp.release;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.algebra.Column;
import flexdp.decompose.QueryWithIntervals;
import flexdp.metrics.Metrics;
import flexdp.noise.LaplaceCache;
import flexdp.noise.Noise;
import flexdp.noise.SeededBits;
import flexdp.plan.CalibratedMechanism;
import flexdp.plan.ErrorModel;
import flexdp.plan.MechanismChoice;
import flexdp.plan.Plan;
import flexdp.plan.PlannedMeasurement;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Neighbors;
import flexdp.policy.Policy;
import flexdp.policy.Range;
import flexdp.policy.Table;
import flexdp.policy.Type;
import flexdp.query.DpQuery;
import flexdp.query.NoisyAggregate;
import flexdp.sensitivity.RuleSet;
import java.math.BigDecimal;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Error bars of windows hold what the window would show without noise, and are no wider. */
class WindowBarsTest {
  static final Metrics METRICS = new Metrics(Map.of(), Map.of());
  private static final Policy POLICY = policy();

  private static Policy policy() {
    List<ColumnSpec> columns =
        List.of(
            labels("m", 12),
            labels("g", 3),
            new ColumnSpec(
                "amount",
                Type.decimal(9, 2),
                false,
                Optional.of(Range.of(0, 10)),
                Optional.empty(),
                Optional.empty()),
            new ColumnSpec(
                "weight",
                Type.DOUBLE,
                false,
                Optional.of(Range.of(-1, 3)),
                Optional.empty(),
                Optional.empty()));
    return new Policy(
        Optional.empty(),
        new Policy.Privacy(
            Neighbors.ADD_REMOVE_ONE,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            10_000),
        Map.of("t", new Table("t", false, columns, List.of(), List.of())));
  }

  private static ColumnSpec labels(String name, int count) {
    List<Object> labels = new ArrayList<>();
    IntStream.rangeClosed(1, count).forEach(i -> labels.add(BigDecimal.valueOf(i)));
    return new ColumnSpec(
        name, Type.INTEGER, false, Optional.empty(), Optional.of(labels), Optional.empty());
  }

  static Plan plan(String sql) {
    return new Analyzer(POLICY, METRICS, LocalDateTime.of(2024, 1, 1, 0, 0))
        .plan(
            sql,
            new AnalysisOptions(
                RuleSet.FLEXDP,
                MechanismChoice.AUTO,
                Optional.of(new BigDecimal("0.5")),
                Optional.empty(),
                List.of(0L),
                Optional.empty()));
  }

  /** One question, and rows of it that were drawn. */
  private static final class Trials {
    private final Plan plan;
    private final DpQuery query;
    private final QueryWithIntervals withIntervals;
    private final ErrorModel errors;
    private final Noise noise;
    private final Random random = new Random(17);

    Trials(String sql) {
      plan = plan(sql);
      query = plan.query();
      errors = ErrorModel.of(plan, METRICS, RuleSet.FLEXDP);
      withIntervals = QueryWithIntervals.of(query, errors::measures, errors::places);
      noise = new Noise(new SeededBits(5), new LaplaceCache());
    }

    int place(int column) {
      return withIntervals
          .places()
          .get(column)
          .orElseThrow(() -> new AssertionError("no bar: " + withIntervals.note()));
    }

    private static List<List<Object>> keys(NoisyAggregate point) {
      List<List<Object>> rows = List.of(List.of());
      for (Column key : point.keys()) {
        List<List<Object>> longer = new ArrayList<>();
        for (List<Object> row : rows) {
          for (int i = 1; i <= (key.name().equals("g") ? 3 : 12); i++) {
            List<Object> more = new ArrayList<>(row);
            more.add(BigDecimal.valueOf(i));
            longer.add(more);
          }
        }
        rows = longer;
      }
      return rows;
    }

    /** Exact rows, then noisy ones, by release point. */
    private List<Map<Integer, RowTable>> draw() {
      Map<Integer, RowTable> exact = new java.util.HashMap<>();
      Map<Integer, RowTable> noisy = new java.util.HashMap<>();
      for (NoisyAggregate point : query.releases()) {
        List<Column> columns = new ArrayList<>(point.keys());
        List<List<Object>> keys = keys(point);
        List<List<Object>> one = new ArrayList<>();
        List<List<Object>> two = new ArrayList<>();
        keys.forEach(
            key -> {
              one.add(new ArrayList<>(key));
              two.add(new ArrayList<>(key));
            });
        for (PlannedMeasurement planned : plan.measurements()) {
          if (planned.release().id() == point.id()) {
            columns.add(planned.measurement().output());
            add(planned, one, two);
          }
        }
        exact.put(point.id(), new RowTable(columns, one));
        noisy.put(point.id(), new RowTable(columns, two));
      }
      return List.of(exact, noisy);
    }

    private void add(PlannedMeasurement planned, List<List<Object>> one, List<List<Object>> two) {
      CalibratedMechanism.Additive added =
          (CalibratedMechanism.Additive) planned.noise().orElseThrow();
      BigDecimal grid = planned.measurement().grid();
      boolean real = planned.measurement().output().type().kind() == Type.Kind.DOUBLE;
      List<BigDecimal> values = new ArrayList<>();
      one.forEach(row -> values.add(grid.multiply(BigDecimal.valueOf(random.nextInt(400)))));
      List<BigDecimal> drawn = noise.add(added.mechanism(), added.sensitivity(), values, grid);
      for (int i = 0; i < values.size(); i++) {
        one.get(i).add(real ? (Object) values.get(i).doubleValue() : values.get(i));
        two.get(i).add(real ? (Object) drawn.get(i).doubleValue() : drawn.get(i));
      }
    }

    private List<List<Object>> run(flexdp.algebra.Relation top, Map<Integer, RowTable> rows) {
      return new Interpreter(
              rows,
              r -> {
                throw new AssertionError("nothing public here: " + r);
              },
              errors)
          .run(top)
          .rows();
    }

    /** How often the bars of a column hold the exact value. */
    double coverage(int column, int trials) {
      int place = place(column);
      int held = 0;
      int all = 0;
      for (int trial = 0; trial < trials; trial++) {
        List<Map<Integer, RowTable>> drawn = draw();
        List<List<Object>> exact = run(query.top(), drawn.get(0));
        List<List<Object>> noisy = run(withIntervals.top(), drawn.get(1));
        for (int i = 0; i < exact.size(); i++) {
          Object value = exact.get(i).get(column);
          if (value == null) {
            continue;
          }
          BigDecimal low = number(noisy.get(i).get(place));
          BigDecimal high = number(noisy.get(i).get(place + 1));
          all++;
          held += low.compareTo(number(value)) <= 0 && number(value).compareTo(high) <= 0 ? 1 : 0;
        }
      }
      assertTrue(all >= trials, "nothing to look at");
      return (double) held / all;
    }

    List<List<Object>> once() {
      return run(withIntervals.top(), draw().get(1));
    }
  }

  private static BigDecimal number(Object value) {
    return value instanceof Double d ? new BigDecimal(d) : (BigDecimal) value;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT m, SUM(COUNT(*)) OVER (ORDER BY m) AS v FROM t GROUP BY m",
        "SELECT m, AVG(COUNT(*)) OVER (ORDER BY m ROWS 2 PRECEDING) AS v FROM t GROUP BY m",
        "SELECT m, SUM(SUM(amount)) OVER (ORDER BY m ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS v"
            + " FROM t GROUP BY m",
        "SELECT m, SUM(SUM(weight)) OVER (ORDER BY m) AS v FROM t GROUP BY m",
        "SELECT m, AVG(SUM(weight)) OVER () AS v FROM t GROUP BY m",
        "SELECT m, LAG(COUNT(*)) OVER (ORDER BY m) AS v FROM t GROUP BY m",
        "SELECT m, LEAD(COUNT(*), 2, 0) OVER (ORDER BY m) AS v FROM t GROUP BY m",
        "SELECT m, FIRST_VALUE(COUNT(*)) OVER (ORDER BY m) AS v FROM t GROUP BY m",
        "SELECT m, NTH_VALUE(SUM(amount), 3) OVER (ORDER BY m) AS v FROM t GROUP BY m",
        "SELECT m, COUNT(*) - LAG(COUNT(*)) OVER (ORDER BY m) AS v FROM t GROUP BY m",
        "SELECT m, COUNT(*) - COALESCE(LAG(COUNT(*)) OVER (ORDER BY m), 0) AS v FROM t GROUP BY m",
        "SELECT m, COUNT(*) - AVG(COUNT(*)) OVER () AS v FROM t GROUP BY m",
        "SELECT m, SUM(COUNT(*)) OVER (ORDER BY m) - SUM(COUNT(*)) OVER (ORDER BY m DESC) AS v"
            + " FROM t GROUP BY m",
        "SELECT m, SUM(COUNT(*)) OVER (ORDER BY m) + SUM(COUNT(*)) OVER () AS v FROM t GROUP BY m",
        "SELECT m, COUNT(*) + LAG(COUNT(*), 0) OVER (ORDER BY m) AS v FROM t GROUP BY m",
        "SELECT g, m, SUM(COUNT(*)) OVER (PARTITION BY g) AS v FROM t GROUP BY g, m",
        "SELECT g, m, SUM(COUNT(*)) FILTER (WHERE m <= 6) OVER (PARTITION BY g) AS v"
            + " FROM t GROUP BY g, m",
        "SELECT m, SUM(2 * COUNT(*) - 3) OVER (ORDER BY m) / 4.0 AS v FROM t GROUP BY m",
        "SELECT m, SUM(COUNT(*) + SUM(amount)) OVER (ORDER BY m) AS v FROM t GROUP BY m",
        "SELECT m, SUM(d) OVER (ORDER BY m) AS v FROM (SELECT m, COUNT(*) - LAG(COUNT(*)) OVER"
            + " (ORDER BY m) AS d FROM t GROUP BY m) q",
        "SELECT q.m, SUM(q.n + r.n) OVER (ORDER BY q.m) AS v FROM (SELECT m, COUNT(*) AS n FROM t"
            + " GROUP BY m) q JOIN (SELECT m, COUNT(*) AS n FROM t GROUP BY m) r ON q.m = r.m",
        "SELECT m, SUM(n) OVER (ORDER BY m RANGE BETWEEN 2 PRECEDING AND CURRENT ROW) AS v"
            + " FROM (SELECT m, COUNT(*) AS n FROM t GROUP BY m) q WHERE m > 2",
      })
  void barsOfSumsHoldNinetyFivePercent(String sql) {
    Trials trials = new Trials(sql);
    int column = trials.query.columns().size() - 1;
    double coverage = trials.coverage(column, 400);
    assertTrue(coverage >= 0.935 && coverage <= 0.985, sql + ": " + coverage);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT m, 100.0 * COUNT(*) / SUM(COUNT(*)) OVER () AS v FROM t WHERE m > 0 GROUP BY m",
        "SELECT m, COUNT(*) / NULLIF(LAG(COUNT(*)) OVER (ORDER BY m), 0) AS v FROM t GROUP BY m",
        "SELECT m, ROUND(AVG(COUNT(*)) OVER (ORDER BY m), 1) AS v FROM t GROUP BY m",
      })
  void whatIsComputedFromSumsHasValidBars(String sql) {
    Trials trials = new Trials(sql);
    int place = trials.place(1);
    int held = 0;
    int all = 0;
    for (int trial = 0; trial < 300; trial++) {
      List<Map<Integer, RowTable>> drawn = trials.draw();
      List<List<Object>> exact = trials.run(trials.query.top(), drawn.get(0));
      List<List<Object>> noisy = trials.run(trials.withIntervals.top(), drawn.get(1));
      for (int i = 0; i < exact.size(); i++) {
        Object value = exact.get(i).get(1);
        Object low = noisy.get(i).get(place);
        Object high = noisy.get(i).get(place + 1);
        if (value != null && low != null && high != null) {
          all++;
          held +=
              number(low).compareTo(number(value)) <= 0
                      && number(value).compareTo(number(high)) <= 0
                  ? 1
                  : 0;
        }
      }
    }
    assertTrue(all > 300, "few bars: " + all);
    assertTrue(held >= 0.935 * all, sql + ": " + held + " of " + all);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT m, COUNT(*) - SUM(COUNT(*)) OVER (PARTITION BY m) AS v FROM t GROUP BY m",
        "SELECT m, SUM(COUNT(*)) OVER () - SUM(COUNT(*)) OVER (ORDER BY m ROWS BETWEEN UNBOUNDED"
            + " PRECEDING AND UNBOUNDED FOLLOWING) AS v FROM t GROUP BY m",
        "SELECT m, LAG(COUNT(*), 0) OVER (ORDER BY m) - COUNT(*) AS v FROM t GROUP BY m",
        "SELECT a.m, SUM(a.n - b.n) OVER (ORDER BY a.m) AS v FROM (SELECT m, COUNT(*) AS n FROM t"
            + " GROUP BY m) a JOIN (SELECT m, COUNT(*) AS n FROM t GROUP BY m) b ON a.m = b.m",
      })
  void aDrawThatIsMetTwiceIsOneDraw(String sql) {
    Trials trials = new Trials(sql);
    int place = trials.place(1);
    for (List<Object> row : trials.once()) {
      assertEquals(0, number(row.get(1)).signum(), sql);
      assertEquals(0, number(row.get(place)).signum(), sql);
      assertEquals(0, number(row.get(place + 1)).signum(), sql);
    }
  }

  @Test
  void aRunningTotalIsAboutAsWideAsTheRootOfItsDraws() {
    Trials trials =
        new Trials("SELECT m, SUM(COUNT(*)) OVER (ORDER BY m) AS v FROM t GROUP BY m ORDER BY m");
    int place = trials.place(1);
    List<List<Object>> rows = trials.once();
    double first = half(rows.getFirst(), place);
    double last = half(rows.getLast(), place);
    assertEquals(Math.sqrt(12), last / first, 0.6);
  }

  private static double half(List<Object> row, int place) {
    return number(row.get(place + 1)).subtract(number(row.get(place))).doubleValue() / 2;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ordered, partitioned | SELECT m, SUM(COUNT(*)) OVER (ORDER BY COUNT(*)) AS v FROM t"
            + " GROUP BY m",
        "depends on noise | SELECT m, SUM(n) OVER (ORDER BY m) AS v FROM (SELECT m, COUNT(*) AS n"
            + " FROM t GROUP BY m HAVING COUNT(*) > 5) q",
        "depends on noise | SELECT m, SUM(n) OVER (ORDER BY m) AS v FROM (SELECT m, COUNT(*) AS n"
            + " FROM t GROUP BY m ORDER BY n DESC LIMIT 5) q",
        "depends on noise | SELECT m, SUM(COUNT(*)) OVER () AS v FROM t GROUP BY ROLLUP (m)",
        "this window function | SELECT m, MAX(COUNT(*)) OVER () AS v FROM t GROUP BY m",
        "this window function | SELECT m, RANK() OVER (ORDER BY COUNT(*)) AS v FROM t GROUP BY m",
        "sums and constant factors | SELECT m, SUM(AVG(amount)) OVER () AS v FROM t GROUP BY m",
        "sums and constant factors | SELECT m, SUM(COUNT(*) * COUNT(*)) OVER () AS v FROM t GROUP"
            + " BY m",
      })
  void whereNoiseDecidesMoreThanSumsThereIsNoBarAndANote(String note, String sql) {
    Trials trials = new Trials(sql);
    assertTrue(trials.withIntervals.places().getLast().isEmpty(), sql);
    assertTrue(trials.withIntervals.note().contains(note), trials.withIntervals.note());
  }

  @Test
  void rowsThatTieHaveNoBarsWhereTheirPlaceMatters() {
    Trials trials =
        new Trials(
            "SELECT g, m, LAG(COUNT(*)) OVER (ORDER BY m) AS v, SUM(COUNT(*)) OVER (ORDER BY m) AS"
                + " w FROM t GROUP BY g, m");
    int lag = trials.place(2);
    int sum = trials.place(3);
    for (List<Object> row : trials.once()) {
      assertEquals(null, row.get(lag));
      assertTrue(row.get(sum) != null);
    }
  }
}
