package flexdp.gateway.catalog;

import flexdp.ConfigurationError;
import flexdp.DatabaseError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * Opens databases for reading. Who we are comes from the environment, never from the policy:
 * FLEXDP_DATABASE_USER, and FLEXDP_DATABASE_PASSWORD or the file that FLEXDP_DATABASE_PASSWORD_FILE
 * names.
 */
public final class Databases {
  private Databases() {}

  /** A connection that cannot write. */
  public static Connection readOnly(String url) {
    return readOnly(url, System.getenv(), false);
  }

  /** A connection that cannot write and hands over results while they are still being made. */
  public static Connection streaming(String url) {
    return readOnly(url, System.getenv(), true);
  }

  /** A connection that may write, for what the owner asks to have installed. */
  public static Connection writing(String url) {
    try {
      String address = url.replaceFirst("^jdbc:mysql:", "jdbc:mariadb:");
      return Drivers.of(System.getenv()).connect(address, credentials(System.getenv()));
    } catch (SQLException e) {
      throw unreachable(e);
    }
  }

  static Connection readOnly(String url, Map<String, String> environment, boolean streaming) {
    Optional<Vendor> vendor = Vendors.at(url);
    if (vendor.isEmpty() && !url.startsWith("jdbc:")) {
      throw ConfigurationError.of(
          ConfigurationError.Code.BAD_USAGE,
          "the database is not given as a JDBC address",
          "Write it as jdbc:duckdb:FILE, jdbc:postgresql://HOST/DATABASE or files:FOLDER.");
    }
    Properties credentials = credentials(environment);
    try {
      return vendor.isPresent()
          ? vendor.get().connect(url, credentials, streaming)
          : plain(url, credentials);
    } catch (SQLException e) {
      throw unreachable(e);
    }
  }

  /** A read-only connection of a driver that knows what that is. */
  static Connection plain(String url, Properties properties) throws SQLException {
    Connection connection = Drivers.of(System.getenv()).connect(url, properties);
    connection.setReadOnly(true);
    return connection;
  }

  static void requireFile(String rest) {
    int end = rest.indexOf(rest.indexOf(';') >= 0 ? ';' : '?');
    Path file = Path.of(end < 0 ? rest : rest.substring(0, end));
    if (!Files.isRegularFile(file)) {
      throw DatabaseError.of(
          "There is no database file '" + file + "'.",
          "A relative name counts from the folder in which flexdp runs.");
    }
  }

  private static DatabaseError unreachable(SQLException e) {
    String message = String.valueOf(e.getMessage());
    if (message.contains("Could not set lock") || message.contains("SQLITE_BUSY")) {
      return DatabaseError.of(
          "The database is locked by another process.", "Close it there, or wait and try again.");
    }
    if (message.contains("version number") || message.contains("newer version")) {
      return DatabaseError.of(
          "The database file was written by a version that this one cannot read.",
          "Export it and import it with the version of DuckDB that flexdp uses.");
    }
    if (message.contains("Corrupt database file")) {
      return DatabaseError.of("The database file is damaged.", "Restore it from a backup.");
    }
    if (message.contains("not a valid DuckDB") || message.contains("not a database")) {
      return DatabaseError.of("The file is not a database of this kind.", "Check the address.");
    }
    return DatabaseError.of(
        "The database cannot be reached.",
        "Check the address, FLEXDP_DATABASE_USER and FLEXDP_DATABASE_PASSWORD.");
  }

  private static Properties credentials(Map<String, String> environment) {
    Properties properties = new Properties();
    String user = environment.get("FLEXDP_DATABASE_USER");
    if (user != null) {
      properties.setProperty("user", user);
    }
    String password = environment.get("FLEXDP_DATABASE_PASSWORD");
    String file = environment.get("FLEXDP_DATABASE_PASSWORD_FILE");
    if (password == null && file != null) {
      try {
        password = Files.readString(Path.of(file)).strip();
      } catch (IOException e) {
        throw ConfigurationError.of(
            ConfigurationError.Code.BAD_USAGE,
            "the file that FLEXDP_DATABASE_PASSWORD_FILE names cannot be read");
      }
    }
    if (password != null) {
      properties.setProperty("password", password);
    }
    return properties;
  }
}
