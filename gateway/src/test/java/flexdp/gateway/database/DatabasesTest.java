package flexdp.gateway.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.ConfigurationError;
import flexdp.failure.DatabaseError;
import flexdp.gateway.demo.RideSharing;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DatabasesTest {
  @TempDir Path folder;

  @Test
  void nothingCanBeWrittenThroughIt() throws Exception {
    Path file = folder.resolve("rides.duckdb");
    new RideSharing(10, 1).create(file);
    try (Connection connection = Databases.readOnly("jdbc:duckdb:" + file);
        Statement statement = connection.createStatement()) {
      assertThrows(SQLException.class, () -> statement.execute("DELETE FROM trips"));
    }
  }

  @Test
  void aMissingFileIsNotMade() {
    Path file = folder.resolve("none.duckdb");
    assertEquals("There is no database file '" + file + "'.", failure("jdbc:duckdb:" + file));
    assertFalse(Files.exists(file));
    assertEquals("There is no database file '" + file + "'.", failure("jdbc:sqlite:" + file));
  }

  @Test
  void aFileOfANewerVersionIsCalledSo() throws Exception {
    Path file = folder.resolve("new.duckdb");
    new RideSharing(10, 1).create(file);
    patch(file, 12, 9999); // the version, after the checksum and "DUCK"
    assertEquals("The database file is damaged.", failure("jdbc:duckdb:" + file));
    patch(file, 0, checksum(file));
    assertEquals(
        "The database file was written by a version that this one cannot read.",
        failure("jdbc:duckdb:" + file));
  }

  @Test
  void anotherFileIsNoDatabase() throws Exception {
    Path file = Files.writeString(folder.resolve("text.duckdb"), "just text\n".repeat(1000));
    assertEquals("The file is not a database of this kind.", failure("jdbc:duckdb:" + file));
  }

  @Test
  void anAddressMustBeOne() {
    assertThrows(ConfigurationError.class, () -> Databases.readOnly("rides.duckdb"));
    assertEquals("There is no driver for jdbc:nothing: databases.", failure("jdbc:nothing:x"));
  }

  private static void patch(Path file, long at, long value) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(0, value), at);
    }
  }

  /** DuckDB itself says which checksum the first block should have. */
  private static long checksum(Path file) {
    SQLException e =
        assertThrows(
            SQLException.class, () -> DriverManager.getConnection("jdbc:duckdb:" + file).close());
    Matcher found = Pattern.compile("computed checksum (\\d+)").matcher(e.getMessage());
    assertTrue(found.find(), e.getMessage());
    return Long.parseUnsignedLong(found.group(1));
  }

  private static String failure(String url) {
    return assertThrows(DatabaseError.class, () -> Databases.readOnly(url)).message();
  }
}
