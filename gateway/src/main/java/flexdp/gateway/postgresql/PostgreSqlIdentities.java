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
import java.util.Optional;
import java.util.TreeMap;
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

  /** Of tables by their names. */
  private static final String NUMBERS =
      """
      SELECT n.nspname, c.relname, c.oid, p.relid::pg_catalog.oid
      FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      LEFT JOIN LATERAL pg_catalog.pg_partition_tree(
        CASE WHEN c.relkind = 'p' THEN c.oid::pg_catalog.regclass END) p
        ON p.relid::pg_catalog.oid <> c.oid
      WHERE c.relkind IN ('r', 'p') AND (n.nspname::pg_catalog.text, c.relname::pg_catalog.text)
        IN (%s)\
      """;

  private static final String NAMES =
      """
      SELECT c.oid, n.nspname, c.relname
      FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      WHERE c.oid IN (%s) ORDER BY c.oid\
      """;

  private PostgreSqlIdentities() {}

  /** Those that their names lead to when the catalogue is read. */
  static List<TableIdentity> of(Statements statements, List<PhysicalTable> tables)
      throws SQLException {
    if (tables.isEmpty()) {
      return List.of();
    }
    Map<Definitions.Name, List<Long>> numbers = new HashMap<>();
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
          List<Long> some =
              numbers.computeIfAbsent(
                  new Definitions.Name(row.getString(1), row.getString(2)), n -> new ArrayList<>());
          if (some.isEmpty()) {
            some.add(row.getLong(3));
          }
          long part = row.getLong(4);
          if (!row.wasNull()) {
            some.add(part);
          }
        });
    return of(statements, tables, numbers);
  }

  /**
   * Those of these numbers, whatever the names lead to meanwhile.
   *
   * @param numbers of a table first, then of its parts
   */
  static List<TableIdentity> of(
      Statements statements, List<PhysicalTable> tables, Map<Definitions.Name, List<Long>> numbers)
      throws SQLException {
    String[] where = {""};
    statements.run(WHERE, row -> where[0] = "postgresql:" + row.getString(1) + "/");
    Map<Long, TableIdentity> parts = new TreeMap<>();
    String listed =
        numbers.values().stream()
            .flatMap(some -> some.stream().skip(1))
            .map(String::valueOf)
            .collect(Collectors.joining(", "));
    if (!listed.isEmpty()) {
      // A part that is younger than the state that is read has no rows in it.
      statements.run(
          NAMES.formatted(listed),
          row ->
              parts.put(
                  row.getLong(1),
                  TableIdentity.of(row.getString(2), row.getString(3))
                      .marked(where[0] + row.getLong(1))));
    }
    List<TableIdentity> found = new ArrayList<>();
    for (PhysicalTable table : tables) {
      List<Long> own = numbers.getOrDefault(Definitions.Name.of(table), List.of());
      found.add(
          TableIdentity.of(table)
              .marked(own.isEmpty() ? "" : where[0] + own.getFirst())
              .reading(
                  own.stream()
                      .skip(1)
                      .sorted()
                      .flatMap(part -> Optional.ofNullable(parts.get(part)).stream())
                      .toList()));
    }
    return List.copyOf(found);
  }
}
