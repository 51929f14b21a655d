package flexdp.cli;

import java.util.List;
import org.jline.reader.CompletingParsedLine;
import org.jline.reader.EOFError;
import org.jline.reader.ParsedLine;
import org.jline.reader.Parser;

/** A statement goes on over lines until its semicolon; a command is one line. */
final class ShellParser implements Parser {
  @Override
  public ParsedLine parse(String line, int cursor, ParseContext context) {
    boolean accepting = context == ParseContext.ACCEPT_LINE || context == ParseContext.UNSPECIFIED;
    if (accepting && !line.isBlank() && !ShellText.isCommand(line) && !ShellText.isWhole(line)) {
      throw new EOFError(-1, -1, "a statement ends with a semicolon", ";");
    }
    int start = ShellText.wordStart(line, cursor);
    return new Words(line, cursor, line.substring(start, cursor));
  }

  @Override
  public boolean isEscapeChar(char ch) {
    return false; // a backslash begins a command
  }

  /** The word before the cursor is what is completed. */
  private record Words(String line, int cursor, String word) implements CompletingParsedLine {
    @Override
    public int wordCursor() {
      return word.length();
    }

    @Override
    public int wordIndex() {
      return 0;
    }

    @Override
    public List<String> words() {
      return List.of(word);
    }

    @Override
    public CharSequence escape(CharSequence candidate, boolean complete) {
      return candidate;
    }

    @Override
    public int rawWordCursor() {
      return word.length();
    }

    @Override
    public int rawWordLength() {
      return word.length();
    }
  }
}
