package flexdp.gateway.plan;

import flexdp.facts.KnownBounds;
import flexdp.gateway.database.Session;
import flexdp.gateway.render.Catalog;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Range;
import flexdp.policy.Table;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
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
    List<Optional<BigDecimal>> ends = new ArrayList<>();
    String x = catalog.column(table, column);
    session.run(
        "SELECT MIN(" + x + "), MAX(" + x + ") FROM " + catalog.table(table),
        row -> {
          ends.add(session.number(row, 1));
          ends.add(session.number(row, 2));
        });
    return ends.stream().allMatch(Optional::isPresent)
        ? Optional.of(new Range(ends.getFirst().get(), ends.getLast().get()))
        : Optional.empty();
  }
}
