package flexdp.gateway.cache;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import flexdp.gateway.cache.CachedNoise.CachedClippingBias;
import flexdp.plan.ErrorModel;
import flexdp.plan.EstimateNoise;
import flexdp.workload.CuboidLattice;
import flexdp.workload.Estimates;
import flexdp.workload.SumDistribution;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The noise of estimates, as it is kept: what was measured, and how exactly. */
final class CachedFit {
  /** Large enough for draws on a lattice to be as if they were not. */
  private static final double FINE = 1_000;

  private CachedFit() {}

  static void write(ObjectNode node, EstimateNoise noise) {
    node.put("grid", noise.grid().toString());
    switch (noise) {
      case EstimateNoise.BySet fit -> bySet(node, fit);
      case EstimateNoise.Sums fit -> {
        // Whichever label a value has when it is given again, its bar is no narrower than this.
        ArrayNode draws = node.putArray("draws");
        for (SumDistribution.Draws one : fit.widest(ErrorModel.CONFIDENCE).draws()) {
          ArrayNode terms = draws.addArray();
          terms.add(one.coefficient()).add(one.times()).add(one.scale()).add(one.normal());
        }
      }
      case EstimateNoise.Short fit -> {
        write(node.putObject("noise"), fit.noise());
        CachedClippingBias.write(node.putObject("cut"), fit.cut());
      }
      case EstimateNoise.Ends fit -> {
        node.put("below", fit.widest().below().toString());
        node.put("above", fit.widest().above().toString());
      }
    }
  }

  /** What was kept before laws were: a deviation, as if of one draw. */
  private static SumDistribution.Draws single(ObjectNode node) {
    double deviation = node.get("deviation").asDouble();
    return node.path("normal").asBoolean()
        ? new SumDistribution.Draws(1, 1, deviation, true)
        : new SumDistribution.Draws(deviation / Math.sqrt(2) / FINE, 1, FINE, false);
  }

  private static void bySet(ObjectNode node, EstimateNoise.BySet fit) {
    measured(node, fit.estimates());
    ObjectNode sets = node.putObject("sets");
    fit.cuboids().forEach((set, cuboid) -> sets.put(String.valueOf(set), cuboid));
  }

  /** Which cuboids were measured, and with how much noise. */
  static void measured(ObjectNode node, Estimates estimates) {
    CuboidLattice lattice = estimates.lattice();
    ArrayNode keys = node.putArray("keys");
    for (int key = 0; key < lattice.keys(); key++) {
      ArrayNode levels = keys.addArray();
      for (int level = 0; level <= lattice.finest(key); level++) {
        levels.add(lattice.blocks(key, level));
      }
    }
    ArrayNode measured = node.putArray("measured");
    for (Estimates.Cuboid cuboid : estimates.measured()) {
      ObjectNode one = measured.addObject();
      one.put("cuboid", cuboid.point());
      one.put("normal", cuboid.normal());
      one.put("scale", cuboid.scale());
    }
  }

  /**
   * @throws IllegalArgumentException when the text is not one of ours
   */
  static EstimateNoise read(ObjectNode node) {
    BigDecimal grid = new BigDecimal(node.path("grid").asText());
    if (node.path("noise") instanceof ObjectNode noise) {
      return new EstimateNoise.Short(read(noise), CachedClippingBias.read(node.path("cut")), grid);
    }
    if (node.has("above")) {
      EstimateNoise.Ends.Bar widest =
          new EstimateNoise.Ends.Bar(
              new BigDecimal(node.path("below").asText()),
              new BigDecimal(node.path("above").asText()));
      return new EstimateNoise.Ends(List.of(), Map.of(List.of(), widest), grid);
    }
    if (node.has("draws")) {
      List<SumDistribution.Draws> draws = new ArrayList<>();
      for (JsonNode one : node.path("draws")) {
        draws.add(
            new SumDistribution.Draws(
                one.path(0).asDouble(),
                one.path(1).asDouble(),
                one.path(2).asDouble(),
                one.path(3).asBoolean()));
      }
      return new EstimateNoise.Sums(SumDistribution.of(draws), grid);
    }
    if (node.has("deviation")) {
      return new EstimateNoise.Sums(SumDistribution.of(List.of(single(node))), grid);
    }
    Map<Long, Integer> sets = new HashMap<>();
    node.path("sets")
        .properties()
        .forEach(e -> sets.put(Long.valueOf(e.getKey()), e.getValue().asInt()));
    return new EstimateNoise.BySet(List.of(), estimates(node), sets, grid);
  }

  /**
   * @throws IllegalArgumentException when the text is not one of ours
   */
  static Estimates estimates(ObjectNode node) {
    List<int[]> keys = new ArrayList<>();
    for (JsonNode levels : node.path("keys")) {
      int[] blocks = new int[levels.size()];
      for (int i = 0; i < blocks.length; i++) {
        blocks[i] = levels.get(i).asInt();
      }
      keys.add(blocks);
    }
    CuboidLattice lattice = new CuboidLattice(keys);
    List<Estimates.Cuboid> measured = new ArrayList<>();
    for (JsonNode one : node.path("measured")) {
      int cuboid = one.path("cuboid").asInt();
      measured.add(
          new Estimates.Cuboid(
              cuboid, one.path("normal").asBoolean(), one.path("scale").asDouble()));
    }
    return new Estimates(lattice, measured);
  }
}
