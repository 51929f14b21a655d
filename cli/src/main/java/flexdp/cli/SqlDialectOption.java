package flexdp.cli;

import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.policy.Dialect;
import java.util.Arrays;
import java.util.stream.Collectors;

/** The value of --sql-dialect. */
final class SqlDialectOption {
  private SqlDialectOption() {}

  static Dialect read(String word) {
    return Dialect.of(word)
        .orElseThrow(
            () ->
                ConfigurationError.of(
                    Code.BAD_USAGE,
                    "--sql-dialect: no dialect is called '" + word + "'",
                    "Use one of "
                        + Arrays.stream(Dialect.values())
                            .map(Dialect::word)
                            .collect(Collectors.joining(", "))
                        + "."));
  }
}
