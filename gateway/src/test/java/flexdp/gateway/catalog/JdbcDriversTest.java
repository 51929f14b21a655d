package flexdp.gateway.catalog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.ConfigurationError;
import flexdp.failure.DatabaseError;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JdbcDriversTest {
  /** A real driver that the build puts there and nowhere on the class path. */
  private static final Path JARS = Path.of("target", "drivers");

  private static final String URL = "jdbc:trino://localhost:1/tpch/tiny";

  @TempDir Path folder;

  @Test
  void aDriverIsLoadedFromTheFolder() throws Exception {
    assertFalse(DriverManager.drivers().anyMatch(d -> d.getClass().getName().contains("trino")));
    Properties properties = new Properties();
    properties.setProperty("user", "test");
    try (Connection connection = drivers(JARS.toString()).connect(URL, properties)) {
      assertEquals("drivers", connection.getClass().getClassLoader().getName());
      assertEquals("tpch", connection.getCatalog());
    }
    Path other = folder.resolve("none");
    try (Connection connection = drivers(other + ":" + JARS).connect(URL, properties)) {
      assertEquals("tiny", connection.getSchema());
    }
  }

  private static JdbcDrivers drivers(String folders) {
    return JdbcDrivers.of(Map.of("FLEXDP_DRIVERS", folders));
  }

  @Test
  void aMissingDriverNamesTheFolder() {
    DatabaseError error = missing(drivers(folder.toString()));
    assertEquals("There is no driver for jdbc:trino: databases.", error.message());
    assertTrue(error.hint().contains(folder.toString()), error.hint());
    assertTrue(missing(JdbcDrivers.of(Map.of())).hint().contains("FLEXDP_DRIVERS"));
  }

  private static DatabaseError missing(JdbcDrivers drivers) {
    return assertThrows(DatabaseError.class, () -> drivers.connect(URL, new Properties()));
  }

  @Test
  void driversOfTheClassPathNeedNoFolder() throws Exception {
    try (Connection connection =
        drivers(folder.toString()).connect("jdbc:sqlite::memory:", new Properties())) {
      assertTrue(connection.isValid(1));
    }
  }

  @Test
  void aBrokenJarIsNamedAsSuch() throws Exception {
    try (var jar =
        new java.util.jar.JarOutputStream(Files.newOutputStream(folder.resolve("bad.jar")))) {
      jar.putNextEntry(new java.util.zip.ZipEntry("META-INF/services/java.sql.Driver"));
      jar.write("no.such.Driver\n".getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }
    ConfigurationError error =
        assertThrows(
            ConfigurationError.class,
            () -> drivers(folder.toString()).connect(URL, new Properties()));
    assertTrue(error.hint().contains(folder.toString()), error.hint());
  }
}
