package flexdp.cli;

import flexdp.failure.Failure;
import flexdp.failure.Position;
import java.util.List;

/** A failure below the line of the statement that it speaks of, the place underlined. */
final class ShellError {
  private ShellError() {}

  static String of(Failure failure, String sql) {
    return failure.at().map(at -> underlined(sql, at)).orElse("") + FailureText.of(failure) + "\n";
  }

  /** The line, and below it marks under the word at the place; columns are code points. */
  static String underlined(String sql, Position at) {
    List<String> lines = sql.lines().toList();
    if (at.line() > lines.size()) {
      return "";
    }
    String line = lines.get(at.line() - 1);
    int length = line.codePointCount(0, line.length());
    int column = Math.min(at.column() - 1, length);
    int from = line.offsetByCodePoints(0, column);
    int to = from;
    while (to < line.length() && isWord(line.codePointAt(to))) {
      to += Character.charCount(line.codePointAt(to));
    }
    int marks = Math.max(1, line.codePointCount(from, to));
    StringBuilder pad = new StringBuilder();
    line.substring(0, from).codePoints().forEach(c -> pad.append(c == '\t' ? '\t' : ' '));
    return line + "\n" + pad + "^".repeat(marks) + "\n";
  }

  private static boolean isWord(int c) {
    return Character.isLetterOrDigit(c) || c == '_' || c == '.';
  }
}
