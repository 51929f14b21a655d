package flexdp.gateway.demo;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;

/** A new DuckDB file that appears when it is complete, never half written. */
final class WholeFile {
  private static final String DRAFT = "draft.duckdb";

  /** Fills an empty database. */
  interface Content {
    void fill(Connection connection) throws SQLException;
  }

  private WholeFile() {}

  /**
   * Makes the file.
   *
   * @throws FileAlreadyExistsException rather than to replace somebody's database
   */
  static void make(Path file, Content content) throws IOException, SQLException {
    if (Files.exists(file)) {
      throw new FileAlreadyExistsException(file.toString());
    }
    Path folder = file.toAbsolutePath().getParent();
    Files.createDirectories(folder);
    Path scratch = Files.createTempDirectory(folder, ".flexdp-demo");
    Path draft = scratch.resolve(DRAFT);
    try {
      try (Connection connection = DriverManager.getConnection("jdbc:duckdb:" + draft)) {
        content.fill(connection);
      }
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      for (String leftover : List.of(DRAFT, DRAFT + ".wal")) {
        Files.deleteIfExists(scratch.resolve(leftover));
      }
      Files.deleteIfExists(scratch);
    }
  }
}
