package flexdp.server.catalogue;

import flexdp.cache.Recent;
import flexdp.gateway.database.Heft;
import flexdp.server.session.AboutServer.Found;
import flexdp.server.session.AboutServer.Visitor;
import flexdp.server.sql.Token;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * What was answered about the catalogue lately. It stays as it is until the policy changes, and
 * clients ask the same again each time that somebody looks; safe for several threads.
 */
final class RecentLooks {
  private static final long MOST_BYTES = 16L << 20;
  private static final long LARGEST = 1L << 20;
  private static final long BYTES_PER_TOKEN = 64;

  /** Words whose meaning passes, and those before the tables that do change. */
  private static final Set<String> PASSING =
      Set.of(
          ("age current_date current_setting current_time current_timestamp clock_timestamp"
                  + " flexdp localtime localtimestamp now set_config statement_timestamp today"
                  + " tomorrow transaction_timestamp yesterday")
              .split(" "));

  /**
   * A statement, and who asks.
   *
   * @param columns whether only those are wanted
   */
  record Look(
      List<Written> tokens,
      List<Object> values,
      String user,
      String database,
      boolean owner,
      boolean columns) {
    static Look of(List<Token> tokens, List<Object> values, Visitor visitor, boolean columns) {
      return new Look(
          tokens.stream().map(t -> new Written(t.kind(), t.text())).toList(),
          new ArrayList<>(values),
          visitor.user(),
          visitor.database(),
          visitor.owner(),
          columns);
    }

    private long bytes() {
      long sum = Heft.of(values);
      for (Written token : tokens) {
        sum += BYTES_PER_TOKEN + 2L * token.text().length();
      }
      return sum;
    }
  }

  /** A token wherever it stands. */
  private record Written(Token.Kind kind, String text) {}

  private record Kept(Found found, long bytes) {}

  private final Recent<Look, Kept> recent =
      new Recent<>(Integer.MAX_VALUE, MOST_BYTES, Kept::bytes);

  /** Whether a statement would be answered so again. */
  static boolean lasts(List<Token> tokens) {
    return tokens.stream().noneMatch(t -> PASSING.contains(t.text().toLowerCase(Locale.ROOT)));
  }

  Optional<Found> find(Look look) {
    return recent.get(look).map(Kept::found);
  }

  void keep(Look look, Found found) {
    long size = look.bytes();
    for (List<Object> row : found.rows()) {
      size += Heft.of(row);
    }
    if (size > LARGEST) {
      return;
    }
    Found fixed = new Found(found.columns(), Collections.unmodifiableList(found.rows()));
    recent.put(look, new Kept(fixed, size));
  }
}
