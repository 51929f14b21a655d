package flexdp.gateway.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * Statements that a connection ran lately, with their plans: an embedded database plans a short
 * question for longer than it runs it. Only for data that stay as they are while they are open,
 * since a plan may rest on what the data were when it was made.
 */
final class KeptStatements {
  private static final int MOST = 64;

  /** By connection; each is used by one thread at a time. */
  private final Map<Connection, Map<String, PreparedStatement>> kept = new WeakHashMap<>();

  /** A statement that is run once and kept if it ran well. */
  final class Kept implements OneStatement {
    private final Map<String, PreparedStatement> others;
    private final String sql;
    private final PreparedStatement statement;
    private boolean ranWell;

    private Kept(Map<String, PreparedStatement> others, String sql, PreparedStatement statement) {
      this.others = others;
      this.sql = sql;
      this.statement = statement;
    }

    @Override
    public PreparedStatement statement() {
      return statement;
    }

    @Override
    public ResultSet rows() throws SQLException {
      return statement.executeQuery();
    }

    @Override
    public void ranWell() {
      ranWell = true;
    }

    @Override
    public void close() throws SQLException {
      if (!ranWell) {
        statement.close();
        return;
      }
      others.put(sql, statement);
      if (others.size() > MOST) {
        others.remove(others.keySet().iterator().next()).close();
      }
    }
  }

  OneStatement of(Connection connection, String sql) throws SQLException {
    Map<String, PreparedStatement> others = others(connection);
    PreparedStatement known = others.remove(sql);
    return new Kept(others, sql, known != null ? known : connection.prepareStatement(sql));
  }

  private synchronized Map<String, PreparedStatement> others(Connection connection) {
    return kept.computeIfAbsent(connection, ignored -> new LinkedHashMap<>());
  }
}
