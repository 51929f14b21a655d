package flexdp.gateway.catalog;

import flexdp.failure.ConfigurationError;
import flexdp.failure.DatabaseError;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Finds JDBC drivers: on the class path, then in the jars of the folders that FLEXDP_DRIVERS names,
 * then in those that come with the program but are too slow to load for everybody. A driver is
 * trusted code: only the owner chooses the folders.
 */
public final class JdbcDrivers {
  private static final String VARIABLE = "FLEXDP_DRIVERS";
  private static final Map<List<Path>, List<Driver>> LOADED = new ConcurrentHashMap<>();

  private final List<Path> folders;

  private JdbcDrivers(List<Path> folders) {
    this.folders = folders;
  }

  /** A read-only connection of a driver that knows what that is. */
  public static Connection readOnly(String url, Properties properties) throws SQLException {
    Connection connection = of(System.getenv()).connect(url, properties);
    connection.setReadOnly(true);
    return connection;
  }

  /** The owner's folders before the program's own, which ./flexdp tells by a system property. */
  public static JdbcDrivers of(Map<String, String> environment) {
    String owned = environment.getOrDefault(VARIABLE, "");
    String shipped = System.getProperty("flexdp.drivers", "");
    List<Path> folders = new ArrayList<>();
    for (String part : (owned + File.pathSeparator + shipped).split(File.pathSeparator)) {
      if (!part.isBlank()) {
        folders.add(Path.of(part));
      }
    }
    return new JdbcDrivers(List.copyOf(folders));
  }

  /**
   * Connects with whatever driver takes the address.
   *
   * @throws DatabaseError when there is none
   */
  public Connection connect(String url, Properties properties) throws SQLException {
    if (DriverManager.drivers().anyMatch(d -> accepts(d, url))) {
      return DriverManager.getConnection(url, properties);
    }
    Optional<Driver> driver =
        LOADED.computeIfAbsent(folders, JdbcDrivers::load).stream()
            .filter(d -> accepts(d, url))
            .findFirst();
    Connection connection =
        driver.isPresent() ? driver.get().connect(url, properties) : null; // null: not its address
    if (connection == null) {
      throw missing(url);
    }
    return connection;
  }

  private static boolean accepts(Driver driver, String url) {
    try {
      return driver.acceptsURL(url);
    } catch (SQLException e) {
      return false;
    }
  }

  private static List<Driver> load(List<Path> folders) {
    URL[] jars = folders.stream().flatMap(JdbcDrivers::jars).toArray(URL[]::new);
    if (jars.length == 0) {
      return List.of();
    }
    // Never closed: connections load classes from it as long as the program runs.
    ClassLoader loader = new URLClassLoader("drivers", jars, JdbcDrivers.class.getClassLoader());
    List<Driver> drivers = new ArrayList<>();
    try {
      ServiceLoader.load(Driver.class, loader).stream()
          .filter(found -> found.type().getClassLoader() == loader)
          .forEach(found -> drivers.add(found.get()));
    } catch (ServiceConfigurationError | LinkageError e) {
      throw ConfigurationError.of(
          ConfigurationError.Code.BAD_USAGE,
          "a jar in the folder of drivers cannot be loaded: " + e.getMessage(),
          "Keep only JDBC drivers for this version of Java in " + text(folders) + ".");
    }
    return List.copyOf(drivers);
  }

  private static Stream<URL> jars(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      List<URL> jars = new ArrayList<>();
      for (Path file : files.filter(f -> f.toString().endsWith(".jar")).sorted().toList()) {
        jars.add(file.toUri().toURL());
      }
      return jars.stream();
    } catch (IOException e) {
      return Stream.empty(); // a folder that is not there holds no drivers
    }
  }

  private DatabaseError missing(String url) {
    String kind = Arrays.stream(url.split(":")).skip(1).findFirst().orElse("");
    return DatabaseError.of(
        "There is no driver for jdbc:" + kind + ": databases.",
        "Put the driver's jar into a folder and name the folder in "
            + VARIABLE
            + (folders.isEmpty() ? "." : "; searched: " + text(folders) + "."));
  }

  private static String text(List<Path> folders) {
    return String.join(" or ", folders.stream().map(Path::toString).toList());
  }
}
