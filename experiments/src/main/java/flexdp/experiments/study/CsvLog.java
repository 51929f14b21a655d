package flexdp.experiments.study;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** A log of comma- or tab-separated values; quoted fields may hold ends of lines. */
final class CsvLog implements Study.Source {
  private final ByteLog bytes;
  private final LogColumns columns;
  private List<String> heading = List.of();
  private int comma = ',';
  private String fault = "";
  private String start = "";

  CsvLog(InputStream in, LogColumns columns) {
    this.bytes = new ByteLog(in);
    this.columns = columns;
  }

  /** The names of the columns. */
  List<String> heading() throws IOException {
    if (heading.isEmpty() && bytes.peek() >= 0) {
      comma = 0;
      heading =
          record().stream()
              .map(h -> h.replace("\uFEFF", "").strip().toLowerCase(Locale.ROOT))
              .toList();
      comma = comma == 0 ? ',' : comma;
    }
    return heading;
  }

  @Override
  public Optional<LogRecord> next() throws IOException {
    List<String> names = heading();
    while (bytes.peek() >= 0) {
      List<String> record = record();
      if (record.size() == 1 && record.getFirst().isBlank() && fault.isEmpty()) {
        continue;
      }
      if (!fault.isEmpty()) {
        return Optional.of(new LogRecord.Unreadable(fault, start));
      }
      Map<String, String> fields = new HashMap<>();
      for (int i = 0; i < Math.min(names.size(), record.size()); i++) {
        fields.put(names.get(i), record.get(i));
      }
      String shown = String.join(",", record);
      return Optional.of(
          columns.entry(fields).orElseGet(() -> new LogRecord.Unreadable("NO_QUERY", shown)));
    }
    return Optional.empty();
  }

  /** One record. The first delimiter of the heading is the delimiter of the file. */
  private List<String> record() throws IOException {
    List<String> fields = new ArrayList<>();
    fault = "";
    bytes.begin();
    boolean quoted = false;
    boolean fresh = true;
    int b;
    while ((b = bytes.read()) >= 0) {
      if (quoted) {
        if (b != '"') {
          bytes.keep(b);
        } else if (bytes.peek() == '"') {
          bytes.keep(bytes.read());
        } else {
          quoted = false;
        }
      } else if (b == '"' && fresh) {
        quoted = true;
        fresh = false;
      } else if (b == '\n') {
        break;
      } else if (b == comma || comma == 0 && (b == ',' || b == '\t')) {
        comma = b;
        fields.add(field());
        fresh = true;
      } else {
        bytes.keep(b);
        fresh = false;
      }
    }
    fields.add(field());
    return fields;
  }

  private String field() {
    String wrong = bytes.fault();
    if (!wrong.isEmpty() && fault.isEmpty()) {
      fault = wrong;
      start = bytes.start();
    }
    String text = wrong.isEmpty() ? bytes.text() : "";
    bytes.begin();
    return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
  }
}
