package flexdp.marginals;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** How questions that are asked together are measured. */
public enum StrategyChoice {
  /** By cuboids, where that is better than each by itself. */
  AUTO,
  /** Each by itself, at an even share. */
  EVEN,
  /** By multiplicative weights: for counts below the noise, without error bars. */
  MWEM;

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static List<String> words() {
    return Arrays.stream(values()).map(StrategyChoice::word).toList();
  }

  public static Optional<StrategyChoice> of(String word) {
    return Arrays.stream(values()).filter(choice -> choice.word().equals(word)).findFirst();
  }
}
