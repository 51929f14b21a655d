package flexdp.gateway.database;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import flexdp.gateway.catalog.Vendor;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.Optional;
import java.util.logging.Logger;
import javax.sql.DataSource;

/**
 * Where the pool gets its connections: the first is open already, others are copies of it or opened
 * at the same address. Each is prepared before it is used.
 */
final class Connections implements DataSource {
  private static final int MOST = 8;

  private final Connection first;
  private final Vendor vendor;
  private final Optional<String> url;
  private final Duration timeout;
  private boolean firstGiven;

  Connections(Connection first, Vendor vendor, Optional<String> url, Duration timeout) {
    this.first = first;
    this.vendor = vendor;
    this.url = url;
    this.timeout = timeout;
  }

  /** A pool that begins with the first connection and opens others when they are needed. */
  HikariDataSource pool() throws SQLException {
    HikariConfig config = new HikariConfig();
    config.setDataSource(this);
    config.setPoolName("flexdp");
    config.setMaximumPoolSize(vendor.hasCopies() || url.isPresent() ? MOST : 1);
    config.setMinimumIdle(1);
    config.setReadOnly(first.isReadOnly());
    // The first connection may be what keeps the data; none is closed for its age.
    config.setMaxLifetime(0);
    config.setIdleTimeout(0);
    // A question waits its turn for as long as one may take.
    config.setConnectionTimeout(Math.max(1_000, timeout.toMillis()));
    return new HikariDataSource(config);
  }

  @Override
  public Connection getConnection() throws SQLException {
    synchronized (this) {
      if (!firstGiven) {
        firstGiven = true;
        return first;
      }
    }
    Connection another = vendor.hasCopies() ? vendor.copy(first) : opened();
    vendor.prepare(another, timeout);
    return another;
  }

  private Connection opened() throws SQLException {
    try {
      return Databases.streaming(
          url.orElseThrow(() -> new SQLException("there is only one connection")));
    } catch (flexdp.failure.DatabaseError e) {
      throw new SQLException(e.message(), e);
    }
  }

  @Override
  public Connection getConnection(String username, String password) throws SQLException {
    throw new SQLFeatureNotSupportedException("who we are comes from the environment");
  }

  @Override
  public PrintWriter getLogWriter() {
    return new PrintWriter(PrintWriter.nullWriter());
  }

  @Override
  public void setLogWriter(PrintWriter out) {}

  @Override
  public void setLoginTimeout(int seconds) {}

  @Override
  public int getLoginTimeout() {
    return 0;
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException("no logger");
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    throw new SQLException("nothing is wrapped");
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return false;
  }
}
