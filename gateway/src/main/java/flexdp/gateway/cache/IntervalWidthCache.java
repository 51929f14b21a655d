package flexdp.gateway.cache;

import flexdp.plan.ErrorModel;
import flexdp.plan.PublicNoise;
import java.math.BigDecimal;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How wide the error bars of public noise are, as computed lately: questions are asked with the
 * same few noises again and again, and each width takes a logarithm in exact numbers. Safe for
 * several threads.
 */
final class IntervalWidthCache {
  private static final int MOST = 1_000;

  private final Map<PublicNoise, BigDecimal> recent = new ConcurrentHashMap<>();

  BigDecimal of(PublicNoise noise) {
    BigDecimal known = recent.get(noise);
    if (known != null) {
      return known;
    }
    BigDecimal width = noise.halfWidth(ErrorModel.CONFIDENCE);
    if (recent.size() >= MOST) {
      recent.clear();
    }
    recent.put(noise, width);
    return width;
  }
}
