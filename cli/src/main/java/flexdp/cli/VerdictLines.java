package flexdp.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import flexdp.experiments.study.Verdict;
import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/** What is said of each query of a log, as JSON lines in the order of the log. */
final class VerdictLines implements Verdict.Reader, AutoCloseable {
  private final PrintWriter out;

  private VerdictLines(PrintWriter out) {
    this.out = out;
  }

  /** Into a file, or nowhere. */
  static VerdictLines to(Optional<Path> file) {
    try {
      return new VerdictLines(
          file.isEmpty()
              ? new PrintWriter(PrintWriter.nullWriter())
              : new PrintWriter(Files.newBufferedWriter(file.get(), StandardCharsets.UTF_8)));
    } catch (IOException e) {
      throw ConfigurationError.of(
          Code.BAD_USAGE, "the file " + file.orElseThrow() + " cannot be written");
    }
  }

  @Override
  public void read(Verdict verdict) {
    ObjectNode line = JsonNodeFactory.instance.objectNode();
    line.put("query", verdict.entry());
    line.put("kind", verdict.kind().toLowerCase(Locale.ROOT));
    line.put("verdict", verdict.isAccepted() ? "accepted" : "rejected");
    if (!verdict.isAccepted()) {
      line.put("code", verdict.code());
      verdict
          .why()
          .ifPresent(
              why -> {
                line.put("message", why.message());
                line.put("hint", why.hint());
                why.at().ifPresent(at -> line.put("at", at.toString()));
              });
    }
    line.put("sql", verdict.sql());
    out.println(line);
  }

  @Override
  public void close() {
    out.close();
  }
}
