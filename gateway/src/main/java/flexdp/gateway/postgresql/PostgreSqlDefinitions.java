package flexdp.gateway.postgresql;

import flexdp.gateway.catalog.Definitions;
import flexdp.gateway.catalog.Moved;
import flexdp.gateway.catalog.PhysicalTable;
import flexdp.gateway.catalog.Statements;
import flexdp.gateway.catalog.Vendor;
import flexdp.gateway.render.SqlConstants;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Definitions in PostgreSQL's catalog, read in the question's own snapshot, which is made while the
 * tables are locked. A row of the catalog that is changed is written anew by another transaction,
 * so its number shows every change. Under the lock a name may still lead elsewhere, when schemas
 * are renamed, and a table may get parts; that shows by what the server looks up by itself, which
 * is of now.
 */
final class PostgreSqlDefinitions implements Definitions {
  /** Without a join, which would take longer to plan than to run. */
  private static final String MARKS =
      """
      SELECT %1$s, pg_catalog.concat_ws(' ', 'table', oid, xmin)
      FROM pg_catalog.pg_class WHERE oid = %2$s
      UNION ALL
      SELECT %1$s, pg_catalog.concat_ws(' ', 'column', attnum, xmin)
      FROM pg_catalog.pg_attribute WHERE attrelid = %2$s AND attnum > 0
      UNION ALL
      SELECT %1$s, pg_catalog.concat_ws(' ', 'index', indexrelid, xmin)
      FROM pg_catalog.pg_index WHERE indrelid = %2$s
      UNION ALL
      SELECT %1$s, pg_catalog.concat_ws(' ', 'child', inhrelid)
      FROM pg_catalog.pg_inherits WHERE inhparent = %2$s
      UNION ALL
      SELECT %1$s, pg_catalog.concat_ws(' ', 'cast', oid, xmin)
      FROM pg_catalog.pg_cast WHERE oid >= 16384::pg_catalog.oid AND %2$s IS NOT NULL\
      """;

  private static final String STANDING =
      """
      SELECT %1$s, pg_catalog.concat_ws(' ', 'at', %2$s::pg_catalog.oid, (
        SELECT pg_catalog.string_agg(p.relid::pg_catalog.oid::pg_catalog.text, ' ' ORDER BY p.relid)
        FROM pg_catalog.pg_partition_tree(%2$s) p))\
      """;

  private static final String TABLE = "table ";
  private static final String AT = "at";

  private final Vendor vendor;

  PostgreSqlDefinitions(Vendor vendor) {
    this.vendor = vendor;
  }

  @Override
  public Map<Name, List<String>> marks(Statements statements, Collection<PhysicalTable> tables)
      throws SQLException {
    Map<Name, List<String>> marks = by(MARKS + " UNION ALL " + STANDING, statements, tables);
    for (List<String> of : marks.values()) {
      // What the snapshot tells must be of the table that the name leads to now.
      String at = of.stream().filter(m -> m.startsWith(AT)).findFirst().orElseThrow();
      String number = at.substring(AT.length()).strip().split(" ", 2)[0];
      if (!number.isEmpty() && of.stream().noneMatch(m -> m.startsWith(TABLE + number + " "))) {
        throw new Moved();
      }
    }
    return marks;
  }

  @Override
  public boolean stands(
      Statements statements, Collection<PhysicalTable> tables, Map<Name, List<String>> marks)
      throws SQLException {
    Map<Name, List<String>> before = new HashMap<>();
    marks.forEach(
        (name, of) -> before.put(name, of.stream().filter(m -> m.startsWith(AT)).toList()));
    return by(STANDING, statements, tables).equals(before);
  }

  private Map<Name, List<String>> by(
      String what, Statements statements, Collection<PhysicalTable> tables) throws SQLException {
    List<PhysicalTable> asked = List.copyOf(tables);
    List<String> parts = new ArrayList<>();
    for (int i = 0; i < asked.size(); i++) {
      PhysicalTable table = asked.get(i);
      String name = vendor.quote(table.schema()) + "." + vendor.quote(table.name());
      parts.add(what.formatted(i, "pg_catalog.to_regclass(" + SqlConstants.text(name) + ")"));
    }
    Map<Name, List<String>> marks = new HashMap<>();
    statements.run(
        String.join(" UNION ALL ", parts),
        row ->
            marks
                .computeIfAbsent(Name.of(asked.get(row.getInt(1))), n -> new ArrayList<>())
                .add(row.getString(2)));
    marks.values().forEach(Collections::sort);
    return marks;
  }

  @Override
  public List<PhysicalTable> tables(Statements statements) throws SQLException {
    PostgreSqlOwnCasts.requireNone(statements);
    return new PostgreSqlTables(statements).read();
  }
}
