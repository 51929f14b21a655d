package flexdp.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import flexdp.noise.Laplace;
import flexdp.noise.LaplaceSum;
import flexdp.plan.Planned;
import java.math.BigDecimal;
import java.util.Optional;

/**
 * What may be kept of the noise of one measurement.
 *
 * @param name the canonical name of the measurement
 * @param mechanism its name in the contract
 * @param sensitivity what discrete Laplace noise is scaled to, when that is public
 */
record KeptNoise(
    String name,
    String mechanism,
    BigDecimal epsilon,
    Optional<BigDecimal> sensitivity,
    BigDecimal grid) {
  private static final BigDecimal CONFIDENCE = new BigDecimal("0.95");

  static KeptNoise of(String name, Planned planned) {
    Planned.Noise noise = planned.noise().orElseThrow();
    boolean known = noise.isPublic() && noise.mechanism() instanceof Laplace;
    return new KeptNoise(
        name,
        noise.mechanism().name(),
        noise.mechanism().epsilon(),
        known ? Optional.of(noise.sensitivity()) : Optional.empty(),
        planned.measurement().grid());
  }

  void write(ObjectNode node) {
    node.put("name", name);
    node.put("mechanism", mechanism);
    node.put("epsilon", epsilon.toString());
    node.put("grid", grid.toString());
    sensitivity.ifPresent(s -> node.put("sensitivity", s.toString()));
  }

  static KeptNoise read(JsonNode node) {
    return new KeptNoise(
        node.path("name").asText(),
        node.path("mechanism").asText(),
        new BigDecimal(node.path("epsilon").asText()),
        Optional.ofNullable(node.get("sensitivity")).map(s -> new BigDecimal(s.asText())),
        new BigDecimal(node.path("grid").asText()));
  }

  /** Half of an interval around a sum of so many cells that holds the exact sum, by 95 %. */
  Optional<BigDecimal> halfWidth(int cells) {
    return sensitivity.map(
        s ->
            LaplaceSum.halfWidth(
                new Laplace(epsilon, mechanism.equals("released")), s, grid, CONFIDENCE, cells));
  }
}
