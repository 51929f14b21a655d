package flexdp.gateway.cache;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import flexdp.cells.ExactHistogram;
import flexdp.fingerprint.QueryFingerprint;
import flexdp.gateway.ledger.entry.ReleasedAnswer;
import flexdp.marginals.CachedCuboids;
import flexdp.marginals.MeasuredMarginals;
import flexdp.plan.ErrorModel;
import flexdp.plan.PlannedMeasurement;
import flexdp.query.NoisyAggregate;
import flexdp.release.RowTable;
import flexdp.reuse.MeasurementShape;
import flexdp.reuse.ReleasedCells;
import flexdp.workload.Estimates;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A released answer, read: noisy rows, the noise in them, and what its cells mean; or the cuboids
 * that answers were estimated from.
 *
 * @param state the state of the data that it was read in: answers of one state agree
 * @param declared hashes of what was declared of the columns that it may depend on
 * @param noise of each measurement, in the order of the columns
 */
record CachedAnswer(
    ReleasedAnswer answer,
    String state,
    Set<String> declared,
    List<CachedNoise> noise,
    Optional<ReleasedCells> cells,
    Optional<CachedCuboids> cuboids,
    ObjectNode body) {
  /** The state that was measured, of tables that are vouched or proven to be unchanged since. */
  static final String OF_SNAPSHOT = "snapshot";

  /**
   * The text of an answer that is being released.
   *
   * @param state {@link #OF_SNAPSHOT}, or a name that no other reading of the data has
   * @param cachedNotes what is said with it, now and whenever it is given again
   * @param policyFingerprint of the tables that it was read from
   * @param names canonical ones of the columns of the release point, by id
   */
  static String write(
      String state,
      CachedNotes cachedNotes,
      PolicyFingerprint policyFingerprint,
      NoisyAggregate point,
      Map<Integer, String> names,
      Optional<MeasurementShape> parts,
      List<PlannedMeasurement> planned,
      ErrorModel errors,
      RowTable rows) {
    ObjectNode body = RowsText.empty();
    body.put("state", state);
    cachedNotes.write(body);
    write(body, policyFingerprint);
    ArrayNode noise = body.putArray("measured");
    for (PlannedMeasurement p : planned) {
      CachedNoise.of(names.get(p.measurement().output().id()), p, errors).write(noise.addObject());
    }
    parts
        .flatMap(p -> ReleasedCells.of(point, p, rows.rows()))
        .ifPresent(cells -> write(body.putObject("cells"), cells, point));
    RowsText.write(body, rows, names);
    return body.toString();
  }

  /** The text of cuboids that were measured; see {@link #write}. */
  static String write(
      String state,
      PolicyFingerprint policyFingerprint,
      MeasurementShape parts,
      MeasuredMarginals drawn) {
    ObjectNode body = RowsText.empty();
    body.put("state", state);
    write(body, policyFingerprint);
    CachedNoise.of(drawn.strategy().whole()).write(body.putArray("measured").addObject());
    CuboidsText.write(body.putObject("cuboids"), CachedCuboids.of(drawn, parts));
    return body.toString();
  }

  private static void write(ObjectNode body, PolicyFingerprint policyFingerprint) {
    policyFingerprint.columns().stream().sorted().forEach(body.putArray("declared")::add);
  }

  private static void write(ObjectNode node, ReleasedCells cells, NoisyAggregate point) {
    ObjectNode conditions = node.putObject("conditions");
    cells.conditions().forEach(c -> conditions.put(c.text(), c.onLabels()));
    ArrayNode keys = node.putArray("keys");
    cells.keys().forEach(keys::add);
    ArrayNode values = node.putArray("values");
    for (ReleasedCells.Value value : cells.values()) {
      ObjectNode one = values.addObject();
      one.put("text", value.text());
      one.put("additive", value.additive());
      ArrayNode own = one.putArray("conditions");
      value.conditions().forEach(own::add);
    }
    ArrayNode complete = node.putArray("whole");
    for (List<Integer> group : cells.complete()) {
      ArrayNode one = complete.addArray();
      group.forEach(one::add);
    }
    ArrayNode apart = node.putArray("apart");
    cells.apart().forEach(apart::add);
    node.put("unread", point.groupingIds().size());
  }

  /**
   * @throws IllegalArgumentException when the text is not one of ours
   */
  static CachedAnswer read(ReleasedAnswer answer) {
    ObjectNode body = RowsText.parse(answer.body());
    List<CachedNoise> noise = new ArrayList<>();
    body.path("measured").forEach(node -> noise.add(CachedNoise.read(node)));
    Optional<ReleasedCells> cells =
        body.get("cells") instanceof ObjectNode node
            ? Optional.of(cells(node, body))
            : Optional.empty();
    Optional<CachedCuboids> cuboids =
        body.get("cuboids") instanceof ObjectNode node
            ? Optional.of(CuboidsText.read(node))
            : Optional.empty();
    Set<String> declared = Set.copyOf(texts(body.path("declared")));
    return new CachedAnswer(answer, state(answer, body), declared, noise, cells, cuboids, body);
  }

  /** An answer that does not say when it was read agrees with no other. */
  private static String state(ReleasedAnswer answer, ObjectNode body) {
    return body.has("state")
        ? body.get("state").asText()
        : "alone " + QueryFingerprint.key(answer.body());
  }

  private static ReleasedCells cells(ObjectNode node, ObjectNode body) {
    List<ReleasedCells.Condition> conditions = new ArrayList<>();
    node.path("conditions")
        .properties()
        .forEach(
            e -> conditions.add(new ReleasedCells.Condition(e.getKey(), e.getValue().asBoolean())));
    List<String> keys = texts(node.path("keys"));
    List<ReleasedCells.Value> values = new ArrayList<>();
    for (JsonNode value : node.path("values")) {
      values.add(
          new ReleasedCells.Value(
              value.path("text").asText(),
              value.path("additive").asBoolean(),
              new TreeSet<>(texts(value.path("conditions")))));
    }
    List<List<Integer>> complete = new ArrayList<>();
    node.path("whole").forEach(group -> complete.add(numbers(group)));
    Set<Integer> apart = new TreeSet<>(numbers(node.path("apart")));
    int unread = node.path("unread").asInt();
    return new ReleasedCells(
        conditions, keys, values, complete, apart, rows(body, keys.size(), unread));
  }

  private static List<List<Object>> rows(ObjectNode body, int keys, int unread) {
    List<List<Object>> rows = RowsText.rows(body);
    if (unread > 0) {
      rows.replaceAll(
          row -> {
            List<Object> kept = new ArrayList<>(row.subList(0, keys));
            kept.addAll(row.subList(keys + unread, row.size()));
            return kept;
          });
    }
    return rows;
  }

  private static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(n -> texts.add(n.asText()));
    return texts;
  }

  private static List<Integer> numbers(JsonNode array) {
    List<Integer> numbers = new ArrayList<>();
    array.forEach(n -> numbers.add(n.asInt()));
    return numbers;
  }

  /**
   * The rows as those of a release point with the same canonical text.
   *
   * @param names canonical ones of its columns, by id
   */
  RowTable rows(NoisyAggregate point, Map<Integer, String> names) {
    return RowsText.read(body, ExactHistogram.columns(point), names);
  }

  /** The noise of the measurement with a canonical name. */
  Optional<CachedNoise> noise(String name) {
    return noise.stream().filter(n -> n.name().equals(name)).findFirst();
  }

  /** Noisy cuboids as text and back. */
  private static final class CuboidsText {
    private CuboidsText() {}

    static void write(ObjectNode node, CachedCuboids kept) {
      ArrayNode conditions = node.putArray("conditions");
      kept.conditions().forEach(conditions::add);
      ArrayNode keys = node.putArray("of");
      for (CachedCuboids.Key key : kept.keys()) {
        ObjectNode one = keys.addObject();
        one.put("text", key.text());
        one.put("whole", key.complete());
        ArrayNode labels = one.putArray("labels");
        key.labels().forEach(label -> labels.add(RowsText.text(label)));
      }
      node.put("grid", kept.grid().toString());
      ObjectNode value = node.putObject("value");
      value.put("text", kept.value().text());
      ArrayNode own = value.putArray("conditions");
      kept.value().conditions().forEach(own::add);
      CachedFit.measured(node, kept.estimates());
      ObjectNode cells = node.putObject("cells");
      kept.measured()
          .forEach(
              (cuboid, numbers) -> {
                ArrayNode all = cells.putArray(String.valueOf(cuboid));
                for (double number : numbers) {
                  // Whole numbers of steps: the text of one that is large is shorter than a
                  // double's.
                  all.add(new BigDecimal(number));
                }
              });
    }

    /**
     * @throws IllegalArgumentException when the text is not one of ours
     */
    static CachedCuboids read(ObjectNode node) {
      List<String> conditions = new ArrayList<>();
      node.path("conditions").forEach(c -> conditions.add(c.asText()));
      List<CachedCuboids.Key> keys = new ArrayList<>();
      for (JsonNode key : node.path("of")) {
        List<Object> labels = new ArrayList<>();
        key.path("labels").forEach(l -> labels.add(l.isNull() ? null : RowsText.value(l.asText())));
        keys.add(
            new CachedCuboids.Key(
                key.path("text").asText(), labels, key.path("whole").asBoolean()));
      }
      TreeSet<String> filters = new TreeSet<>();
      node.path("value").path("conditions").forEach(c -> filters.add(c.asText()));
      Estimates estimates = CachedFit.estimates(node);
      Map<Integer, double[]> measured = new HashMap<>();
      for (Estimates.Cuboid cuboid : estimates.measured()) {
        JsonNode written = node.path("cells").path(String.valueOf(cuboid.point()));
        double[] cells = new double[written.size()];
        for (int i = 0; i < cells.length; i++) {
          cells[i] = written.get(i).asDouble();
        }
        if (cells.length != estimates.lattice().cells(cuboid.point())) {
          throw new IllegalArgumentException("cells are missing");
        }
        measured.put(cuboid.point(), cells);
      }
      ReleasedCells.Value value =
          new ReleasedCells.Value(node.path("value").path("text").asText(), true, filters);
      BigDecimal grid = new BigDecimal(node.path("grid").asText());
      return new CachedCuboids(conditions, keys, value, grid, estimates, measured);
    }
  }
}
