package flexdp.gateway;

import flexdp.gateway.database.Session;
import flexdp.gateway.sql.Catalog;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Range;
import flexdp.policy.Table;
import flexdp.question.KnownBounds;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The least and the greatest value of columns, of data that stay as they are while they are open.
 * Each column is looked at once, when it is first summed; it never leaves this process.
 */
final class MeasuredBounds {
  private record Place(String table, String column) {}

  private final Catalog catalog;
  private final Map<Place, Optional<Range>> known = new ConcurrentHashMap<>();

  MeasuredBounds(Catalog catalog) {
    this.catalog = catalog;
  }

  /** Looks through a session at what is not known yet. */
  KnownBounds through(Session session) {
    return (table, column) ->
        known.computeIfAbsent(
            new Place(table.name(), column.name()), p -> measured(session, table, column));
  }

  private Optional<Range> measured(Session session, Table table, ColumnSpec column) {
    BigDecimal[] ends = new BigDecimal[2];
    String x = catalog.column(table, column);
    session.run(
        "SELECT MIN(" + x + "), MAX(" + x + ") FROM " + catalog.table(table),
        row -> {
          ends[0] = session.number(row, 1);
          ends[1] = session.number(row, 2);
        });
    return ends[0] == null ? Optional.empty() : Optional.of(new Range(ends[0], ends[1]));
  }
}
