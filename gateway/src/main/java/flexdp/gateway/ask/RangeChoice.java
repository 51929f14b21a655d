package flexdp.gateway.ask;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Where the range comes from that a sum, an average, an extreme or a quantile needs. */
public enum RangeChoice {
  /** From what the owner declared or released; otherwise it is found, and paid for. */
  AUTO,
  /** From what the owner declared or released. */
  DECLARED,
  /** From what the owner declared; otherwise it is found, and paid for. */
  FIND;

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<RangeChoice> of(String word) {
    return Arrays.stream(values()).filter(c -> c.word().equals(word)).findFirst();
  }

  public static List<String> words() {
    return Arrays.stream(values()).map(RangeChoice::word).toList();
  }
}
