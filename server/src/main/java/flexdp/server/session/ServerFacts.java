package flexdp.server.session;

import flexdp.gateway.database.CancellationToken;
import flexdp.server.sql.Token;
import java.util.List;

/** Answers what clients ask about the server itself. It knows of no data. */
public interface ServerFacts extends AutoCloseable {
  /** Who asks, as far as the catalogue shows it. */
  record Visitor(
      SessionSettings settings, String user, String database, boolean owner, OwnTables tables) {}

  /** Rows of the door's own tables, made when they are asked for. */
  interface OwnTables {
    List<List<Object>> rows(String table);
  }

  /** Columns and rows. */
  record Found(List<WireColumn> columns, List<List<Object>> rows) {}

  /**
   * @param tokens parameters among them are replaced by the values
   * @param describe wants the columns only
   * @param cancellation ends it when the client wishes so
   * @throws SqlError when it cannot be answered
   */
  Found find(
      List<Token> tokens,
      List<Object> values,
      Visitor visitor,
      boolean describe,
      CancellationToken cancellation);

  @Override
  void close();
}
