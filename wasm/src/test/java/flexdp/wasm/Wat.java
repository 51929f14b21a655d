package flexdp.wasm;

import flexdp.gateway.api.ProgramRequest.ProgramModule;
import flexdp.gateway.program.RunnableProgram;
import flexdp.policy.Policy.RegisteredProgram;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Modules from their text. What wat2wasm made of a text stands in assembled.txt by the text's
 * digest; run with -Dflexdp.golden.write=true it is asked for those that are missing.
 */
final class Wat {
  static final RegisteredProgram SMALL = new RegisteredProgram("0".repeat(64), 100_000, 1);

  private static final Path FILE = Path.of("src/test/resources/flexdp/wasm/assembled.txt");
  private static final Map<String, String> ASSEMBLED = read();

  private Wat() {}

  private static Map<String, String> read() {
    Map<String, String> all = new TreeMap<>();
    try {
      if (Files.exists(FILE)) {
        for (String line : Files.readAllLines(FILE)) {
          all.put(line.substring(0, 64), line.substring(65));
        }
      }
      return all;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static byte[] bytes(String text) {
    String key = new ProgramModule(text.getBytes(StandardCharsets.UTF_8)).digest();
    synchronized (ASSEMBLED) {
      if (!ASSEMBLED.containsKey(key)) {
        if (!Boolean.getBoolean("flexdp.golden.write")) {
          throw new IllegalStateException(
              "assembled.txt lacks this text; install wat2wasm (Debian's wabt) and run with"
                  + " -Dflexdp.golden.write=true: "
                  + text);
        }
        ASSEMBLED.put(key, Base64.getEncoder().encodeToString(assembled(text)));
        write();
      }
      return Base64.getDecoder().decode(ASSEMBLED.get(key));
    }
  }

  private static void write() {
    StringBuilder lines = new StringBuilder();
    ASSEMBLED.forEach((key, bytes) -> lines.append(key).append(' ').append(bytes).append('\n'));
    try {
      Files.createDirectories(FILE.getParent());
      Files.writeString(FILE, lines.toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] assembled(String text) {
    try {
      Path from = Files.createTempFile("module", ".wat");
      Path to = Files.createTempFile("module", ".wasm");
      Files.writeString(from, text);
      Process process =
          new ProcessBuilder("wat2wasm", from.toString(), "-o", to.toString()).inheritIO().start();
      if (process.waitFor() != 0) {
        throw new IllegalStateException("wat2wasm does not take " + text);
      }
      byte[] bytes = Files.readAllBytes(to);
      Files.delete(from);
      Files.delete(to);
      return bytes;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A module whose {@code row} takes one number. */
  static RunnableProgram program(String text, String... outputs) {
    return new ChicoryMachine().load(bytes(text), 1, List.of(outputs), SMALL);
  }

  /** With these definitions, a {@code row} that does nothing and an output of this body. */
  static String saying(String definitions, String body) {
    return "(module "
        + definitions
        + " (func (export \"row\") (param f64)) (func (export \"f\") (result f64) "
        + body
        + "))";
  }
}
