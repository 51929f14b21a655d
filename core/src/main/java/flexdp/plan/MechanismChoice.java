package flexdp.plan;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Which mechanism somebody asks for. */
public enum MechanismChoice {
  /** Decided by the structure of the question and by released metrics, never by private numbers. */
  AUTO,
  LAPLACE,
  LOMAX,
  FLEX,
  RELEASED;

  /** The word of the contract. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static List<String> words() {
    return Arrays.stream(values()).map(MechanismChoice::word).toList();
  }
}
