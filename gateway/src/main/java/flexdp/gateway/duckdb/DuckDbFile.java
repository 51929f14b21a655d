package flexdp.gateway.duckdb;

import flexdp.failure.DatabaseError;
import flexdp.gateway.catalog.FileState;
import flexdp.gateway.catalog.Ground;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/**
 * A DuckDB file and the log beside it, which holds what was committed since the last checkpoint.
 * They are never opened here: DuckDB's lock on a file ends when this process closes any handle to
 * it. What the system tells of them proves that nobody wrote in between by a program that leaves
 * the time of its writing, as DuckDB, cp, rsync and backups do: every checkpoint and every copy
 * changes the time, every commit the log's length and time, and another file in its place has
 * another number. A file that was copied, or touched, has another version over the same data. That
 * is safe: what questions need is measured again.
 *
 * <p>Within a process DuckDB gives whoever opens a path the database that is open under it already,
 * whatever file is there now, but only if both were opened with equal settings. So the state of the
 * file is one of them, {@link #SETTING}: who opens a file reads it, and not the one before.
 *
 * @param path as DuckDB knows it
 * @param state what was seen of both when they were opened
 */
record DuckDbFile(Path path, String state) implements Ground {
  /** A setting of the whole database that means nothing without a network. */
  static final String SETTING = "custom_user_agent";

  private static final String OURS = "flexdp ";

  /** The file as it is now. */
  static DuckDbFile now(Path file) {
    return new DuckDbFile(
        file,
        state(file)
            .orElseThrow(
                () ->
                    DatabaseError.of(
                        "The database file '" + file + "' cannot be looked at.",
                        "Is it being replaced? Try again.")));
  }

  /** The file of a database that was opened with this setting; empty if that was not done here. */
  static Optional<DuckDbFile> opened(String path, String setting) {
    return setting.startsWith(OURS)
        ? Optional.of(new DuckDbFile(Path.of(path), setting))
        : Optional.empty();
  }

  private static Optional<String> state(Path file) {
    try {
      Optional<FileState> log = FileState.of(log(file));
      return FileState.of(file).map(data -> OURS + data + log.map(FileState::toString).orElse(""));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** As DuckDB names it. */
  private static Path log(Path file) {
    return file.resolveSibling(file.getFileName() + ".wal");
  }

  /** Whether file and log are as they were; a change of rights or names alone does not matter. */
  @Override
  public boolean stands() {
    return state(path).filter(state::equals).isPresent();
  }

  /**
   * Equal for equal contents only, today and later; empty when the file is not what was opened. The
   * time at which anything about a file changed tells of whoever set the time of writing back.
   */
  Optional<String> version() {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(marks(path).getBytes(StandardCharsets.US_ASCII));
      if (Files.exists(log(path))) {
        digest.update(marks(log(path)).getBytes(StandardCharsets.US_ASCII));
      }
      return stands()
          ? Optional.of("file:" + HexFormat.of().formatHex(digest.digest(), 0, 16))
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** The device's number is left out: it may change at every boot. */
  private static String marks(Path file) throws IOException {
    boolean unix = file.getFileSystem().supportedFileAttributeViews().contains("unix");
    Map<String, Object> marks =
        Files.readAttributes(file, unix ? "unix:size,lastModifiedTime,ctime,ino" : "*");
    return marks.get("size")
        + " "
        + marks.get("lastModifiedTime")
        + " "
        + marks.get(unix ? "ctime" : "creationTime")
        + " "
        + marks.get(unix ? "ino" : "fileKey")
        + "\n";
  }
}
