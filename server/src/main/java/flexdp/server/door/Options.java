package flexdp.server.door;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The options of a startup message: {@code -c name=value} and {@code --name=value}. */
final class Options {
  private Options() {}

  static Map<String, String> of(String text) {
    Map<String, String> settings = new LinkedHashMap<>();
    List<String> words = words(text);
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      String pair = "";
      if (word.equals("-c") && i + 1 < words.size()) {
        pair = words.get(++i);
      } else if (word.startsWith("--")) {
        pair = word.substring(2);
      } else if (word.startsWith("-c")) {
        pair = word.substring(2);
      }
      int equals = pair.indexOf('=');
      if (equals < 1) {
        throw new Fatal("42601", "invalid command-line argument for server process");
      }
      settings.put(pair.substring(0, equals).replace('-', '_'), pair.substring(equals + 1));
    }
    return settings;
  }

  /** Separated by blanks; a backslash keeps the next character. */
  private static List<String> words(String text) {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\' && i + 1 < text.length()) {
        word.append(text.charAt(++i));
      } else if (!Character.isWhitespace(c)) {
        word.append(c);
      } else if (!word.isEmpty()) {
        words.add(word.toString());
        word.setLength(0);
      }
    }
    if (!word.isEmpty()) {
      words.add(word.toString());
    }
    return words;
  }
}
