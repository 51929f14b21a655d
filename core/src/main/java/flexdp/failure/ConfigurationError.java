package flexdp.failure;

import java.util.Objects;

/** A policy, a metrics file, a request or a command line that cannot be used as it is. */
public final class ConfigurationError extends Failure {
  private static final long serialVersionUID = 1L;

  /** Which of the things we were given is wrong. */
  public enum Code {
    BAD_POLICY,
    /** A policy that partitions a table although rows may be replaced. */
    PARTITION_NEIGHBORS,
    BAD_METRICS,
    BAD_REQUEST,
    BAD_USAGE,
    /** A fault of FlexDP itself. */
    INTERNAL
  }

  private final Code code;

  private ConfigurationError(Code code, String message, String hint) {
    super(message, hint);
    this.code = Objects.requireNonNull(code);
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
  public int exitCode() {
    return code == Code.INTERNAL ? 1 : 2;
  }
}
