package flexdp.gateway.json;

import com.fasterxml.jackson.core.JsonGenerator;
import flexdp.Report;
import flexdp.failure.Failure;
import flexdp.failure.Position;
import flexdp.failure.Rejection;
import flexdp.query.DpQuery;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Reports and failures as one line of JSON each, with the names of the contract. */
public final class ReportJson {
  private ReportJson() {}

  /** An id is whatever scalar the request carried; it is given back as it came. */
  public static String accepted(Object id, Report report) {
    return JsonLine.of(
        json -> {
          JsonLine.id(json, id);
          json.writeStringField("status", "accepted");
          json.writeStringField("neighbors", report.neighbors().word());
          json.writeNumberField("joins", report.joins());
          json.writeArrayFieldStart("columns");
          for (DpQuery.ResultColumn column : report.columns()) {
            column(json, column);
          }
          json.writeEndArray();
          json.writeArrayFieldStart("aggregates");
          for (Report.Aggregate noise : report.aggregates()) {
            noise(json, noise);
          }
          json.writeEndArray();
          json.writeStringField("labels", report.labels());
          if (!report.hint().isEmpty()) {
            json.writeStringField("hint", report.hint());
          }
        });
  }

  /** A rejection says where; any other failure says which request. */
  public static String failed(Object id, Failure failure, long request) {
    return JsonLine.of(
        json -> {
          JsonLine.id(json, id);
          json.writeStringField("status", failure instanceof Rejection ? "rejected" : "error");
          json.writeStringField("code", failure.codeName());
          json.writeStringField("message", failure.message());
          if (failure instanceof Rejection || !failure.hint().isEmpty()) {
            json.writeStringField("hint", failure.hint());
          }
          if (failure instanceof Rejection) {
            Position at = failure.at().orElse(Position.START);
            json.writeNumberField("line", at.line());
            json.writeNumberField("column", at.column());
          } else {
            json.writeNumberField("request", request);
          }
        });
  }

  private static void column(JsonGenerator json, DpQuery.ResultColumn column) throws IOException {
    json.writeStartObject();
    json.writeStringField("name", column.column().name());
    json.writeStringField("kind", column.kind().name().toLowerCase(Locale.ROOT));
    if (column.kind() == DpQuery.ResultColumn.Kind.AGGREGATE) {
      json.writeStringField("aggregate", column.aggregate());
    }
    json.writeEndObject();
  }

  private static void noise(JsonGenerator json, Report.Aggregate noise) throws IOException {
    json.writeStartObject();
    text(json, "column", noise.column());
    json.writeStringField("part", noise.part());
    json.writeStringField("aggregate", noise.aggregate());
    json.writeStringField("formula", noise.formula());
    json.writeObjectFieldStart("elastic");
    for (Map.Entry<BigInteger, BigDecimal> entry : noise.elastic().entrySet()) {
      number(json, entry.getKey().toString(), entry.getValue());
    }
    json.writeEndObject();
    if (noise.smooth().isPresent()) {
      Report.Smooth smooth = noise.smooth().get();
      json.writeObjectFieldStart("smooth");
      json.writeNumberField("beta", smooth.beta().doubleValue());
      approximate(json, "value", Optional.of(smooth.value()));
      json.writeNumberField("distance", smooth.distance());
      json.writeEndObject();
    } else {
      json.writeNullField("smooth");
    }
    text(json, "mechanism", noise.mechanism());
    approximate(json, "noiseScale", noise.noiseScale());
    if (noise.epsilon().isPresent()) {
      number(json, "epsilon", noise.epsilon().get());
    } else {
      json.writeNullField("epsilon");
    }
    number(json, "delta", noise.delta());
    json.writeEndObject();
  }

  private static void text(JsonGenerator json, String name, Optional<String> value)
      throws IOException {
    if (value.isPresent()) {
      json.writeStringField(name, value.get());
    } else {
      json.writeNullField(name);
    }
  }

  /** A scale is shown as a double; one that no double holds as a decimal. */
  private static void approximate(JsonGenerator json, String name, Optional<BigDecimal> value)
      throws IOException {
    if (value.isEmpty()) {
      json.writeNullField(name);
    } else if (Double.isFinite(value.get().doubleValue())) {
      json.writeNumberField(name, value.get().doubleValue());
    } else {
      json.writeFieldName(name);
      json.writeNumber(value.get().round(new MathContext(17)).toString());
    }
  }

  /** Whole numbers as integers of any size; tiny ones such as 1e-10 in short form. */
  private static void number(JsonGenerator json, String name, BigDecimal value) throws IOException {
    BigDecimal stripped = value.stripTrailingZeros();
    json.writeFieldName(name);
    if (stripped.scale() <= 0) {
      json.writeNumber(stripped.toBigIntegerExact());
    } else {
      json.writeNumber(stripped.toString());
    }
  }
}
