package flexdp.gateway;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** The MariaDB that all tests share, which run one after the other; it is alive in the end. */
final class MortalMariaDb implements MortalServer {
  private static final String DATABASE = "mortal";

  private final String url;

  MortalMariaDb() throws SQLException {
    MariaDbServer.create(DATABASE);
    this.url = MariaDbServer.url(DATABASE) + "?user=root";
    execute("SET GLOBAL innodb_flush_log_at_trx_commit = 1");
  }

  @Override
  public String url() {
    return url;
  }

  @Override
  public Connection writer() throws SQLException {
    return MariaDbServer.writer(DATABASE);
  }

  @Override
  public String running(String like) {
    return "SELECT COUNT(*) FROM information_schema.processlist WHERE info LIKE '"
        + like
        + "' AND command = 'Query' AND id <> CONNECTION_ID()";
  }

  @Override
  public long pid() throws Exception {
    try (Connection connection = writer();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT @@datadir, @@pid_file")) {
      row.next();
      Path file = Path.of(row.getString(1)).resolve(row.getString(2));
      return Long.parseLong(Files.readString(file).strip());
    }
  }

  @Override
  public void restart() throws Exception {
    MariaDbServer.restart();
  }

  @Override
  public void close() throws SQLException {
    execute("SET GLOBAL innodb_flush_log_at_trx_commit = 0");
  }
}
