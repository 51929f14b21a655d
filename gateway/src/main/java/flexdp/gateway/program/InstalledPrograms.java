package flexdp.gateway.program;

import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import java.util.ServiceLoader;

/** The machine on the class path, if there is one. */
public final class InstalledPrograms {
  private InstalledPrograms() {}

  public static ProgramMachine find() {
    return ServiceLoader.load(ProgramMachine.class, InstalledPrograms.class.getClassLoader())
        .findFirst()
        .orElseThrow(
            () ->
                ConfigurationError.of(
                    Code.BAD_USAGE,
                    "nothing that runs programs is installed",
                    "Put flexdp-wasm and what it needs on the class path."));
  }
}
