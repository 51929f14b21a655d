package flexdp.cli;

import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.policy.Wording;
import java.util.Arrays;
import java.util.stream.Collectors;

/** The value of --sql-dialect. */
final class SqlDialectOption {
  private SqlDialectOption() {}

  static Wording read(String word) {
    return Wording.of(word)
        .orElseThrow(
            () ->
                ConfigurationError.of(
                    Code.BAD_USAGE,
                    "--sql-dialect: no dialect is called '" + word + "'",
                    "Use one of "
                        + Arrays.stream(Wording.values())
                            .map(Wording::word)
                            .collect(Collectors.joining(", "))
                        + "."));
  }
}
