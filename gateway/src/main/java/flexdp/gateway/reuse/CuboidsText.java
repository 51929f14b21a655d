package flexdp.gateway.reuse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import flexdp.frame.KeptCuboids;
import flexdp.reuse.Cells;
import flexdp.workload.Estimates;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Noisy cuboids as text and back. */
final class CuboidsText {
  private CuboidsText() {}

  static void write(ObjectNode node, KeptCuboids kept) {
    ArrayNode conditions = node.putArray("conditions");
    kept.conditions().forEach(conditions::add);
    ArrayNode keys = node.putArray("of");
    for (KeptCuboids.Key key : kept.keys()) {
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
    KeptFit.measured(node, kept.estimates());
    ObjectNode cells = node.putObject("cells");
    kept.measured()
        .forEach(
            (cuboid, numbers) -> {
              ArrayNode all = cells.putArray(String.valueOf(cuboid));
              for (double number : numbers) {
                // Whole numbers of steps: the text of one that is large is shorter than a double's.
                all.add(new BigDecimal(number));
              }
            });
  }

  /**
   * @throws IllegalArgumentException when the text is not one of ours
   */
  static KeptCuboids read(ObjectNode node) {
    List<String> conditions = new ArrayList<>();
    node.path("conditions").forEach(c -> conditions.add(c.asText()));
    List<KeptCuboids.Key> keys = new ArrayList<>();
    for (JsonNode key : node.path("of")) {
      List<Object> labels = new ArrayList<>();
      key.path("labels").forEach(l -> labels.add(l.isNull() ? null : RowsText.value(l.asText())));
      keys.add(
          new KeptCuboids.Key(key.path("text").asText(), labels, key.path("whole").asBoolean()));
    }
    TreeSet<String> filters = new TreeSet<>();
    node.path("value").path("conditions").forEach(c -> filters.add(c.asText()));
    Estimates estimates = KeptFit.estimates(node);
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
    Cells.Value value = new Cells.Value(node.path("value").path("text").asText(), true, filters);
    BigDecimal grid = new BigDecimal(node.path("grid").asText());
    return new KeptCuboids(conditions, keys, value, grid, estimates, measured);
  }
}
