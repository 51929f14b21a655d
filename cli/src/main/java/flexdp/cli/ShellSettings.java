package flexdp.cli;

import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.api.ErrorTarget;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What holds for the questions that follow in a prompt. */
final class ShellSettings {
  static final String EPSILON = "epsilon";
  static final String DELTA = "delta";
  static final String WITHIN = "within";

  private final Map<String, String> values = new TreeMap<>();

  /** Takes a value, or forgets the one that was there. */
  void set(String name, Optional<String> value) {
    switch (name) {
      case EPSILON, DELTA ->
          value.ifPresent(
              text -> {
                try {
                  if (new BigDecimal(text).signum() <= 0) {
                    throw new NumberFormatException("not above zero");
                  }
                } catch (NumberFormatException e) {
                  throw ConfigurationError.of(
                      Code.BAD_USAGE,
                      name + " must be a number above zero",
                      "As in \\set epsilon 0.5");
                }
              });
      case WITHIN -> value.ifPresent(ErrorTarget::parse);
      default ->
          throw ConfigurationError.of(
              Code.BAD_USAGE,
              "there is no setting '" + name + "'",
              "Set epsilon, delta or within, as in \\set epsilon 0.5");
    }
    if (name.equals(EPSILON) && value.isPresent()) {
      values.remove(WITHIN); // a question has one or the other
    }
    if (name.equals(WITHIN) && value.isPresent()) {
      values.remove(EPSILON);
    }
    value.ifPresentOrElse(text -> values.put(name, text), () -> values.remove(name));
  }

  Optional<String> of(String name) {
    return Optional.ofNullable(values.get(name));
  }

  @Override
  public String toString() {
    if (values.isEmpty()) {
      return "nothing is set; the policy's epsilon and delta hold\n";
    }
    StringBuilder text = new StringBuilder();
    values.forEach((name, value) -> text.append(name).append(" = ").append(value).append('\n'));
    return text.toString();
  }
}
