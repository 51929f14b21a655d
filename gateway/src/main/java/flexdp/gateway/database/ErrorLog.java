package flexdp.gateway.database;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;

/**
 * Where the cause of a failure is kept for the owner. It may hold values of the data, so analysts
 * never see it and the file is the owner's alone.
 */
public interface ErrorLog {
  /** Keeps nothing. */
  ErrorLog NONE = (what, cause) -> {};

  void failure(String what, Throwable cause);

  /** A file that grows; when it cannot be written the failure is still reported as usual. */
  static ErrorLog file(Path file) {
    return (what, cause) -> {
      StringWriter text = new StringWriter();
      text.append(Instant.now().toString()).append(' ').append(what).append('\n');
      cause.printStackTrace(new PrintWriter(text));
      try {
        append(file, text.toString());
      } catch (IOException | UnsupportedOperationException e) {
        // Nothing to be done: a log that fails must not change what the analyst sees.
        return;
      }
    };
  }

  private static void append(Path file, String text) throws IOException {
    if (!Files.exists(file)) {
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }
    Files.writeString(file, text, StandardCharsets.UTF_8, StandardOpenOption.APPEND);
  }
}
