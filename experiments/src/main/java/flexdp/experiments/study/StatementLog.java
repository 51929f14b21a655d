package flexdp.experiments.study;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/**
 * A log of statements with semicolons between them. Semicolons in quotes and comments do not count,
 * unless a line ends there and a query begins the next: then the quote was left open, and only the
 * statement that did so is lost.
 */
final class StatementLog implements Study.Source {
  private final ByteLog bytes;

  StatementLog(InputStream in) {
    this.bytes = new ByteLog(in);
  }

  @Override
  public Optional<LogRecord> next() throws IOException {
    while (bytes.peek() >= 0) {
      bytes.begin();
      statement();
      if (!bytes.isBlank()) {
        String fault = bytes.fault();
        return Optional.of(
            fault.isEmpty()
                ? LogRecord.Query.of(bytes.text())
                : new LogRecord.Unreadable(fault, bytes.start()));
      }
    }
    return Optional.empty();
  }

  /** Reads to the semicolon, which is left out. */
  private void statement() throws IOException {
    int open = 0;
    int b;
    while ((b = bytes.read()) >= 0) {
      if (b == ';' && (open == 0 || isEndOfLine(bytes.peek()) && bytes.queryFollows())) {
        return;
      }
      bytes.keep(b);
      if (open == 0) {
        open = opens(b);
      } else if (open == '\n' || open == '\'' || open == '"' || open == '`') {
        open = b == open ? 0 : open;
      } else if (open == '*' && b == '*' && bytes.peek() == '/') {
        bytes.keep(bytes.read());
        open = 0;
      }
    }
  }

  /** What a byte opens: a quote, a comment to the end of the line, or one with a star. */
  private int opens(int b) throws IOException {
    return switch (b) {
      case '\'', '"', '`' -> b;
      case '-' -> bytes.peek() == '-' ? '\n' : 0;
      case '/' -> {
        if (bytes.peek() == '*') {
          bytes.keep(bytes.read());
          yield '*';
        }
        yield 0;
      }
      default -> 0;
    };
  }

  private static boolean isEndOfLine(int b) {
    return b < 0 || b == '\n' || b == '\r';
  }
}
