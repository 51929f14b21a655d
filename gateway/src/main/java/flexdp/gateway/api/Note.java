package flexdp.gateway.api;

import java.math.BigDecimal;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the reader of an answer should know beside its numbers. Every door shows all notes of an
 * answer, in their order and in these words.
 *
 * @param text a sentence without its full stop
 * @param numbers that the text speaks of, by name, for programs
 */
public record Note(Code code, String text, Map<String, BigDecimal> numbers) {
  /** What a note is about. The words are scripted against: they are added to, never renamed. */
  public enum Code {
    /** What was foretold before the answer was paid for: that it would be noise. */
    WILL_BE_NOISE("warning"),
    /** Some error bars reach zero. */
    NOISE_AS_LARGE("note"),
    /** How the numbers came about, where that is more than noise of a known scale. */
    HOW("note"),
    /** A range that nobody declared was found for the answer. */
    RANGE_FOUND("note"),
    /** Why some noisy column has no error bar. */
    NO_ERROR_BAR("no error bar"),
    /** Which rows have no label, by the question and the policy. */
    LEFT_OUT("note");

    private final String heading;

    Code(String heading) {
      this.heading = heading;
    }

    public String word() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  public Note {
    numbers = Collections.unmodifiableMap(new TreeMap<>(numbers));
  }

  public Note(Code code, String text) {
    this(code, text, Map.of());
  }

  /** As a line of its own. */
  public String line() {
    return line(code.word(), text);
  }

  /** The line of a note that came over a wire, perhaps from a later version. */
  public static String line(String word, String text) {
    for (Code code : Code.values()) {
      if (word.equals(code.word())) {
        return code.heading + ": " + text;
      }
    }
    return Code.HOW.heading + ": " + text;
  }
}
