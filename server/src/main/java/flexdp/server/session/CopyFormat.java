package flexdp.server.session;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * How COPY writes rows.
 *
 * @param nothing stands for NULL
 */
public record CopyFormat(
    boolean binary, boolean csv, boolean header, String delimiter, String nothing) {
  private static final byte[] SIGNATURE = {
    'P', 'G', 'C', 'O', 'P', 'Y', '\n', (byte) 0xff, '\r', '\n', 0
  };

  /** What binary data begin with: a signature, no flags, and no more of a head. */
  public static byte[] head() {
    return ByteBuffer.allocate(SIGNATURE.length + 8).put(SIGNATURE).putLong(0).array();
  }

  /** What binary data end with. */
  public static byte[] end() {
    return ByteBuffer.allocate(2).putShort((short) -1).array();
  }

  /** The line with the names. */
  public byte[] names(List<WireColumn> columns) {
    return line(columns.stream().map(c -> field(c.name())).toList());
  }

  public byte[] row(List<WireColumn> columns, List<Object> values) {
    return binary ? bytes(columns, values) : text(columns, values);
  }

  private static byte[] bytes(List<WireColumn> columns, List<Object> values) {
    List<byte[]> fields = new ArrayList<>();
    int length = 2;
    for (int i = 0; i < values.size(); i++) {
      byte[] encoded = columns.get(i).encode(values.get(i), true);
      fields.add(encoded);
      length += 4 + (encoded == null ? 0 : encoded.length);
    }
    ByteBuffer row = ByteBuffer.allocate(length).putShort((short) values.size());
    for (byte[] field : fields) {
      row.putInt(field == null ? -1 : field.length);
      if (field != null) {
        row.put(field);
      }
    }
    return row.array();
  }

  private byte[] text(List<WireColumn> columns, List<Object> values) {
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
