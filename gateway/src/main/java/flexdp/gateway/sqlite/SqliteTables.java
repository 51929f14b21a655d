package flexdp.gateway.sqlite;

import flexdp.failure.DatabaseError;
import flexdp.gateway.catalog.CheckClauses;
import flexdp.gateway.catalog.PhysicalColumn;
import flexdp.gateway.catalog.PhysicalTable;
import flexdp.gateway.catalog.PhysicalTable.ForeignKey;
import flexdp.gateway.catalog.PhysicalTable.Kind;
import flexdp.gateway.catalog.Statements;
import flexdp.gateway.catalog.TableParts;
import flexdp.policy.Type;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads SQLite's catalog. */
final class SqliteTables {
  private final Statements statements;
  private final List<PhysicalTable> found = new ArrayList<>();

  SqliteTables(Statements statements) {
    this.statements = statements;
  }

  List<PhysicalTable> read() throws SQLException {
    query("PRAGMA encoding", "", row -> requireUtf8(row.getString(1)));
    query(
        "SELECT l.name, l.type, l.strict, s.sql FROM pragma_table_list l LEFT JOIN sqlite_schema s"
            + " ON s.name = l.name AND s.type = 'table' WHERE l.schema = 'main' AND l.type <>"
            + " 'shadow' AND l.name NOT LIKE 'sqlite~_%' ESCAPE '~' ORDER BY l.name",
        "",
        row -> {
          Kind kind =
              switch (row.getString(2)) {
                case "table" -> Kind.TABLE;
                case "view" -> Kind.VIEW;
                default -> Kind.FOREIGN; // a virtual table is a program
              };
          TableParts parts = new TableParts("main", row.getString(1), true, kind);
          columns(parts, row.getBoolean(3));
          if (kind == Kind.TABLE) {
            indexes(parts);
            foreignKeys(parts);
            parts.checks.addAll(CheckClauses.in(row.getString(4)));
          }
          found.add(parts.table());
        });
    return List.copyOf(found);
  }

  /** In UTF-16 text has another order, and functions see other characters than are stored. */
  private static void requireUtf8(String encoding) {
    if (!encoding.equals("UTF-8")) {
      throw DatabaseError.of(
          "The text of this SQLite file is stored as " + encoding + ", not as UTF-8.",
          "Write it anew: set PRAGMA encoding = 'UTF-8' on an empty file and copy the tables.");
    }
  }

  /**
   * NOT NULL is proven where values have the column's type: in STRICT tables, and for the row id,
   * which a primary key of type INTEGER is unless it has an index: WITHOUT ROWID, or DESC.
   * Elsewhere a value of another class passes it and is read as NULL, and so do infinite numbers
   * and text that is not UTF-8, everywhere.
   */
  private void columns(TableParts parts, boolean strict) throws SQLException {
    List<String> primary = new ArrayList<>();
    query(
        "SELECT name, type, \"notnull\", pk, hidden = 2 FROM pragma_table_xinfo(?) WHERE hidden <>"
            + " 1 ORDER BY cid",
        parts.name,
        row -> {
          if (row.getInt(4) > 0) {
            primary.add(row.getString(1));
          }
          String typeName = row.getString(2);
          parts.columns.add(
              new PhysicalColumn(
                  row.getString(1),
                  typeName,
                  SqliteVendor.type(typeName),
                  strict && isTotal(SqliteVendor.type(typeName)),
                  row.getBoolean(3),
                  row.getBoolean(5)));
        });
    query(
        "SELECT 1 FROM pragma_index_list(?) WHERE origin = 'pk'",
        parts.name,
        row -> primary.clear());
    for (int i = 0; i < parts.columns.size(); i++) {
      PhysicalColumn c = parts.columns.get(i);
      if (primary.equals(List.of(c.name())) && c.typeName().equalsIgnoreCase("INTEGER")) {
        parts.columns.set(i, new PhysicalColumn(c.name(), c.typeName(), c.type(), true, true));
        parts.keys.add(primary);
      }
    }
  }

  /** Numbers may be infinite, and text may not be UTF-8. */
  private static boolean isTotal(Type type) {
    return type.kind() == Type.Kind.BIGINT || type.kind() == Type.Kind.OPAQUE;
  }

  private void indexes(TableParts parts) throws SQLException {
    List<String> unique = new ArrayList<>();
    query(
        "SELECT name FROM pragma_index_list(?) WHERE \"unique\" AND NOT partial ORDER BY seq DESC",
        parts.name,
        row -> unique.add(row.getString(1)));
    for (String index : unique) {
      List<String> names = new ArrayList<>();
      boolean[] plain = {true};
      query(
          "SELECT name FROM pragma_index_xinfo(?) WHERE key ORDER BY seqno",
          index,
          row -> {
            plain[0] &= row.getString(1) != null; // an expression has no name
            names.add(row.getString(1));
          });
      if (plain[0]) {
        // Every collation of an index is at least as coarse as the bytes that we compare.
        (names.stream().anyMatch(n -> isRounded(parts, n)) ? parts.doubtfulKeys : parts.keys)
            .add(names);
      }
    }
  }

  /**
   * Large whole numbers of a column without REAL affinity meet when they are read as doubles, as do
   * digits beyond those of a decimal and ways to write a moment.
   */
  private static boolean isRounded(TableParts parts, String name) {
    return parts.columns.stream()
        .filter(c -> c.name().equals(name))
        .anyMatch(
            c ->
                switch (c.type().kind()) {
                  case DOUBLE -> !SqliteVendor.isReal(c.typeName());
                  case DECIMAL, TIMESTAMP -> true;
                  default -> false;
                });
  }

  /** {@code REFERENCES patient} without columns means the primary key of that table. */
  private void foreignKeys(TableParts parts) throws SQLException {
    Map<Integer, ForeignKey> keys = new LinkedHashMap<>();
    query(
        "SELECT id, \"from\", \"table\", \"to\" FROM pragma_foreign_key_list(?) ORDER BY id DESC,"
            + " seq",
        parts.name,
        row -> {
          int id = row.getInt(1);
          String table = row.getString(3);
          List<String> columns =
              new ArrayList<>(keys.containsKey(id) ? keys.get(id).columns() : List.of());
          List<String> referenced =
              new ArrayList<>(keys.containsKey(id) ? keys.get(id).referenced() : List.of());
          columns.add(row.getString(2));
          if (row.getString(4) != null) {
            referenced.add(row.getString(4));
          }
          keys.put(id, new ForeignKey(columns, table, referenced));
        });
    for (ForeignKey key : keys.values()) {
      List<String> referenced =
          key.referenced().isEmpty() ? primaryKey(key.table()) : key.referenced();
      if (referenced.size() == key.columns().size()) {
        parts.foreignKeys.add(new ForeignKey(key.columns(), key.table(), referenced));
      }
    }
  }

  private List<String> primaryKey(String table) throws SQLException {
    List<String> columns = new ArrayList<>();
    query(
        "SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk",
        table,
        row -> columns.add(row.getString(1)));
    return columns;
  }

  /** The name stands where the text has a question mark. */
  private void query(String sql, String name, Statements.RowReader reader) throws SQLException {
    String text = "'" + name.replace("'", "''") + "'";
    statements.run(sql.replace("?1", "?").replace("?", text), reader);
  }
}
