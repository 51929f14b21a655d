package flexdp.gateway.reuse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import flexdp.people.clip.Shortfall;
import java.math.BigDecimal;

/** What may have been cut off an answer that is kept. */
final class KeptShortfall {
  private KeptShortfall() {}

  static void write(ObjectNode node, Shortfall cut) {
    node.put("person", cut.person().toString());
    node.put("people", cut.people().toString());
    node.put("scale", cut.scale().toString());
    node.put("apart", cut.apart().toString());
    node.put("eitherWay", cut.eitherWay());
  }

  /** Earlier answers kept one number. */
  static Shortfall read(JsonNode node) {
    if (node.isMissingNode()) {
      return Shortfall.NONE;
    }
    return node.isObject()
        ? new Shortfall(
            number(node, "person"),
            number(node, "people"),
            number(node, "scale"),
            number(node, "apart"),
            node.path("eitherWay").asBoolean())
        : Shortfall.of(new BigDecimal(node.asText()));
  }

  private static BigDecimal number(JsonNode node, String name) {
    return new BigDecimal(node.path(name).asText());
  }
}
