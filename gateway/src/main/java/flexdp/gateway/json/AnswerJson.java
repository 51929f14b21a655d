package flexdp.gateway.json;

import com.fasterxml.jackson.core.JsonGenerator;
import flexdp.failure.BudgetError;
import flexdp.failure.ConfigurationError;
import flexdp.failure.DatabaseError;
import flexdp.failure.Failure;
import flexdp.failure.LedgerError;
import flexdp.failure.Rejection;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.FoundRange;
import flexdp.gateway.api.Note;
import flexdp.gateway.api.Workload.WorkloadView;
import flexdp.query.DpQuery;
import flexdp.release.ContributionCap;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Answers and failures as one line of JSON each, with the names of the contract. */
public final class AnswerJson {
  private AnswerJson() {}

  /** One answer by itself, as {@code ask --format json} prints it. */
  public static String of(AnalystView view, boolean intervals) {
    return JsonLine.of(json -> fields(json, view, intervals));
  }

  /** Writes an answer row by row. */
  public static void write(OutputStream out, AnalystView view, boolean intervals)
      throws IOException {
    JsonLine.write(out, json -> fields(json, view, intervals));
  }

  /** One answer of many. */
  public static String answered(Object id, AnalystView view, boolean intervals) {
    return JsonLine.of(
        json -> {
          JsonLine.id(json, id);
          json.writeStringField("status", "answered");
          fields(json, view, intervals);
        });
  }

  /** The answers to a workload by themselves. */
  public static String of(WorkloadView view, boolean intervals) {
    return JsonLine.of(json -> fields(json, view, intervals));
  }

  /** The answers to one workload of many. */
  public static String answered(Object id, WorkloadView view, boolean intervals) {
    return JsonLine.of(
        json -> {
          JsonLine.id(json, id);
          json.writeStringField("status", "answered");
          fields(json, view, intervals);
        });
  }

  private static void fields(JsonGenerator json, WorkloadView view, boolean intervals)
      throws IOException {
    json.writeArrayFieldStart("answers");
    for (AnalystView answer : view.answers()) {
      json.writeStartObject();
      fields(json, answer, intervals);
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeObjectFieldStart("spent");
    number(json, "epsilon", view.epsilon());
    number(json, "delta", view.delta());
    if (view.rho().isPresent()) {
      number(json, "rho", view.rho().get());
    }
    json.writeEndObject();
  }

  /** One failure of many. */
  public static String failed(Object id, Failure failure, long request) {
    return JsonLine.of(
        json -> {
          JsonLine.id(json, id);
          json.writeStringField("status", status(failure));
          json.writeStringField("code", failure.codeName());
          json.writeStringField("message", failure.message());
          if (!failure.hint().isEmpty()) {
            json.writeStringField("hint", failure.hint());
          }
          if (failure.at().isPresent()) {
            json.writeNumberField("line", failure.at().get().line());
            json.writeNumberField("column", failure.at().get().column());
          }
          json.writeNumberField("request", request);
        });
  }

  private static String status(Failure failure) {
    return switch (failure) {
      case Rejection ignored -> "rejected";
      case BudgetError ignored -> "refused";
      case DatabaseError ignored -> "failed";
      case LedgerError ignored -> "failed";
      case ConfigurationError ignored -> "error";
    };
  }

  private static void fields(JsonGenerator json, AnalystView view, boolean intervals)
      throws IOException {
    json.writeArrayFieldStart("columns");
    for (DpQuery.ResultColumn column : view.columns()) {
      json.writeStartObject();
      json.writeStringField("name", column.column().name());
      json.writeStringField("kind", column.kind().name().toLowerCase(Locale.ROOT));
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("rows");
    for (List<Object> row : view.rows()) {
      json.writeStartArray();
      for (Object value : row) {
        value(json, value);
      }
      json.writeEndArray();
    }
    json.writeEndArray();
    json.writeObjectFieldStart("spent");
    number(json, "epsilon", view.epsilon());
    number(json, "delta", view.delta());
    if (view.rho().isPresent()) {
      number(json, "rho", view.rho().get());
    }
    json.writeEndObject();
    json.writeStringField("mechanism", view.mechanism());
    json.writeBooleanField("repeat", view.repeat());
    if (view.derived().isPresent()) {
      json.writeStringField("derived", view.derived().get());
    }
    if (intervals) {
      intervals(json, view);
    }
    if (!view.ranges().isEmpty()) {
      ranges(json, view);
    }
    if (!view.caps().isEmpty()) {
      caps(json, view);
    }
    if (!view.notes().isEmpty()) {
      json.writeFieldName("notes");
      notes(json, view);
    }
  }

  /** The notes of an answer alone, for where its rows are no JSON; in ASCII. */
  public static String notes(AnalystView view) {
    return JsonLine.ascii(json -> notes(json, view));
  }

  private static void notes(JsonGenerator json, AnalystView view) throws IOException {
    json.writeStartArray();
    for (Note note : view.notes()) {
      json.writeStartObject();
      json.writeStringField("code", note.code().word());
      json.writeStringField("text", note.text());
      if (!note.numbers().isEmpty()) {
        json.writeObjectFieldStart("numbers");
        for (Map.Entry<String, BigDecimal> number : note.numbers().entrySet()) {
          number(json, number.getKey(), number.getValue());
        }
        json.writeEndObject();
      }
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void ranges(JsonGenerator json, AnalystView view) throws IOException {
    json.writeArrayFieldStart("ranges");
    for (FoundRange range : view.ranges()) {
      json.writeStartObject();
      json.writeStringField("of", range.of());
      number(json, "low", range.range().low());
      number(json, "high", range.range().high());
      json.writeStringField("source", "found");
      number(json, "epsilon", range.epsilon());
      number(json, "outside", range.outside());
      number(json, "outsideAtMost", range.outsideAtMost());
      number(json, "values", range.values());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void caps(JsonGenerator json, AnalystView view) throws IOException {
    json.writeArrayFieldStart("caps");
    for (ContributionCap cap : view.caps()) {
      json.writeStartObject();
      json.writeStringField("of", cap.of());
      json.writeStringField("norm", cap.euclidean() ? "L2" : "L1");
      json.writeStringField("counted", cap.rows() ? "rows" : "values");
      number(json, "cap", cap.most());
      if (cap.beyond().isPresent()) {
        number(json, "beyondCap", cap.beyond().get());
      }
      if (cap.beyondAtMost().isPresent()) {
        number(json, "beyondCapAtMost", cap.beyondAtMost().get());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  /** Low and high per cell, null where there is no error bar; and why not. */
  private static void intervals(JsonGenerator json, AnalystView view) throws IOException {
    boolean some = false;
    for (int i = 0; i < view.columns().size(); i++) {
      some |= view.hasIntervals(i);
    }
    if (some) {
      json.writeArrayFieldStart("intervals");
      for (int row = 0; row < view.rows().size(); row++) {
        json.writeStartArray();
        for (int i = 0; i < view.columns().size(); i++) {
          interval(json, view.interval(row, i));
        }
        json.writeEndArray();
      }
      json.writeEndArray();
    }
    if (!view.intervalNote().isEmpty()) {
      json.writeStringField("intervalNote", view.intervalNote());
    }
  }

  private static void interval(JsonGenerator json, Optional<AnalystView.Bar> bar)
      throws IOException {
    if (bar.isEmpty()) {
      json.writeNull();
      return;
    }
    json.writeStartObject();
    json.writeNumberField("low", bar.get().low());
    json.writeNumberField("high", bar.get().high());
    json.writeEndObject();
  }

  private static void value(JsonGenerator json, Object value) throws IOException {
    switch (value) {
      case null -> json.writeNull();
      case Boolean b -> json.writeBoolean(b);
      case BigDecimal number -> json.writeNumber(number);
      case Double number -> json.writeNumber(number);
      case java.time.LocalDateTime at -> json.writeString(at.toString().replace('T', ' '));
      default -> json.writeString(value.toString());
    }
  }

  private static void number(JsonGenerator json, String name, BigDecimal value) throws IOException {
    BigDecimal stripped = value.stripTrailingZeros();
    json.writeFieldName(name);
    json.writeNumber(stripped.scale() <= 0 ? stripped.toPlainString() : stripped.toString());
  }
}
