package flexdp.gateway.catalog;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/**
 * The version of a DuckDB file. Its first three blocks of 4 KiB are headers: who the file is, and
 * two copies of a counter with the root of the data, of which every checkpoint replaces one. What
 * was committed since the last checkpoint stands in the log beside it.
 */
final class DuckDbFile {
  private static final int HEADERS = 3 * 4096;

  private DuckDbFile() {}

  /** Equal for equal contents only; empty when the file cannot be read. */
  static Optional<String> version(Path file) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      try (InputStream in = Files.newInputStream(file)) {
        digest.update(in.readNBytes(HEADERS));
      }
      digest.update(
          Long.toString(Files.size(file)).getBytes(java.nio.charset.StandardCharsets.US_ASCII));
      Path log = file.resolveSibling(file.getFileName() + ".wal");
      if (Files.exists(log)) {
        try (OutputStream out = new DigestOutputStream(OutputStream.nullOutputStream(), digest)) {
          Files.copy(log, out);
        }
      }
      return Optional.of("file:" + HexFormat.of().formatHex(digest.digest(), 0, 16));
    } catch (IOException e) {
      return Optional.empty();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
