package flexdp.experiments.study;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** A log of lines: each a statement, or a JSON object that has one. */
final class LineLog implements Study.Source {
  private static final JsonFactory JSON = new JsonFactory();

  private final ByteLog bytes;
  private final Optional<LogColumns> json;

  /**
   * A log.
   *
   * @param json the fields of objects; without, lines are statements
   */
  LineLog(InputStream in, Optional<LogColumns> json) {
    this.bytes = new ByteLog(in);
    this.json = json;
  }

  @Override
  public Optional<LogRecord> next() throws IOException {
    while (bytes.peek() >= 0) {
      bytes.begin();
      int b;
      while ((b = bytes.read()) >= 0 && b != '\n') {
        bytes.keep(b);
      }
      if (!bytes.isBlank()) {
        return Optional.of(entry());
      }
    }
    return Optional.empty();
  }

  private LogRecord entry() {
    String fault = bytes.fault();
    if (!fault.isEmpty()) {
      return new LogRecord.Unreadable(fault, bytes.start());
    }
    String line = bytes.text();
    return json.isEmpty() ? LogRecord.Query.of(line) : object(line, json.get());
  }

  private static LogRecord object(String line, LogColumns columns) {
    Map<String, String> fields = new HashMap<>();
    try (JsonParser parser = JSON.createParser(line)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return new LogRecord.Unreadable("NOT_JSON", line);
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName().toLowerCase(Locale.ROOT);
        JsonToken value = parser.nextToken();
        if (value == JsonToken.START_OBJECT || value == JsonToken.START_ARRAY) {
          parser.skipChildren();
        } else if (value != JsonToken.VALUE_NULL && value != null) {
          fields.put(name, parser.getText());
        }
      }
      if (parser.currentToken() != JsonToken.END_OBJECT) {
        return new LogRecord.Unreadable("NOT_JSON", line);
      }
    } catch (IOException e) {
      return new LogRecord.Unreadable("NOT_JSON", line);
    }
    return columns.entry(fields).orElseGet(() -> new LogRecord.Unreadable("NO_QUERY", line));
  }
}
