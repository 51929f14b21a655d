package flexdp.gateway.reuse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import flexdp.plan.FittedNoise;
import flexdp.workload.Estimates;
import flexdp.workload.Lattice;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The noise of estimates, as it is kept: what was measured, and how exactly. */
final class KeptFit {
  /** No column says of which set a value is, until a question has one. */
  private static final int NOWHERE = -1;

  private KeptFit() {}

  static void write(ObjectNode node, FittedNoise noise) {
    node.put("grid", noise.grid().toString());
    switch (noise) {
      case FittedNoise.BySet fit -> bySet(node, fit);
      case FittedNoise.Sums fit -> {
        node.put("deviation", fit.deviation());
        node.put("normal", fit.normal());
      }
    }
  }

  private static void bySet(ObjectNode node, FittedNoise.BySet fit) {
    Lattice lattice = fit.estimates().lattice();
    ArrayNode keys = node.putArray("keys");
    for (int key = 0; key < lattice.keys(); key++) {
      ArrayNode levels = keys.addArray();
      for (int level = 0; level <= lattice.finest(key); level++) {
        levels.add(lattice.blocks(key, level));
      }
    }
    ArrayNode measured = node.putArray("measured");
    for (Estimates.Cuboid cuboid : fit.estimates().measured()) {
      ObjectNode one = measured.addObject();
      one.put("cuboid", cuboid.point());
      one.put("normal", cuboid.normal());
      one.put("scale", cuboid.scale());
    }
    ObjectNode sets = node.putObject("sets");
    fit.cuboids().forEach((set, cuboid) -> sets.put(String.valueOf(set), cuboid));
  }

  /**
   * @throws IllegalArgumentException when the text is not one of ours
   */
  static FittedNoise read(ObjectNode node) {
    BigDecimal grid = new BigDecimal(node.path("grid").asText());
    if (node.has("deviation")) {
      return new FittedNoise.Sums(
          NOWHERE, node.get("deviation").asDouble(), node.path("normal").asBoolean(), grid);
    }
    List<int[]> keys = new ArrayList<>();
    for (JsonNode levels : node.path("keys")) {
      int[] blocks = new int[levels.size()];
      for (int i = 0; i < blocks.length; i++) {
        blocks[i] = levels.get(i).asInt();
      }
      keys.add(blocks);
    }
    Lattice lattice = new Lattice(keys);
    List<Estimates.Cuboid> measured = new ArrayList<>();
    for (JsonNode one : node.path("measured")) {
      int cuboid = one.path("cuboid").asInt();
      measured.add(
          new Estimates.Cuboid(
              cuboid, one.path("normal").asBoolean(), one.path("scale").asDouble()));
    }
    Map<Long, Integer> sets = new HashMap<>();
    node.path("sets")
        .properties()
        .forEach(e -> sets.put(Long.valueOf(e.getKey()), e.getValue().asInt()));
    Estimates estimates = new Estimates(lattice, measured);
    return new FittedNoise.BySet(NOWHERE, estimates, sets, grid);
  }
}
