package flexdp.gateway.json;

import flexdp.failure.ConfigurationError;
import flexdp.query.Bins;
import java.util.ArrayList;
import java.util.List;

/**
 * Labels as CSV (RFC 4180): a header of column names, then one row per label. An empty field is
 * NULL; an empty text is written "".
 */
public final class BinsCsv {
  private final String text;
  private int at;

  private BinsCsv(String text) {
    this.text = text.startsWith("\ufeff") ? text.substring(1) : text;
  }

  public static Bins read(String text) {
    return new BinsCsv(text).bins();
  }

  private Bins bins() {
    List<Object> header = row();
    if (header.stream().anyMatch(name -> !(name instanceof String s) || s.isBlank())) {
      throw bad("the first line of the labels must name their columns");
    }
    List<List<Object>> rows = new ArrayList<>();
    while (at < text.length()) {
      int line = rows.size() + 2;
      List<Object> row = row();
      if (row.size() != header.size()) {
        throw bad(
            "row "
                + line
                + " of the labels has "
                + row.size()
                + " fields instead of "
                + header.size());
      }
      rows.add(row);
    }
    return new Bins(header.stream().map(name -> name.toString().strip()).toList(), rows);
  }

  /** One record; fields are text, or null when there is nothing between the commas. */
  private List<Object> row() {
    List<Object> fields = new ArrayList<>();
    while (true) {
      fields.add(at < text.length() && text.charAt(at) == '"' ? quoted() : bare());
      if (at >= text.length()) {
        return fields;
      }
      char c = text.charAt(at++);
      if (c == '\r' && at < text.length() && text.charAt(at) == '\n') {
        at++;
        return fields;
      }
      if (c != ',') {
        return fields;
      }
    }
  }

  private Object bare() {
    int start = at;
    while (at < text.length() && ",\r\n".indexOf(text.charAt(at)) < 0) {
      at++;
    }
    return at == start ? null : text.substring(start, at);
  }

  private Object quoted() {
    StringBuilder field = new StringBuilder();
    at++;
    while (at < text.length()) {
      char c = text.charAt(at++);
      if (c != '"') {
        field.append(c);
      } else if (at < text.length() && text.charAt(at) == '"') {
        field.append('"');
        at++;
      } else if (at == text.length() || ",\r\n".indexOf(text.charAt(at)) >= 0) {
        return field.toString();
      } else {
        throw bad("a quoted label is followed by something other than a comma");
      }
    }
    throw bad("a quoted label is not closed");
  }

  private static ConfigurationError bad(String message) {
    return ConfigurationError.of(ConfigurationError.Code.BAD_REQUEST, message);
  }
}
