package flexdp.gateway.ledger.store;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Files that only their owner can read: made with mode 600, before anything is in them. */
public final class PrivateFiles {
  private PrivateFiles() {}

  public static void create(Path path) throws IOException {
    try {
      if (path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
        var mode = PosixFilePermissions.fromString("rw-------");
        Files.createFile(path, PosixFilePermissions.asFileAttribute(mode));
      } else {
        Files.createFile(path);
      }
    } catch (FileAlreadyExistsException e) {
      // It keeps the mode that its owner gave it.
    }
  }
}
