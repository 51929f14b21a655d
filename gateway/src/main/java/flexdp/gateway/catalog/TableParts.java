package flexdp.gateway.catalog;

import flexdp.gateway.catalog.PhysicalTable.ForeignKey;
import flexdp.gateway.catalog.PhysicalTable.Kind;
import java.util.ArrayList;
import java.util.List;

/** One relation while what a catalog says of it is gathered from several queries. */
public final class TableParts {
  final String catalog;
  final String schema;
  public final String name;
  final boolean inDefaultSchema;
  final Kind kind;
  public final List<PhysicalColumn> columns = new ArrayList<>();
  public final List<List<String>> keys = new ArrayList<>();
  public final List<List<String>> doubtfulKeys = new ArrayList<>();
  public final List<String> checks = new ArrayList<>();
  public final List<ForeignKey> foreignKeys = new ArrayList<>();
  public boolean parted;

  public TableParts(String schema, String name, boolean inDefaultSchema, Kind kind) {
    this("", schema, name, inDefaultSchema, kind);
  }

  /**
   * @param catalog empty for the connection's own
   */
  public TableParts(
      String catalog, String schema, String name, boolean inDefaultSchema, Kind kind) {
    this.catalog = catalog;
    this.schema = schema;
    this.name = name;
    this.inDefaultSchema = inDefaultSchema;
    this.kind = kind;
  }

  public PhysicalTable table() {
    return new PhysicalTable(
        catalog,
        schema,
        name,
        inDefaultSchema,
        kind,
        columns,
        keys,
        doubtfulKeys,
        checks,
        foreignKeys,
        parted);
  }
}
