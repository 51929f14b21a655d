package flexdp.server.session;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * How COPY writes rows.
 *
 * @param nothing stands for NULL
 */
public record CopyFormat(boolean csv, boolean header, String delimiter, String nothing) {
  /** The line with the names. */
  public byte[] names(List<WireColumn> columns) {
    return line(columns.stream().map(c -> field(c.name())).toList());
  }

  public byte[] row(List<WireColumn> columns, List<Object> values) {
    List<String> fields = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      byte[] encoded = columns.get(i).encode(values.get(i), false);
      fields.add(encoded == null ? nothing : field(new String(encoded, StandardCharsets.UTF_8)));
    }
    return line(fields);
  }

  private byte[] line(List<String> fields) {
    return (String.join(delimiter, fields) + "\n").getBytes(StandardCharsets.UTF_8);
  }

  private String field(String value) {
    if (!csv) {
      return value
          .replace("\\", "\\\\")
          .replace("\n", "\\n")
          .replace("\r", "\\r")
          .replace("\t", "\\t")
          .replace(delimiter.equals("\t") ? "\t" : delimiter, "\\" + delimiter);
    }
    boolean quoted =
        value.equals(nothing)
            || value.equals("\\.")
            || value.contains(delimiter)
            || value.chars().anyMatch(c -> c == '"' || c == '\n' || c == '\r');
    return quoted ? '"' + value.replace("\"", "\"\"") + '"' : value;
  }
}
