package flexdp.gateway.render;

import flexdp.algebra.Column;
import flexdp.algebra.Relation;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Renders the reading of tables: where values are brought into form. */
final class Scans {
  private final Dialect dialect;
  private final Catalog catalog;
  private final Set<Integer> bare;
  private final boolean filled;
  private int scans;

  /**
   * @param filled leaves out rows in which a column that is declared not nullable is NULL
   */
  Scans(Dialect dialect, Catalog catalog, Set<Integer> bare, boolean filled) {
    this.dialect = dialect;
    this.catalog = catalog;
    this.bare = bare;
    this.filled = filled;
  }

  String select(Relation.Scan scan, List<Column> columns) {
    if (++scans > dialect.mostTables()) {
      throw Rejection.of(
          RejectionCode.TOO_COMPLEX,
          "The database joins at most " + dialect.mostTables() + " tables in one query.",
          "Ask with fewer joins.",
          scan.at());
    }
    Table table = scan.table();
    Map<String, String> read = new LinkedHashMap<>();
    List<String> present = new ArrayList<>();
    for (Column column : columns) {
      ColumnSpec spec =
          table
              .column(column.name())
              .orElseThrow(() -> new IllegalArgumentException("no such column: " + column));
      Optional<String> stored =
          bare.contains(column.id()) ? catalog.stored(table, spec) : Optional.empty();
      read.put(ExprRenderer.name(column.id()), stored.orElseGet(() -> catalog.column(table, spec)));
      if (filled && stored.isEmpty()) {
        catalog.presence(table, spec).ifPresent(present::add);
      }
    }
    return "SELECT "
        + Relations.aliased(read)
        + " FROM "
        + catalog.table(table)
        + (present.isEmpty() ? "" : " WHERE " + String.join(" AND ", present));
  }
}
