package flexdp.gateway.cache;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.node.ObjectNode;
import flexdp.release.ContributionCap;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The caps of an answer that is kept. */
final class CachedCap {
  private CachedCap() {}

  static void write(ObjectNode node, ContributionCap cap) {
    node.put("of", cap.of()).put("norm", cap.euclidean() ? "L2" : "L1").put("rows", cap.rows());
    node.put("cap", cap.most().toPlainString());
    cap.beyond().ifPresent(some -> node.put("beyond", some.toPlainString()));
    cap.beyondAtMost().ifPresent(some -> node.put("atMost", some.toPlainString()));
  }

  /** Of an object that has begun. */
  static ContributionCap read(JsonParser parser) throws IOException {
    Map<String, String> fields = new HashMap<>();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String field = parser.currentName();
      parser.nextToken();
      fields.put(field, parser.getText());
    }
    return new ContributionCap(
        fields.getOrDefault("of", ""),
        "L2".equals(fields.get("norm")),
        Boolean.parseBoolean(fields.get("rows")),
        new BigDecimal(fields.getOrDefault("cap", "")),
        Optional.ofNullable(fields.get("beyond")).map(BigDecimal::new),
        Optional.ofNullable(fields.get("atMost")).map(BigDecimal::new));
  }
}
