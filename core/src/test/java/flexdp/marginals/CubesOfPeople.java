package flexdp.marginals;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.cells.CellSink;
import flexdp.cells.PersonCell;
import flexdp.metrics.Metrics;
import flexdp.people.clipping.Contributions;
import flexdp.plan.CalibratedMechanism;
import flexdp.plan.ClippingPlan;
import flexdp.plan.MechanismChoice;
import flexdp.plan.Plan;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.query.Measurement;
import flexdp.query.NoisyAggregate;
import flexdp.release.ExactRows;
import flexdp.release.Reading;
import flexdp.sensitivity.RuleSet;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** People with rows of two labels, the CUBEs that are asked of them, and what they contribute. */
final class CubesOfPeople {
  private CubesOfPeople() {}

  private static final int LABELS = 3;
  private static final Policy POLICY = policy();

  /** The last label is not listed. */
  record Row(int a, int b, int v, int w) {}

  private static Policy policy() {
    Map<String, Object> id = Map.of("type", "bigint", "unique", true, "nullable", false);
    Map<String, Object> label = Map.of("type", "integer", "domain", List.of(0, 1, 2));
    Map<String, Object> visits = new LinkedHashMap<>();
    visits.put("id", id);
    visits.put("person", Map.of("type", "bigint"));
    visits.put("a", label);
    visits.put("b", label);
    visits.put("v", Map.of("type", "integer", "range", List.of(0, 9)));
    visits.put("w", Map.of("type", "integer", "range", List.of(-5, 5)));
    return PolicyReader.read(
        Map.of(
            "privacy",
            Map.of("epsilon", 1, "budget", Map.of("epsilon", 1000)),
            "people",
            Map.of("person", Map.of("key", "persons.id")),
            "tables",
            Map.of(
                "persons",
                Map.of("owners", Map.of("person", "id"), "columns", Map.of("id", id)),
                "visits",
                Map.of("owners", Map.of("person", "person"), "columns", visits))));
  }

  /** A planned CUBE, its cuboids, and the noise of every measurement. */
  record Cube(
      NoisyAggregate point,
      NoisyAggregate read,
      List<CalibratedMechanism.Clipped> noise,
      List<MeasurementStrategy> strategies) {
    ClippingPlan clipping() {
      return noise.getFirst().clipping();
    }

    Cube with(List<MeasurementStrategy> others) {
      return new Cube(point, read, noise, others);
    }
  }

  static Cube cube(String sql, String epsilon) {
    Plan plan =
        new Analyzer(POLICY, new Metrics(Map.of(), Map.of()), LocalDateTime.of(2024, 1, 1, 0, 0))
            .plan(
                sql,
                new AnalysisOptions(
                    RuleSet.FLEXDP,
                    MechanismChoice.AUTO,
                    Optional.of(new BigDecimal(epsilon)),
                    Optional.empty(),
                    List.of(0L),
                    Optional.empty()));
    NoisyAggregate point = plan.query().releases().getFirst();
    List<CalibratedMechanism.Clipped> noise =
        plan.measurements().stream()
            .map(p -> ((CalibratedMechanism.Clipped) p.noise().orElseThrow()).ofCuboids())
            .toList();
    List<MeasurementStrategy> strategies =
        new StrategySelection().ofPeople(point, plan.measurements(), labels(), List.of());
    NoisyAggregate read = point.by(new ClippedCuboids(point, noise, strategies).sets());
    return new Cube(point, read, noise, strategies);
  }

  static List<List<Object>> labels() {
    List<List<Object>> rows = new ArrayList<>();
    for (int a = 0; a < LABELS; a++) {
      for (int b = 0; b < LABELS; b++) {
        rows.add(List.of(BigDecimal.valueOf(a), BigDecimal.valueOf(b)));
      }
    }
    return rows;
  }

  private static BigInteger value(Measurement measurement, Row row) {
    if (measurement instanceof Measurement.Sum sum) {
      return BigInteger.valueOf(sum.clamp().mostTaken().signum() > 0 ? row.w() : row.v());
    }
    return BigInteger.ONE;
  }

  static Map<PersonCell, BigInteger> values(
      NoisyAggregate read, List<Integer> set, List<Row> rows) {
    Map<PersonCell, BigInteger> values = new LinkedHashMap<>();
    for (Row row : rows) {
      List<Object> labels = new ArrayList<>();
      labels.add(set.contains(0) ? BigDecimal.valueOf(row.a()) : null);
      labels.add(set.contains(1) ? BigDecimal.valueOf(row.b()) : null);
      for (int m = 0; m < read.measurements().size(); m++) {
        values.merge(
            new PersonCell(Optional.of(read.bits(set)), labels, m, Optional.empty()),
            value(read.measurements().get(m), row),
            BigInteger::add);
      }
    }
    return values;
  }

  /** What the one pass of SQL tells. */
  static Contributions<PersonCell> contributions(
      ClippingPlan clipping, NoisyAggregate read, List<List<Row>> people) {
    Contributions<PersonCell> all = new Contributions<>(clipping.levels(), clipping.digits());
    contribute(clipping, read, people, all);
    return all;
  }

  static void contribute(
      ClippingPlan clipping,
      NoisyAggregate read,
      List<List<Row>> people,
      Contributions<PersonCell> all) {
    for (List<Row> rows : people) {
      BigInteger over = BigInteger.ZERO;
      for (List<Integer> set : read.groupingSets()) {
        over = over.add(clipping.byRows() ? size(rows) : norm(values(read, set, rows)));
      }
      for (int s = 0; s < read.groupingSets().size(); s++) {
        Map<PersonCell, BigInteger> own = values(read, read.groupingSets().get(s), rows);
        BigInteger size = !clipping.bySet() ? over : clipping.byRows() ? size(rows) : norm(own);
        int bucket = clipping.levels().bucket(size);
        if (s == 0) {
          all.people(bucket, BigInteger.ONE);
        }
        own.forEach(
            (cell, x) -> all.add(bucket, cell, x, Contributions.share(x, size, clipping.digits())));
      }
    }
  }

  /** A database of such people. */
  record Rows(List<List<Row>> people) implements ExactRows {
    @Override
    public void cells(Reading.Cells what, CellSink to) {
      throw new AssertionError("rows have owners");
    }

    @Override
    public void people(Reading.People what, Contributions<PersonCell> to) {
      contribute(what.clipping(), what.point(), people, to);
    }

    @Override
    public void degrees(Reading.Degrees what, Consumer<Reading.Degrees.Row> to) {
      throw new AssertionError("rows have one owner");
    }

    @Override
    public boolean staysOpen() {
      return true;
    }
  }

  private static BigInteger size(List<Row> rows) {
    return BigInteger.valueOf(rows.size());
  }

  private static BigInteger norm(Map<PersonCell, BigInteger> values) {
    return values.values().stream().map(BigInteger::abs).reduce(BigInteger.ZERO, BigInteger::add);
  }

  static List<Row> rows(SplittableRandom random, int count) {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add(
          new Row(
              random.nextInt(LABELS + 1),
              random.nextInt(LABELS + 1),
              random.nextInt(10),
              random.nextInt(-5, 6)));
    }
    return rows;
  }
}
