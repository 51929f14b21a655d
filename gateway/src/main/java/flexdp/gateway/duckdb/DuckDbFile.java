package flexdp.gateway.duckdb;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/**
 * The version of a DuckDB file. Its first three blocks of 4 KiB are headers: who the file is, and
 * two copies of a counter with the root of the data, of which every checkpoint replaces one. What
 * was committed since the last checkpoint stands in the log beside it.
 *
 * <p>Equal versions prove that nobody wrote to the file in between by a program that leaves the
 * time of its writing, as DuckDB, cp, rsync and backups do: every checkpoint changes a header and
 * the time, every commit the log's length and time, and another file in its place has another
 * number. The headers alone would prove less: two histories that grew out of one copy, written
 * equally often, have equal headers over other data. Not noticed is who writes other data with
 * equal headers into the same file and then sets its time back to the nanosecond. While we have the
 * file open DuckDB's lock keeps other writers out, so its version is taken once, then.
 *
 * <p>A file that was copied, or touched, has another version over the same data. That is safe: what
 * questions need is measured again.
 */
final class DuckDbFile {
  private static final int BLOCK = 4096;
  private static final int HEADERS = 3;

  /** A header begins with a checksum of all of it, and ends long before this. */
  private static final int FILLED = 512;

  private DuckDbFile() {}

  /** Equal for equal contents only; empty when the file cannot be read. */
  static Optional<String> version(Path file) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      try (InputStream in = Files.newInputStream(file)) {
        byte[] headers = in.readNBytes(HEADERS * BLOCK);
        for (int at = 0; at + FILLED <= headers.length; at += BLOCK) {
          digest.update(headers, at, FILLED);
        }
      }
      digest.update(marks(file).getBytes(StandardCharsets.US_ASCII));
      Path log = file.resolveSibling(file.getFileName() + ".wal");
      if (Files.exists(log)) {
        digest.update(marks(log).getBytes(StandardCharsets.US_ASCII));
      }
      return Optional.of("file:" + HexFormat.of().formatHex(digest.digest(), 0, 16));
    } catch (IOException e) {
      return Optional.empty();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** Length, time of writing and number of a file; the device's number may change at every boot. */
  private static String marks(Path file) throws IOException {
    boolean unix = file.getFileSystem().supportedFileAttributeViews().contains("unix");
    Map<String, Object> marks =
        Files.readAttributes(file, unix ? "unix:size,lastModifiedTime,ino" : "*");
    FileTime written = (FileTime) marks.get("lastModifiedTime");
    return marks.get("size")
        + " "
        + written.toInstant()
        + " "
        + marks.get(unix ? "ino" : "fileKey")
        + "\n";
  }
}
