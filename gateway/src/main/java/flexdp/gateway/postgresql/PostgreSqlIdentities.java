package flexdp.gateway.postgresql;

import flexdp.gateway.catalog.Definitions;
import flexdp.gateway.catalog.PhysicalTable;
import flexdp.gateway.catalog.Statements;
import flexdp.gateway.catalog.TableIdentity;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** PostgreSQL's numbers of tables, which stay when a table or its schema is renamed. */
final class PostgreSqlIdentities {
  private static final String MAY_ASK =
      "SELECT pg_catalog.has_function_privilege('pg_catalog.pg_control_system()', 'EXECUTE')";

  /** The cluster, whose number a restored dump does not have, and the database in it. */
  private static final String WHERE =
      "SELECT s.system_identifier || '/' || d.oid FROM pg_catalog.pg_control_system() s,"
          + " pg_catalog.pg_database d WHERE d.datname = pg_catalog.current_database()";

  private static final String NUMBERS =
      "SELECT n.nspname, c.relname, c.oid FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n"
          + " ON n.oid = c.relnamespace WHERE c.relkind IN ('r', 'p')";

  private PostgreSqlIdentities() {}

  static List<TableIdentity> of(Statements statements, List<PhysicalTable> tables)
      throws SQLException {
    boolean[] may = {false};
    statements.run(MAY_ASK, row -> may[0] = row.getBoolean(1));
    if (!may[0]) {
      return tables.stream().map(TableIdentity::of).toList();
    }
    String[] where = {""};
    statements.run(WHERE, row -> where[0] = row.getString(1));
    Map<Definitions.Name, String> marks = new HashMap<>();
    statements.run(
        NUMBERS,
        row ->
            marks.put(
                new Definitions.Name(row.getString(1), row.getString(2)),
                "postgresql:" + where[0] + "/" + row.getLong(3)));
    return tables.stream()
        .map(t -> TableIdentity.of(t).marked(marks.getOrDefault(Definitions.Name.of(t), "")))
        .toList();
  }
}
