package flexdp.sql.text;

import flexdp.failure.Position;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The places of a text where $1, $2 … stand for values. The lexer that reads questions finds them,
 * so what it takes for a string, a name or a comment never holds one, and a constant that is put
 * into such a place cannot be read as anything else.
 */
public final class SqlParameters {
  private static final int MOST = 65_535;

  /**
   * Where a parameter stands.
   *
   * @param number counted from one
   * @param from its first character
   * @param to the character behind it
   */
  public record Place(int number, int from, int to) {
    static Place of(String text, int from, int to, Position at) {
      String digits = text.substring(from + 1, to);
      int number = digits.length() > 5 ? 0 : Integer.parseInt(digits);
      if (number < 1 || number > MOST) {
        throw Rejection.of(
            RejectionCode.SYNTAX,
            "There is no parameter $" + (digits.length() > 5 ? "…" : digits) + ".",
            "Number parameters from $1.",
            at);
      }
      return new Place(number, from, to);
    }
  }

  private SqlParameters() {}

  /**
   * The places, from left to right.
   *
   * @throws Rejection when the text cannot be cut into tokens
   */
  public static List<Place> of(String text) {
    if (text.indexOf('$') < 0) {
      return List.of();
    }
    List<Place> places = new ArrayList<>();
    SqlText.tokens(text, Optional.of(places));
    return List.copyOf(places);
  }
}
