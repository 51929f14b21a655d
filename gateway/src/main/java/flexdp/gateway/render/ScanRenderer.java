package flexdp.gateway.render;

import flexdp.algebra.Column;
import flexdp.algebra.Relation;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Table;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Renders the reading of tables: where values are brought into form. */
final class ScanRenderer {
  private final TargetDialect dialect;
  private final NameCatalog catalog;
  private final Set<Integer> bare;
  private final boolean filled;
  private final Map<Relation.Scan, String> numbered = new IdentityHashMap<>();
  private final Map<Relation.Scan, String> narrowed = new IdentityHashMap<>();
  private int scans;

  /**
   * @param filled leaves out rows in which a column that is declared not nullable is NULL
   */
  ScanRenderer(TargetDialect dialect, NameCatalog catalog, Set<Integer> bare, boolean filled) {
    this.dialect = dialect;
    this.catalog = catalog;
    this.bare = bare;
    this.filled = filled;
  }

  /** Whether rows of the table can be told apart by something that is no column. */
  boolean namesRows(Relation.Scan scan) {
    return catalog.rowName(scan.table()).isPresent();
  }

  /** From now on the rows that are read have their names beside them. */
  void number(Relation.Scan scan, String name) {
    numbered.put(scan, name);
  }

  /** What is rendered meanwhile reads only those rows of a table that meet a condition. */
  String narrowed(Relation.Scan scan, String condition, Supplier<String> rendered) {
    narrowed.put(scan, condition);
    String text = rendered.get();
    narrowed.remove(scan);
    return text;
  }

  String select(Relation.Scan scan, List<Column> columns) {
    String rows = rows(scan, columns);
    return narrowed.containsKey(scan)
        ? "SELECT * FROM (" + rows + ") AS n WHERE " + narrowed.get(scan)
        : rows;
  }

  private String rows(Relation.Scan scan, List<Column> columns) {
    if (++scans > dialect.limits().tables()) {
      throw Rejection.of(
          RejectionCode.TOO_COMPLEX,
          "The database joins at most " + dialect.limits().tables() + " tables in one query.",
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
    if (numbered.containsKey(scan)) {
      read.put(numbered.get(scan), catalog.rowName(table).orElseThrow());
    }
    return "SELECT "
        + RelationRenderer.aliased(read)
        + " FROM "
        + catalog.table(table)
        + (present.isEmpty() ? "" : " WHERE " + String.join(" AND ", present));
  }
}
