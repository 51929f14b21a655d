package flexdp.gateway.database;

import flexdp.failure.ConfigurationError;
import flexdp.failure.DatabaseError;
import flexdp.gateway.catalog.Drivers;
import flexdp.gateway.catalog.Vendor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * Opens databases for reading. Who we are comes from the environment, never from the policy:
 * FLEXDP_DATABASE_USER, and FLEXDP_DATABASE_PASSWORD or the file that FLEXDP_DATABASE_PASSWORD_FILE
 * names.
 */
public final class Databases {
  /** Classes of SQLSTATE: connections, authorisation, names and rights, resources, operators. */
  private static final List<String> WITHOUT_DATA = List.of("08", "28", "3D", "42", "53", "57P");

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
    Properties credentials = credentials(System.getenv());
    try {
      String address = url.replaceFirst("^jdbc:mysql:", "jdbc:mariadb:");
      return Drivers.of(System.getenv()).connect(address, credentials);
    } catch (SQLException e) {
      throw Unreachable.of(e, url, credentials);
    }
  }

  static Connection readOnly(String url, Map<String, String> environment, boolean streaming) {
    Optional<Vendor> vendor = Vendors.at(url);
    if (vendor.isEmpty() && !url.startsWith("jdbc:")) {
      throw ConfigurationError.of(
          ConfigurationError.Code.BAD_USAGE,
          "the database is not given as a JDBC address",
          "Write it as jdbc:duckdb:FILE, jdbc:sqlite:FILE, jdbc:postgresql://HOST/DATABASE or"
              + " files:FOLDER.");
    }
    Properties credentials = credentials(environment);
    try {
      return vendor.isPresent()
          ? vendor.get().connect(url, credentials, streaming)
          : Drivers.readOnly(url, credentials);
    } catch (SQLException e) {
      throw Unreachable.of(e, url, credentials);
    }
  }

  /** What a failure of the catalog or of a statement is to the owner. */
  public static DatabaseError failed(String during, SQLException e, String hint) {
    String state = String.valueOf(e.getSQLState());
    // Of rights, names and connections a server speaks without values of the data.
    boolean plain = WITHOUT_DATA.stream().anyMatch(state::startsWith);
    String words = plain ? ": " + e.getMessage().lines().findFirst().orElse("") : ".";
    return DatabaseError.because(
        "The database failed while " + during + words,
        plain ? "Grant what is missing, or mend the connection, and try again." : hint,
        e);
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
