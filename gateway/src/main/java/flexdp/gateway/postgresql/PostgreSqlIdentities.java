package flexdp.gateway.postgresql;

import flexdp.gateway.catalog.Definitions;
import flexdp.gateway.catalog.PhysicalTable;
import flexdp.gateway.catalog.Statements;
import flexdp.gateway.catalog.TableIdentity;
import flexdp.gateway.render.SqlConstants;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * PostgreSQL's numbers of tables, which stay when a table or its schema is renamed, and those of
 * their partitions: what is attached brings what was told of it, and what is detached takes it
 * along.
 */
final class PostgreSqlIdentities {
  /**
   * The cluster, whose number a restored dump does not have, and the database in it. Who may not
   * know the cluster takes tables of several for one, which errs on the safe side.
   */
  private static final String WHERE =
      """
      SELECT CASE WHEN pg_catalog.has_function_privilege('pg_catalog.pg_control_system()', 'EXECUTE')
        THEN (SELECT s.system_identifier::pg_catalog.text FROM pg_catalog.pg_control_system() s)
        ELSE '' END || '/' || d.oid::pg_catalog.text
      FROM pg_catalog.pg_database d WHERE d.datname = pg_catalog.current_database()\
      """;

  /** Partitions as they are read now, which an older snapshot need not know. */
  private static final String NUMBERS =
      """
      SELECT n.nspname, c.relname, c.oid, m.nspname, p.relname, p.oid
      FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      LEFT JOIN LATERAL pg_catalog.pg_partition_tree(
        CASE WHEN c.relkind = 'p' THEN c.oid::pg_catalog.regclass END) t
        ON t.relid::pg_catalog.oid <> c.oid
      LEFT JOIN pg_catalog.pg_class p ON p.oid = t.relid::pg_catalog.oid
      LEFT JOIN pg_catalog.pg_namespace m ON m.oid = p.relnamespace
      WHERE c.relkind IN ('r', 'p') AND (n.nspname::pg_catalog.text, c.relname::pg_catalog.text)
        IN (%s)
      ORDER BY p.oid\
      """;

  private PostgreSqlIdentities() {}

  static List<TableIdentity> of(Statements statements, List<PhysicalTable> tables)
      throws SQLException {
    if (tables.isEmpty()) {
      return List.of();
    }
    String[] where = {""};
    statements.run(WHERE, row -> where[0] = "postgresql:" + row.getString(1) + "/");
    Map<Definitions.Name, String> marks = new HashMap<>();
    Map<Definitions.Name, List<TableIdentity>> parts = new HashMap<>();
    statements.run(
        NUMBERS.formatted(
            tables.stream()
                .map(
                    t ->
                        "("
                            + SqlConstants.text(t.schema())
                            + ", "
                            + SqlConstants.text(t.name())
                            + ")")
                .collect(Collectors.joining(", "))),
        row -> {
          Definitions.Name name = new Definitions.Name(row.getString(1), row.getString(2));
          marks.put(name, where[0] + row.getLong(3));
          if (row.getString(5) != null) {
            parts
                .computeIfAbsent(name, n -> new ArrayList<>())
                .add(
                    TableIdentity.of(row.getString(4), row.getString(5))
                        .marked(where[0] + row.getLong(6)));
          }
        });
    return tables.stream()
        .map(
            t ->
                TableIdentity.of(t)
                    .marked(marks.getOrDefault(Definitions.Name.of(t), ""))
                    .reading(parts.getOrDefault(Definitions.Name.of(t), List.of())))
        .toList();
  }
}
