package flexdp.gateway.catalog;

import flexdp.gateway.catalog.PhysicalTable.ForeignKey;
import flexdp.gateway.catalog.PhysicalTable.Kind;
import java.util.ArrayList;
import java.util.List;

/** One relation while what a catalog says of it is gathered from several queries. */
final class TableParts {
  final String schema;
  final String name;
  final boolean inDefaultSchema;
  final Kind kind;
  final List<PhysicalColumn> columns = new ArrayList<>();
  final List<List<String>> keys = new ArrayList<>();
  final List<List<String>> doubtfulKeys = new ArrayList<>();
  final List<String> checks = new ArrayList<>();
  final List<ForeignKey> foreignKeys = new ArrayList<>();

  TableParts(String schema, String name, boolean inDefaultSchema, Kind kind) {
    this.schema = schema;
    this.name = name;
    this.inDefaultSchema = inDefaultSchema;
    this.kind = kind;
  }

  PhysicalTable table() {
    return new PhysicalTable(
        schema, name, inDefaultSchema, kind, columns, keys, doubtfulKeys, checks, foreignKeys);
  }
}
