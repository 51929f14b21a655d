package flexdp.gateway;

import flexdp.policy.Table;
import flexdp.policy.Type;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * A real database that a test starts by itself. One that cannot start fails the test; it is never
 * skipped. A new kind for {@link SharedSuite} is one subclass of this and one of the suite.
 */
abstract class TestDatabase implements AutoCloseable {
  /** The word by which the data file names it, that of its Vendor. */
  abstract String word();

  /** Starts it, empty. */
  abstract void start() throws Exception;

  /** A connection that may write; the suite closes it before it asks. */
  abstract Connection writer() throws SQLException;

  /** The address at which it is asked. */
  abstract String url();

  /** The type of a column in CREATE TABLE. */
  abstract String columnType(Type type);

  /** Whether CREATE TABLE takes UNIQUE. */
  boolean hasKeys() {
    return true;
  }

  /** A statement INSERT INTO table VALUES ..., in its own way. */
  String insert(Table table, String statement) {
    return statement;
  }

  @Override
  public abstract void close() throws Exception;
}
