package flexdp;

import java.util.Objects;
import java.util.Optional;

/** A policy, a metrics file, a request or a command line that cannot be used as it is. */
public final class ConfigurationError extends RuntimeException implements Failure {
  private static final long serialVersionUID = 1L;

  /** Which of the things we were given is wrong. */
  public enum Code {
    BAD_POLICY,
    BAD_METRICS,
    BAD_REQUEST,
    BAD_USAGE,
    /** A fault of FlexDP itself. */
    INTERNAL
  }

  private final Code code;
  private final String hint;

  private ConfigurationError(Code code, String message, String hint) {
    super(message, null, false, false);
    this.code = Objects.requireNonNull(code);
    this.hint = Objects.requireNonNull(hint);
  }

  public static ConfigurationError of(Code code, String message) {
    return new ConfigurationError(code, message, "");
  }

  public static ConfigurationError of(Code code, String message, String hint) {
    return new ConfigurationError(code, message, hint);
  }

  public Code code() {
    return code;
  }

  @Override
  public String codeName() {
    return code.name();
  }

  @Override
  public String message() {
    return getMessage();
  }

  @Override
  public String hint() {
    return hint;
  }

  @Override
  public Optional<Position> at() {
    return Optional.empty();
  }

  @Override
  public int exitCode() {
    return code == Code.INTERNAL ? 1 : 2;
  }
}
