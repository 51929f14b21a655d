package flexdp.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import flexdp.experiments.workload.DrawnLog;
import flexdp.experiments.workload.LogEntry;
import java.io.IOException;
import java.io.PrintWriter;

/** A generated log as JSON lines. */
final class GeneratedLog {
  private GeneratedLog() {}

  static void print(PrintWriter out, long count, long seed) throws IOException {
    DrawnLog workload = new DrawnLog(seed);
    JsonFactory json = new JsonFactory().disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
    JsonGenerator lines = json.createGenerator(out);
    lines.setRootValueSeparator(null);
    for (long i = 0; i < count && !out.checkError(); i++) {
      LogEntry entry = workload.next();
      lines.writeStartObject();
      lines.writeStringField("backend", entry.backend());
      lines.writeNumberField("rows", entry.rows());
      lines.writeStringField("sql", entry.sql());
      lines.writeEndObject();
      lines.writeRaw('\n');
    }
    lines.flush();
  }
}
