package flexdp.cli;

import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.policy.InputDialect;
import java.util.Arrays;
import java.util.stream.Collectors;

/** The value of --sql-dialect. */
final class SqlDialectOption {
  private SqlDialectOption() {}

  static InputDialect read(String word) {
    return InputDialect.of(word)
        .orElseThrow(
            () ->
                ConfigurationError.of(
                    Code.BAD_USAGE,
                    "--sql-dialect: no dialect is called '" + word + "'",
                    "Use one of "
                        + Arrays.stream(InputDialect.values())
                            .map(InputDialect::word)
                            .collect(Collectors.joining(", "))
                        + "."));
  }
}
