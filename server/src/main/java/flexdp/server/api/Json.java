package flexdp.server.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import flexdp.server.http.Response;
import java.math.BigDecimal;
import java.time.LocalDateTime;

/** JSON as it is sent; it is never read as anything else. */
final class Json {
  static final JsonNodeFactory NODES = JsonNodeFactory.withExactBigDecimals(true);
  static final String TYPE = "application/json";

  private Json() {}

  static Response of(int status, JsonNode node) {
    return Response.text(status, TYPE, node.toString());
  }

  static ObjectNode object() {
    return NODES.objectNode();
  }

  static BigDecimal plain(BigDecimal number) {
    return number.signum() == 0 ? BigDecimal.ZERO : number.stripTrailingZeros();
  }

  /** A label of a policy. */
  static JsonNode value(Object value) {
    return switch (value) {
      case null -> NODES.nullNode();
      case Boolean b -> NODES.booleanNode(b);
      case BigDecimal n -> NODES.numberNode(n);
      case Double n -> NODES.numberNode(n);
      case LocalDateTime at -> NODES.textNode(at.toString().replace('T', ' '));
      default -> NODES.textNode(value.toString());
    };
  }
}
