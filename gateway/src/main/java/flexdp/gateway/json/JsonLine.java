package flexdp.gateway.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;

/** One JSON object on a line of its own, marked with the id that was asked with. */
final class JsonLine {
  private static final JsonFactory FACTORY =
      JsonFactory.builder().enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN).build();

  private JsonLine() {}

  /** Writes the fields of the object. */
  @FunctionalInterface
  interface Content {
    void write(JsonGenerator json) throws IOException;
  }

  static String of(Content content) {
    StringWriter text = new StringWriter(512);
    try (JsonGenerator json = FACTORY.createGenerator(text)) {
      json.writeStartObject();
      content.write(json);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  /** A value that is no object, in ASCII: fit for a header. */
  static String ascii(Content content) {
    StringWriter text = new StringWriter(512);
    try (JsonGenerator json =
        FACTORY.createGenerator(text).enable(JsonWriteFeature.ESCAPE_NON_ASCII.mappedFeature())) {
      content.write(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString().replace("\u007f", "\\u007f"); // it is ASCII, and not to be printed
  }

  /** Writes a line into a stream that stays open. */
  static void write(OutputStream out, Content content) throws IOException {
    try (JsonGenerator json =
        FACTORY.createGenerator(out).disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)) {
      json.writeStartObject();
      content.write(json);
      json.writeEndObject();
    }
  }

  static void id(JsonGenerator json, Object id) throws IOException {
    json.writeFieldName("id");
    switch (id) {
      case null -> json.writeNull();
      case BigInteger i -> json.writeNumber(i);
      case BigDecimal d -> json.writeNumber(d.toString());
      case Boolean b -> json.writeBoolean(b);
      default -> json.writeString(id.toString());
    }
  }
}
