package flexdp.gateway.json;

import com.fasterxml.jackson.core.JsonGenerator;
import flexdp.gateway.api.ThresholdQuery.ThresholdView;
import flexdp.gateway.api.WatchView;
import flexdp.gateway.api.WatchView.WatchOrder;
import flexdp.noise.SparseVector;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.List;

/** Watches, and what was found above a threshold, as JSON. */
public final class WatchJson {
  private WatchJson() {}

  /** Several watches. */
  public static String of(List<WatchView> views) {
    return JsonLine.of(
        json -> {
          json.writeArrayFieldStart("watches");
          for (WatchView view : views) {
            json.writeStartObject();
            fields(json, view);
            json.writeEndObject();
          }
          json.writeEndArray();
        });
  }

  public static String of(ThresholdView view) {
    return JsonLine.of(json -> fields(json, view));
  }

  /** What was found above a threshold, one request of many. */
  static String answered(Object id, ThresholdView view) {
    return JsonLine.of(
        json -> {
          JsonLine.id(json, id);
          json.writeStringField("status", "answered");
          fields(json, view);
        });
  }

  private static void fields(JsonGenerator json, ThresholdView view) throws IOException {
    json.writeArrayFieldStart("answers");
    for (int i = 0; i < view.lines().size(); i++) {
      ThresholdView.Line line = view.lines().get(i);
      json.writeStartObject();
      json.writeNumberField("statement", i + 1);
      json.writeFieldName("above");
      if (line.above().isPresent()) {
        json.writeBoolean(line.above().get());
      } else {
        json.writeNull();
      }
      if (line.gap().isPresent()) {
        number(json, "gap", line.gap().get());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeObjectFieldStart("spent");
    number(json, "epsilon", view.epsilon());
    number(json, "delta", BigDecimal.ZERO);
    json.writeEndObject();
    json.writeStringField("mechanism", SparseVector.NAME);
    if (!view.note().isEmpty()) {
      json.writeStringField("note", view.note());
    }
  }

  private static void fields(JsonGenerator json, WatchView view) throws IOException {
    json.writeStringField("name", view.name());
    json.writeStringField("state", view.state().word());
    json.writeStringField("sql", view.sql());
    if (view.order().isPresent()) {
      WatchOrder order = view.order().get();
      number(json, "above", order.above().threshold());
      json.writeStringField("every", order.period().word());
      json.writeNumberField("hits", order.above().hits());
    }
    json.writeStringField("armed", view.armed().toString());
    json.writeObjectFieldStart("spent");
    number(json, "epsilon", view.epsilon());
    number(json, "delta", BigDecimal.ZERO);
    json.writeEndObject();
    json.writeArrayFieldStart("turns");
    for (WatchView.Turn turn : view.turns()) {
      json.writeStartObject();
      json.writeStringField("from", turn.from());
      json.writeStringField("verdict", turn.verdict().word());
      if (turn.gap().isPresent()) {
        number(json, "gap", turn.gap().get());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
    if (!view.note().isEmpty()) {
      json.writeStringField("note", view.note());
    }
  }

  private static void number(JsonGenerator json, String name, BigDecimal value) throws IOException {
    BigDecimal stripped = value.signum() == 0 ? BigDecimal.ZERO : value.stripTrailingZeros();
    json.writeFieldName(name);
    json.writeNumber(stripped.scale() <= 0 ? stripped.toPlainString() : stripped.toString());
  }
}
