package flexdp.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import flexdp.noise.Exponential;
import flexdp.noise.Flex;
import flexdp.noise.Gaussian;
import flexdp.noise.Laplace;
import flexdp.noise.Lomax;
import flexdp.noise.Mechanism;
import flexdp.plan.Errors;
import flexdp.plan.Planned;
import flexdp.plan.PublicNoise;
import java.math.BigDecimal;
import java.util.Optional;

/**
 * What may be kept of the noise of one measurement: when the answer is given again, its error bars
 * are those of the noise it has, not of the noise it would get today.
 *
 * @param name the canonical name of the measurement
 * @param mechanism its name in the contract
 * @param outputs among how many numbers one draw of noise was shared
 * @param known what is public of its scale
 */
record KeptNoise(
    String name,
    String mechanism,
    BigDecimal epsilon,
    BigDecimal delta,
    int outputs,
    Optional<PublicNoise> known) {
  static KeptNoise of(String name, Planned planned, Errors errors) {
    Mechanism mechanism = planned.noise().orElseThrow().mechanism();
    return of(
        name,
        mechanism,
        Optional.ofNullable(errors.noise().get(planned.measurement().output().id())));
  }

  /** Of noise whose scale is public by itself. */
  static KeptNoise of(String name, Planned planned) {
    Planned.Noise noise = planned.noise().orElseThrow();
    Optional<PublicNoise> known =
        noise.isPublic() && noise.mechanism() instanceof Laplace laplace
            ? Optional.of(
                new PublicNoise(
                    laplace, noise.sensitivity(), planned.measurement().grid(), BigDecimal.ZERO))
            : Optional.empty();
    return of(name, noise.mechanism(), known);
  }

  private static KeptNoise of(String name, Mechanism mechanism, Optional<PublicNoise> known) {
    return new KeptNoise(
        name, mechanism.name(), mechanism.epsilon(), mechanism.delta(), outputs(mechanism), known);
  }

  /**
   * Whether it may stand for noise of this mechanism. Pure noise was bought with the ε that it
   * says. What has a δ is compared with its own kind only: its ε buys something else, and a smaller
   * δ means more noise. So do more outputs that share one draw.
   */
  boolean serves(Mechanism wanted) {
    boolean same = mechanism.equals(wanted.name());
    return epsilon.compareTo(wanted.epsilon()) >= 0
        && (same || delta.signum() == 0)
        && (!same || delta.compareTo(wanted.delta()) >= 0 && outputs <= outputs(wanted));
  }

  /** Half of an interval around a sum of so many cells that holds the exact sum, by 95 %. */
  Optional<BigDecimal> halfWidth(int cells) {
    return of(cells)
        .filter(noise -> noise.mechanism() instanceof Laplace)
        .map(noise -> noise.halfWidth(Errors.CONFIDENCE));
  }

  /** The noise of a sum of so many cells; it is known for Laplace noise, which is independent. */
  Optional<PublicNoise> of(int cells) {
    return cells == 1 ? known : known.flatMap(noise -> noise.sum(cells));
  }

  void write(ObjectNode node) {
    node.put("name", name);
    node.put("mechanism", mechanism);
    node.put("epsilon", epsilon.toString());
    node.put("delta", delta.toString());
    node.put("outputs", outputs);
    known.ifPresent(
        noise -> {
          node.put("sensitivity", noise.sensitivity().toString());
          node.put("grid", noise.grid().toString());
          node.put("slack", noise.slack().toString());
        });
  }

  private static int outputs(Mechanism mechanism) {
    return switch (mechanism) {
      case Exponential ignored -> 1;
      case Laplace ignored -> 1;
      case Gaussian ignored -> 1;
      case Lomax lomax -> lomax.outputs();
      case Flex flex -> flex.outputs();
    };
  }

  static KeptNoise read(JsonNode node) {
    String mechanism = node.path("mechanism").asText();
    BigDecimal epsilon = number(node, "epsilon");
    Optional<PublicNoise> known =
        node.has("sensitivity")
            ? mechanism(mechanism, epsilon, node)
                .map(
                    m ->
                        new PublicNoise(
                            m,
                            number(node, "sensitivity"),
                            number(node, "grid"),
                            number(node, "slack")))
            : Optional.empty();
    return new KeptNoise(
        node.path("name").asText(),
        mechanism,
        epsilon,
        number(node, "delta"),
        node.path("outputs").asInt(),
        known);
  }

  private static Optional<Mechanism.Additive> mechanism(
      String name, BigDecimal epsilon, JsonNode node) {
    int outputs = node.path("outputs").asInt();
    return switch (name) {
      case "laplace" -> Optional.of(Laplace.of(epsilon));
      case "released" -> Optional.of(new Laplace(epsilon, true));
      case "gaussian" -> Optional.of(Gaussian.of(epsilon, number(node, "delta")));
      case "lomax" -> Optional.of(Lomax.of(epsilon, outputs));
      case "flex" -> Optional.of(Flex.of(epsilon, number(node, "delta"), outputs));
      default -> Optional.empty();
    };
  }

  private static BigDecimal number(JsonNode node, String name) {
    return new BigDecimal(node.path(name).asText());
  }
}
