package flexdp.gateway.database;

import flexdp.failure.ConfigurationError;
import flexdp.failure.DatabaseError;
import flexdp.gateway.catalog.Connector;
import flexdp.gateway.catalog.JdbcDrivers;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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
      return JdbcDrivers.of(System.getenv()).connect(address, credentials);
    } catch (SQLException e) {
      throw ConnectionDiagnosis.of(e, url, credentials);
    }
  }

  static Connection readOnly(String url, Map<String, String> environment, boolean streaming) {
    Optional<Connector> vendor = Connectors.at(url);
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
          : JdbcDrivers.readOnly(url, credentials);
    } catch (SQLException e) {
      throw ConnectionDiagnosis.of(e, url, credentials);
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

  /**
   * Why a database cannot be opened, in words for its owner. What is said of a server keeps the
   * cause with it, and analysts are not shown it; what is said of a file is for everyone who may
   * name it.
   */
  private static final class ConnectionDiagnosis {
    private static final Pattern ADDRESS =
        Pattern.compile("^jdbc:\\w+://([^/?;]*)(?:/([^?;]*))?.*");
    private static final Pattern USER = Pattern.compile("[?&;]user=([^&;]*)");
    private static final String CREDENTIALS =
        "Check FLEXDP_DATABASE_USER and FLEXDP_DATABASE_PASSWORD.";

    private final SQLException cause;
    private final String words;
    private final String state;
    private final String server;
    private final String database;
    private final String user;

    private ConnectionDiagnosis(SQLException cause, String url, Properties credentials) {
      this.cause = cause;
      this.words = String.valueOf(cause.getMessage());
      this.state = String.valueOf(cause.getSQLState());
      Matcher address = ADDRESS.matcher(url);
      boolean known = address.matches();
      this.server = known ? address.group(1) : "the address";
      this.database = known && address.group(2) != null ? address.group(2) : "";
      Matcher named = USER.matcher(url);
      this.user =
          Optional.ofNullable(credentials.getProperty("user"))
              .or(() -> named.find() ? Optional.of(named.group(1)) : Optional.empty())
              .map(name -> "the user '" + name + "'")
              .orElse("the user (none is given)");
    }

    static DatabaseError of(SQLException cause, String url, Properties credentials) {
      return new ConnectionDiagnosis(cause, url, credentials).error();
    }

    private DatabaseError error() {
      return file().or(this::transport).or(this::refused).orElseGet(this::unknown);
    }

    private Optional<DatabaseError> file() {
      if (words.contains("Could not set lock") || words.contains("SQLITE_BUSY")) {
        return Optional.of(
            DatabaseError.of(
                "The database is locked by another process.",
                "Close it there, or wait and try again."));
      }
      if (words.contains("version number") || words.contains("newer version")) {
        return Optional.of(
            DatabaseError.of(
                "The database file was written by a version that this one cannot read.",
                "Export it and import it with the version of DuckDB that flexdp uses."));
      }
      if (words.contains("Corrupt database file")) {
        return Optional.of(
            DatabaseError.of("The database file is damaged.", "Restore it from a backup."));
      }
      if (words.contains("not a valid DuckDB") || words.contains("not a database")) {
        return Optional.of(
            DatabaseError.of("The file is not a database of this kind.", "Check the address."));
      }
      if (words.contains("Permission denied") || words.contains("SQLITE_CANTOPEN")) {
        return Optional.of(
            DatabaseError.of(
                "The database file may not be read.",
                "Run flexdp as a user who may read it, or change the rights of the file."));
      }
      return Optional.empty();
    }

    /** Before any server has said a word. */
    private Optional<DatabaseError> transport() {
      for (Throwable t = cause; t != null; t = t.getCause() == t ? null : t.getCause()) {
        switch (t) {
          case UnknownHostException ignored -> {
            return said(
                "The host of " + server + " is not known.",
                "Check the address, or the names that this machine resolves.");
          }
          case SocketTimeoutException ignored -> {
            return said(
                "The server " + server + " does not answer in time.",
                "Check the address, the network and its firewalls.");
          }
          case java.net.ConnectException ignored -> {
            return said(
                "Nothing listens at " + server + ".",
                "Check the host and the port, and that the server runs.");
          }
          default -> {}
        }
      }
      return Optional.empty();
    }

    private Optional<DatabaseError> refused() {
      if (has("password was provided") || has("requested password")) {
        return said("The server asks for a password, and none is given.", CREDENTIALS);
      }
      if (state.equals("28000") && has("role") && has("does not exist")) {
        return said("The server knows no role for " + user + ".", CREDENTIALS);
      }
      if (state.equals("28P01") || cause.getErrorCode() == 1045) {
        return said(
            "The server refuses "
                + user
                + ": the password is wrong, or there is no such user (it does not say which).",
            CREDENTIALS);
      }
      if (state.startsWith("28")) {
        return said(
            "The server refuses " + user + " from this machine.",
            "Its rules of access, such as pg_hba.conf, decide who may come from where.");
      }
      if (state.equals("3D000") || cause.getErrorCode() == 1049) {
        return said("The server has no database '" + database + "'.", "Check the address.");
      }
      if (cause.getErrorCode() == 1044 || state.equals("42501")) {
        return said(
            "The server does not let " + user + " into the database '" + database + "'.",
            "Grant CONNECT (PostgreSQL) or SELECT (MariaDB), or check the name of the database.");
      }
      if (state.equals("53300") || cause.getErrorCode() == 1040) {
        return said("The server has no connection left.", "Wait, or raise its limit.");
      }
      if (state.equals("57P03")) {
        return said("The server is starting up or shutting down.", "Wait and try again.");
      }
      return Optional.empty();
    }

    private boolean has(String part) {
      return words.toLowerCase(Locale.ROOT).contains(part);
    }

    private DatabaseError unknown() {
      return DatabaseError.because(
          "The database cannot be reached: " + words.lines().findFirst().orElse("") + ".",
          "Check the address, FLEXDP_DATABASE_USER and FLEXDP_DATABASE_PASSWORD.",
          cause);
    }

    private Optional<DatabaseError> said(String message, String hint) {
      return Optional.of(DatabaseError.because(message, hint, cause));
    }
  }
}
