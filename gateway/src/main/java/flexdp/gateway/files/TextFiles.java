package flexdp.gateway.files;

import flexdp.failure.ConfigurationError;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Reads files that people give us, and says in one line why one cannot be read. */
public final class TextFiles {
  private static final long LARGEST = 64_000_000;

  private TextFiles() {}

  /** The tree of a JSON file (by its name) or a YAML file (any other). */
  public static Object tree(Path file, ConfigurationError.Code code) {
    String text = read(file, code);
    try {
      return file.toString().endsWith(".json")
          ? JsonText.tree(text, code)
          : YamlText.tree(text, code);
    } catch (ConfigurationError e) {
      throw ConfigurationError.of(code, file + ": " + e.message(), e.hint());
    }
  }

  public static String read(Path file, ConfigurationError.Code code) {
    try {
      if (Files.isDirectory(file)) {
        throw ConfigurationError.of(code, file + " is a directory, not a file");
      }
      if (Files.size(file) > LARGEST) {
        throw ConfigurationError.of(code, file + " is larger than " + LARGEST + " bytes");
      }
      return decode(Files.readAllBytes(file));
    } catch (NoSuchFileException e) {
      throw ConfigurationError.of(code, "there is no file " + file);
    } catch (CharacterCodingException e) {
      throw ConfigurationError.of(code, file + " is not UTF-8 text");
    } catch (IOException e) {
      throw ConfigurationError.of(code, file + " cannot be read");
    }
  }

  /** Strict UTF-8: a byte that is none is an error, never a question mark. */
  public static String decode(byte[] bytes) throws CharacterCodingException {
    return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
  }

  /**
   * The files that belong to a policy and stand beside it: rides.yaml has rides.metrics.json,
   * rides.ledger and rides.log. One rule for all of them: the policy's name up to its last dot.
   */
  public record PolicyFiles(Path policy) {
    /** The policy's name without its ending, which is also the name of its database for clients. */
    public String name() {
      String file = policy.getFileName().toString();
      int dot = file.lastIndexOf('.');
      return dot < 1 ? file : file.substring(0, dot);
    }

    /** What was measured. */
    public Path metrics() {
      return beside(".metrics.json");
    }

    /** What was charged; see {@link flexdp.gateway.ledger.LedgerPlace} for its former name. */
    public Path ledger() {
      return beside(".ledger");
    }

    /** Where the causes of failures are kept for the owner. */
    public Path log() {
      return beside(".log");
    }

    private Path beside(String ending) {
      return policy.resolveSibling(name() + ending);
    }
  }
}
