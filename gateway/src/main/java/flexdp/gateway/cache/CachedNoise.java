package flexdp.gateway.cache;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import flexdp.noise.Mechanism;
import flexdp.people.clipping.ClippingBias;
import flexdp.plan.CalibratedMechanism;
import flexdp.plan.ErrorModel;
import flexdp.plan.EstimateNoise;
import flexdp.plan.PlannedMeasurement;
import flexdp.plan.PublicNoise;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Optional;

/**
 * What may be kept of the noise of one measurement: when the answer is given again, its error bars
 * are those of the noise it has, not of the noise it would get today.
 *
 * @param name the canonical name of the measurement
 * @param known what is public of its scale
 * @param fit of what was estimated from several draws
 */
record CachedNoise(
    String name,
    Mechanism.Stored mechanism,
    Optional<PublicNoise> known,
    Optional<EstimateNoise> fit) {
  private static final MathContext ABOUT = new MathContext(6, RoundingMode.HALF_UP);

  static CachedNoise of(String name, PlannedMeasurement planned, ErrorModel errors) {
    return new CachedNoise(
        name,
        planned.noise().orElseThrow().mechanism().stored(),
        Optional.ofNullable(errors.noise().get(planned.measurement().output().id())),
        Optional.ofNullable(errors.fits().get(planned.measurement().output().id())));
  }

  /** Of noise whose scale is public by itself. */
  static CachedNoise of(String name, PlannedMeasurement planned) {
    CalibratedMechanism noise = planned.noise().orElseThrow();
    Optional<PublicNoise> known =
        noise
            .added()
            .filter(added -> added.mechanism().isPublic())
            .flatMap(added -> added.known(planned.measurement().grid()));
    return new CachedNoise(name, noise.mechanism().stored(), known, Optional.empty());
  }

  /**
   * Of cuboids that were measured with all of this. Shares are rounded down by a ten-millionth; a
   * question with the same ε again asks for no more than was bought.
   */
  static CachedNoise of(Mechanism.Additive whole) {
    Mechanism.Stored stored = whole.stored();
    Mechanism.Stored bought =
        new Mechanism.Stored(
            stored.name(),
            stored.epsilon().round(ABOUT),
            stored.delta().round(ABOUT),
            stored.outputs(),
            stored.rho());
    return new CachedNoise("", bought, Optional.empty(), Optional.empty());
  }

  /** This noise, of which an estimate was made. */
  CachedNoise with(EstimateNoise estimate) {
    return new CachedNoise(name, mechanism, known, Optional.of(estimate));
  }

  /** Half of an interval around a sum of so many cells that holds the exact sum, by 95 %. */
  Optional<BigDecimal> halfWidth(int cells, IntervalWidthCache widths) {
    if (fit.isPresent()) {
      // Estimates are no independent draws: nothing is said of their sums.
      return cells <= 1 ? fit.map(f -> f.halfWidth(ErrorModel.CONFIDENCE)) : Optional.empty();
    }
    return of(cells).filter(noise -> noise.mechanism().isPublic()).map(widths::of);
  }

  /** The noise of a sum of so many cells, where that is known. */
  Optional<PublicNoise> of(int cells) {
    return cells <= 1 ? known : known.flatMap(noise -> noise.sum(cells));
  }

  void write(ObjectNode node) {
    node.put("name", name);
    node.put("mechanism", mechanism.name());
    node.put("epsilon", mechanism.epsilon().toString());
    node.put("delta", mechanism.delta().toString());
    node.put("outputs", mechanism.outputs());
    mechanism.rho().ifPresent(rho -> node.put("rho", rho.toString()));
    known.ifPresent(
        noise -> {
          node.put("sensitivity", noise.sensitivity().toString());
          node.put("grid", noise.grid().toString());
          node.put("slack", noise.slack().toString());
          if (!noise.cut().isNone()) {
            CachedClippingBias.write(node.putObject("cut"), noise.cut());
          }
        });
    fit.ifPresent(f -> CachedFit.write(node.putObject("fit"), f));
  }

  static CachedNoise read(JsonNode node) {
    Mechanism.Stored mechanism =
        new Mechanism.Stored(
            node.path("mechanism").asText(),
            number(node, "epsilon"),
            number(node, "delta"),
            node.path("outputs").asInt(),
            node.has("rho") ? Optional.of(number(node, "rho")) : Optional.empty());
    Optional<PublicNoise> known =
        node.has("sensitivity")
            ? mechanism
                .additive()
                .map(
                    m ->
                        new PublicNoise(
                                m,
                                number(node, "sensitivity"),
                                number(node, "grid"),
                                number(node, "slack"))
                            .cut(CachedClippingBias.read(node.path("cut"))))
            : Optional.empty();
    Optional<EstimateNoise> fit =
        node.get("fit") instanceof ObjectNode written
            ? Optional.of(CachedFit.read(written))
            : Optional.empty();
    return new CachedNoise(node.path("name").asText(), mechanism, known, fit);
  }

  private static BigDecimal number(JsonNode node, String name) {
    return new BigDecimal(node.path(name).asText());
  }

  /** What may have been cut off an answer that is kept. */
  static final class CachedClippingBias {
    private CachedClippingBias() {}

    static void write(ObjectNode node, ClippingBias cut) {
      node.put("person", cut.person().toString());
      node.put("people", cut.people().toString());
      node.put("scale", cut.scale().toString());
      node.put("apart", cut.apart().toString());
      node.put("eitherWay", cut.eitherWay());
    }

    /** Earlier answers kept one number. */
    static ClippingBias read(JsonNode node) {
      if (node.isMissingNode()) {
        return ClippingBias.NONE;
      }
      return node.isObject()
          ? new ClippingBias(
              number(node, "person"),
              number(node, "people"),
              number(node, "scale"),
              number(node, "apart"),
              node.path("eitherWay").asBoolean())
          : ClippingBias.of(new BigDecimal(node.asText()));
    }

    private static BigDecimal number(JsonNode node, String name) {
      return new BigDecimal(node.path(name).asText());
    }
  }
}
