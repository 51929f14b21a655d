package flexdp.gateway.catalog;

import flexdp.failure.DatabaseError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Optional;

/** The file of an embedded database, as an address names it. */
public final class DatabaseFile {
  private DatabaseFile() {}

  /** The path alone, without the options behind it. */
  public static String path(String rest) {
    int end = rest.indexOf(rest.indexOf(';') >= 0 ? ';' : '?');
    return end < 0 ? rest : rest.substring(0, end);
  }

  /** Throws when there is no such file, before a driver makes an empty one. */
  public static void require(String rest) {
    Path file = Path.of(path(rest));
    if (!Files.isRegularFile(file)) {
      throw DatabaseError.of(
          "There is no database file '" + file + "'.",
          "A relative name counts from the folder in which flexdp runs.");
    }
    if (!Files.isReadable(file)) {
      throw DatabaseError.of(
          "The database file '" + file + "' may not be read.",
          "Run flexdp as a user who may read it, or change the rights of the file.");
    }
  }

  /**
   * A file as the system tells of it without opening it. A file that a database holds open must not
   * be opened beside it: the locks of a process on a file end when the process closes any handle to
   * it.
   *
   * @param key which file it is: the device's number and its own, so that another file in its place
   *     has another; without such numbers its path
   * @param written when its contents last changed, to the nanosecond where the system tells
   */
  public record FileState(Object key, long size, FileTime written) {
    /** Empty when there is no such file. */
    public static Optional<FileState> of(Path file) throws IOException {
      if (!Files.exists(file)) {
        return Optional.empty();
      }
      try {
        BasicFileAttributes seen = Files.readAttributes(file, BasicFileAttributes.class);
        Object key = seen.fileKey() == null ? file.toAbsolutePath() : seen.fileKey();
        return Optional.of(new FileState(key, seen.size(), seen.lastModifiedTime()));
      } catch (NoSuchFileException e) {
        return Optional.empty(); // it went between the two looks
      }
    }
  }
}
