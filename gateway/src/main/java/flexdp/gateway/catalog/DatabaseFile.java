package flexdp.gateway.catalog;

import flexdp.failure.DatabaseError;
import java.nio.file.Files;
import java.nio.file.Path;

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
}
