package flexdp.gateway.hostile;

import flexdp.gateway.database.ErrorLog;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.policy.Policy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** A kind of database on which neighbours are laid out, two at a time. */
interface TestBed extends AutoCloseable {
  /** Columns that t and u have beside id. */
  List<HostileColumn> columns();

  /** A connection that may write to an empty database; the previous one of that side is gone. */
  Connection writer(int side) throws SQLException;

  /** The database as the gateway opens it. */
  JdbcDatabase open(int side, Connection writer, Policy policy, ErrorLog log) throws SQLException;

  /** The type of id in CREATE TABLE. */
  default String key() {
    return "BIGINT NOT NULL UNIQUE";
  }

  /** Whether it keeps columns of all types unique. */
  default boolean keepsKeys() {
    return false;
  }

  /** How many questions each pair of neighbours is asked. */
  default int questionsPerPair() {
    return 30;
  }

  @Override
  void close() throws Exception;
}
