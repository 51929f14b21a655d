package flexdp.gateway.duckdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.gateway.catalog.DataFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.Optional;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What names the state of the data, and what does not though it looks like it. */
class DuckDbVersionTest {
  @TempDir Path folder;

  @Test
  void aFileThatOthersMayWriteToHasNoneEvenIfItWasCopiedFromDataFiles() throws Exception {
    String url = "jdbc:duckdb:" + folder.resolve("copied.duckdb");
    try (Connection writing = DriverManager.getConnection(url);
        Statement statement = writing.createStatement()) {
      statement.execute("CREATE MACRO " + DataFiles.VERSION_MACRO + "() AS 'old'");
      assertEquals(Optional.empty(), new DuckDbConnector().version(writing));
    }
    try (Connection reading = new DuckDbConnector().connect(url, new Properties(), false)) {
      String version = new DuckDbConnector().version(reading).orElseThrow();
      assertTrue(version.startsWith("file:"), version);
    }
  }

  @Test
  void dataFilesHaveTheDigestOfTheirBytes() throws Exception {
    Path file = folder.resolve("t.csv");
    Files.writeString(file, "a\n1\n");
    Optional<String> one = version();
    Files.writeString(file, "a\n2\n");
    Optional<String> two = version();
    assertTrue(one.isPresent() && two.isPresent() && !one.equals(two), one + " " + two);
  }

  private Optional<String> version() throws Exception {
    try (Connection connection =
        new DuckDbConnector()
            .connect("files:" + folder.resolve("t.csv"), new Properties(), false)) {
      return new DuckDbConnector().version(connection);
    }
  }
}
