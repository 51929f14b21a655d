package flexdp.cli;

import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Where the text of a question stands: on the command line, in a file, or on stdin. */
final class QuestionText {
  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE",
      description = "The file that holds the question.")
  Path file;

  @Parameters(arity = "0..1", paramLabel = "SQL", description = "The question; - reads stdin.")
  String sql;

  boolean isGiven() {
    return sql != null || file != null;
  }

  String read() throws IOException {
    return QuestionOptions.text(sql, file);
  }
}
