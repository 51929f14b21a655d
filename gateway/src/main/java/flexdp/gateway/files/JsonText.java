package flexdp.gateway.files;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import flexdp.failure.ConfigurationError;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSON, read strictly: numbers are exact, a key that stands twice is an error. */
public final class JsonText {
  private static final int DEEPEST = 200;
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(DEEPEST)
                  .maxNumberLength(1000)
                  .maxStringLength(16_000_000)
                  .maxNameLength(10_000)
                  .build())
          .build();

  private JsonText() {}

  /** The tree of one JSON value; numbers are BigInteger or BigDecimal. */
  public static Object tree(String text, ConfigurationError.Code code) {
    try (JsonParser parser = FACTORY.createParser(text)) {
      if (parser.nextToken() == null) {
        throw ConfigurationError.of(code, "the JSON text is empty");
      }
      Object tree = value(parser);
      if (parser.nextToken() != null) {
        throw ConfigurationError.of(code, "something follows the JSON value" + at(parser));
      }
      return tree;
    } catch (JsonProcessingException e) {
      JsonLocation at = e.getLocation();
      String where =
          at == null ? "" : " at line " + at.getLineNr() + ", column " + at.getColumnNr();
      throw ConfigurationError.of(code, "malformed JSON" + where + ": " + complaint(e));
    } catch (IOException e) {
      throw ConfigurationError.of(code, "malformed JSON");
    }
  }

  private static Object value(JsonParser parser) throws IOException {
    JsonToken token = parser.currentToken();
    return switch (token) {
      case START_OBJECT -> object(parser);
      case START_ARRAY -> array(parser);
      case VALUE_STRING -> parser.getText();
      case VALUE_NUMBER_INT -> parser.getBigIntegerValue();
      case VALUE_NUMBER_FLOAT -> parser.getDecimalValue();
      case VALUE_TRUE -> Boolean.TRUE;
      case VALUE_FALSE -> Boolean.FALSE;
      case VALUE_NULL -> null;
      case END_OBJECT, END_ARRAY, FIELD_NAME, NOT_AVAILABLE, VALUE_EMBEDDED_OBJECT ->
          throw new IllegalStateException("no value starts with " + token);
    };
  }

  private static Map<String, Object> object(JsonParser parser) throws IOException {
    Map<String, Object> map = new LinkedHashMap<>();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      parser.nextToken();
      map.put(name, value(parser));
    }
    return map;
  }

  private static List<Object> array(JsonParser parser) throws IOException {
    List<Object> list = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      list.add(value(parser));
    }
    return list;
  }

  private static String at(JsonParser parser) {
    JsonLocation at = parser.currentTokenLocation();
    return " at line " + at.getLineNr() + ", column " + at.getColumnNr();
  }

  private static String complaint(JsonProcessingException e) {
    String message = e.getOriginalMessage();
    int end = message.indexOf('\n');
    String first = end < 0 ? message : message.substring(0, end);
    return first.length() <= 200 ? first : first.substring(0, 197) + "...";
  }
}
