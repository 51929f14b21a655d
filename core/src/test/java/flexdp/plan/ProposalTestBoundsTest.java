package flexdp.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.metrics.MaxFrequency;
import flexdp.metrics.Metrics;
import flexdp.metrics.TableMetrics;
import flexdp.noise.SeededBits;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.sensitivity.RuleSet;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What propose-test-release rests on, by brute force on tiny tables r(k, g) and s(k, g). */
class ProposalTestBoundsTest {
  private static final List<String> HISTOGRAMS =
      List.of(
          "SELECT r.g, COUNT(*) FROM r JOIN s ON r.k = s.k GROUP BY r.g",
          "SELECT a.g, COUNT(*) FROM r a JOIN r b ON a.k = b.k GROUP BY a.g",
          "SELECT r.g, COUNT(*) FROM r JOIN s ON r.k = s.k AND r.g = s.g GROUP BY r.g");

  private static Policy policy() {
    Map<String, Object> columns =
        Map.of(
            "k", Map.of("type", "integer", "nullable", false),
            "g", Map.of("type", "integer", "nullable", false, "domain", List.of(0, 1, 2)));
    return PolicyReader.read(
        Map.of("tables", Map.of("r", Map.of("columns", columns), "s", Map.of("columns", columns))));
  }

  private record Row(int k, int g) {}

  private record Data(List<Row> r, List<Row> s) {
    Metrics metrics() {
      return new Metrics(Map.of("r", metrics(r), "s", metrics(s)), Map.of());
    }

    private static TableMetrics metrics(List<Row> rows) {
      Map<Set<String>, MaxFrequency> known = new HashMap<>();
      known.put(Set.of("k"), frequency(rows.stream().map(Row::k).toList()));
      known.put(Set.of("g"), frequency(rows.stream().map(Row::g).toList()));
      known.put(Set.of("k", "g"), frequency(rows));
      return new TableMetrics(Optional.of(BigInteger.valueOf(rows.size())), known);
    }

    private static MaxFrequency frequency(List<?> values) {
      Map<Object, Integer> counts = new HashMap<>();
      values.forEach(v -> counts.merge(v, 1, Integer::sum));
      Optional<BigInteger> most =
          Optional.of(
              BigInteger.valueOf(counts.values().stream().mapToInt(n -> n).max().orElse(0)));
      return new MaxFrequency(most, most);
    }

    int[] answer(int question) {
      int[] bins = new int[3];
      for (Row one : r) {
        for (Row other : question == 1 ? r : s) {
          if (one.k == other.k && (question != 2 || one.g == other.g)) {
            bins[one.g]++;
          }
        }
      }
      return bins;
    }

    List<Data> neighbours() {
      List<Data> all = new ArrayList<>();
      for (int k = 0; k < 2; k++) {
        for (int g = 0; g < 3; g++) {
          all.add(new Data(plus(r, new Row(k, g)), s));
          all.add(new Data(r, plus(s, new Row(k, g))));
        }
      }
      for (int i = 0; i < r.size(); i++) {
        all.add(new Data(minus(r, i), s));
      }
      for (int i = 0; i < s.size(); i++) {
        all.add(new Data(r, minus(s, i)));
      }
      return all;
    }

    private static List<Row> plus(List<Row> rows, Row one) {
      List<Row> more = new ArrayList<>(rows);
      more.add(one);
      return more;
    }

    private static List<Row> minus(List<Row> rows, int at) {
      List<Row> fewer = new ArrayList<>(rows);
      fewer.remove(at);
      return fewer;
    }
  }

  private static List<Row> some(SplittableRandom random) {
    List<Row> rows = new ArrayList<>();
    for (int i = random.nextInt(5); i > 0; i--) {
      rows.add(new Row(random.nextInt(2), random.nextInt(3)));
    }
    return rows;
  }

  private static ProposedMetrics proposal(int n) {
    Optional<BigInteger> guess = Optional.of(BigInteger.valueOf(n));
    Map<Set<String>, MaxFrequency> guesses =
        Map.of(
            Set.of("k"),
            new MaxFrequency(guess, guess),
            Set.of("g"),
            new MaxFrequency(guess, guess));
    TableMetrics table = new TableMetrics(Optional.empty(), guesses);
    return new ProposedMetrics(Map.of("r", table, "s", table));
  }

  private static Plan plan(String sql, Metrics metrics, ProposedMetrics proposal) {
    return new Analyzer(policy(), metrics, LocalDateTime.MIN)
        .plan(sql, options().proposing(Optional.of(proposal)));
  }

  private static AnalysisOptions options() {
    return new AnalysisOptions(
        RuleSet.FLEXDP,
        MechanismChoice.AUTO,
        Optional.of(BigDecimal.ONE),
        Optional.of(new BigDecimal("1e-6")),
        List.of(0L),
        Optional.empty());
  }

  @Test
  void neighboursAreOneStepApartAndWithinTheProposalWhereTheDistanceSaysSo() {
    SplittableRandom random = new SplittableRandom(42);
    int safe = 0;
    int unsafe = 0;
    for (int round = 0; round < 60; round++) {
      Data data = new Data(some(random), some(random));
      int question = random.nextInt(HISTOGRAMS.size());
      ProposedMetrics proposal = proposal(1 + random.nextInt(5));
      Plan plan = plan(HISTOGRAMS.get(question), data.metrics(), proposal);
      ProposalTest here = ProposalTest.of(plan).orElseThrow();
      BigDecimal b = plan.measurements().get(0).noise().orElseThrow().sensitivity();
      for (Data other : data.neighbours()) {
        ProposalTest there =
            ProposalTest.of(plan(HISTOGRAMS.get(question), other.metrics(), proposal))
                .orElseThrow();
        assertTrue(Math.abs(here.distance() - there.distance()) <= 1);
        if (here.distance() >= 1) {
          int moved = 0;
          for (int bin = 0; bin < 3; bin++) {
            moved += Math.abs(data.answer(question)[bin] - other.answer(question)[bin]);
          }
          assertTrue(b.compareTo(BigDecimal.valueOf(moved)) >= 0, data + " " + other);
          safe++;
        } else {
          unsafe++;
        }
      }
    }
    assertTrue(safe > 100 && unsafe > 100, safe + " safe, " + unsafe + " not");
  }

  @Test
  void whatIsChosenDoesNotDependOnTheData() {
    ProposedMetrics proposal = proposal(7);
    Plan one = plan(HISTOGRAMS.get(0), new Data(List.of(), List.of()).metrics(), proposal);
    Plan two =
        plan(
            HISTOGRAMS.get(0),
            new Data(List.of(new Row(0, 0), new Row(0, 0)), List.of(new Row(0, 1))).metrics(),
            proposal);
    assertEquals(one.measurements().get(0).noise(), two.measurements().get(0).noise());
    assertEquals("propose", one.measurements().get(0).noise().orElseThrow().mechanism().name());
  }

  @Test
  void aProposalThatLeavesAMetricOutIsRefused() {
    Optional<BigInteger> guess = Optional.of(BigInteger.TEN);
    ProposedMetrics half =
        new ProposedMetrics(
            Map.of(
                "r",
                new TableMetrics(
                    Optional.empty(), Map.of(Set.of("k"), new MaxFrequency(guess, guess)))));
    Rejection e =
        assertThrows(
            Rejection.class,
            () -> plan(HISTOGRAMS.get(0), new Data(List.of(), List.of()).metrics(), half));
    assertEquals(RejectionCode.PROPOSAL_KEYS, e.code());
    assertTrue(e.message().contains("s.k"), e.message());
    assertTrue(e.hint().contains("--propose 's.k=N'"), e.hint());
  }

  @Test
  void aQuestionThatNeedsNoProposalTakesNone() {
    Rejection e =
        assertThrows(
            Rejection.class,
            () ->
                plan(
                    "SELECT COUNT(*) FROM r",
                    new Data(List.of(), List.of()).metrics(),
                    proposal(3)));
    assertEquals(RejectionCode.PROPOSAL_KEYS, e.code());
  }

  @Test
  void extremeEpsilonsAreRefusedOrTestedAndNeverBreak() {
    Metrics none = new Data(List.of(), List.of()).metrics();
    for (String epsilon : List.of("1e-9", "20000", "29999")) {
      AnalysisOptions options =
          new AnalysisOptions(
                  RuleSet.FLEXDP,
                  MechanismChoice.AUTO,
                  Optional.of(new BigDecimal(epsilon)),
                  Optional.of(new BigDecimal("1e-90")),
                  List.of(0L),
                  Optional.empty())
              .proposing(Optional.of(proposal(2)));
      Analyzer analyzer = new Analyzer(policy(), none, LocalDateTime.MIN);
      String three = "SELECT COUNT(*), COUNT(s.k + 1), COUNT(s.g + 1) FROM r JOIN s ON r.k = s.k";
      if (epsilon.startsWith("1e-")) {
        Rejection e =
            assertThrows(Rejection.class, () -> analyzer.plan(HISTOGRAMS.get(0), options), epsilon);
        assertEquals(RejectionCode.MECHANISM_UNSUITABLE, e.code());
        continue;
      }
      Plan plan = analyzer.plan(three, options);
      assertTrue(ProposalTest.of(plan).orElseThrow().confirmed(new SeededBits(1)).isPresent());
    }
  }

  /** Bounds that are linear in the distance stay usable for more bins. */
  @Test
  void smoothNoiseServesTwentyBinsWhereTheBoundIsLinear() {
    assertEquals(Optional.of("lomax"), automatic(20, "r JOIN s ON r.k = s.k"));
    assertEquals(Optional.empty(), automatic(21, "r JOIN s ON r.k = s.k"));
    String twice = "r JOIN s ON r.k = s.k JOIN s q ON s.g = q.g";
    assertEquals(Optional.empty(), automatic(20, twice));
    assertEquals(Optional.of("lomax"), automatic(8, twice));
  }

  private static Optional<String> automatic(int bins, String from) {
    StringBuilder cases = new StringBuilder("CASE r.k");
    for (int i = 0; i < bins - 1; i++) {
      cases.append(" WHEN ").append(i).append(" THEN ").append(i);
    }
    String sql =
        "SELECT b, COUNT(*) FROM (SELECT "
            + cases
            + " ELSE -1 END AS b FROM "
            + from
            + ") x"
            + " GROUP BY b";
    return new Analyzer(
            policy(),
            new Data(List.of(new Row(0, 0)), List.of(new Row(0, 0))).metrics(),
            LocalDateTime.MIN)
        .plan(sql, options())
        .measurements()
        .get(0)
        .noise()
        .map(n -> n.mechanism().name());
  }
}
