package flexdp.experiments.study;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/** How queries stand in a file. */
public enum LogFormat {
  /** Statements that end with a semicolon. */
  SQL,
  /** One statement in each line. */
  LINES,
  /** A JSON object in each line. */
  JSONL,
  /** Comma- or tab-separated values under a line of names. */
  CSV;

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<LogFormat> of(String word) {
    for (LogFormat format : values()) {
      if (format.word().equals(word)) {
        return Optional.of(format);
      }
    }
    return Optional.empty();
  }

  /** By the name of a file and how it begins. */
  public static LogFormat guess(String name, byte[] start) {
    String lower = name.toLowerCase(Locale.ROOT).replaceFirst("\\.gz$", "");
    if (lower.endsWith(".jsonl") || lower.endsWith(".ndjson") || lower.endsWith(".json")) {
      return JSONL;
    }
    if (lower.endsWith(".csv") || lower.endsWith(".tsv")) {
      return CSV;
    }
    if (lower.endsWith(".sql")) {
      return SQL;
    }
    String text = new String(start, StandardCharsets.ISO_8859_1);
    if (text.stripLeading().startsWith("{")) {
      return JSONL;
    }
    return text.matches("(?s).*;[ \\t\\r]*(\\n.*|$)") ? SQL : LINES;
  }
}
