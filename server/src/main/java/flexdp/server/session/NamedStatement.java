package flexdp.server.session;

import flexdp.server.sql.Statement;
import flexdp.server.types.PgType;
import java.util.List;
import java.util.Optional;

/**
 * A statement that was parsed and can be run again.
 *
 * @param text as the client sent it, for positions
 * @param columns absent when it has no rows
 */
public record NamedStatement(
    String text, Statement statement, List<PgType> types, Optional<List<WireColumn>> columns) {
  /** Its text is kept in small pieces, too. */
  private static final long BYTES_PER_CHARACTER = 16;

  /** About how much memory it takes. */
  public long bytes() {
    return BYTES_PER_CHARACTER
        * (text.length() + statement.rows().map(q -> q.sql().length()).orElse(0));
  }
}
