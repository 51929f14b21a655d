package flexdp.gateway.postgresql;

import flexdp.failure.DatabaseError;
import flexdp.gateway.catalog.Connector;
import flexdp.gateway.catalog.PhysicalTable;
import flexdp.gateway.catalog.StatementRunner;
import flexdp.gateway.catalog.TableDefinitions;
import flexdp.gateway.catalog.TableDefinitions.TableRedefined;
import flexdp.gateway.render.SqlConstants;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Definitions in PostgreSQL's catalog, read in the question's own snapshot, which is made while the
 * tables are locked. A row of the catalog that is changed is written anew by another transaction,
 * so its number shows every change. Under the lock a name may still lead elsewhere, when schemas
 * are renamed, and a table may get parts; that shows by what the server looks up by itself, which
 * is of now.
 */
final class PostgreSqlDefinitions implements TableDefinitions {
  /**
   * Of all tables together and without a join, since it takes longer to plan than to run. A cast
   * that somebody made may concern every one of them.
   */
  private static final String MARKS =
      """
      SELECT c.oid, 'table ' || c.xmin::pg_catalog.text || ' ' || (
        SELECT pg_catalog.length(n.nspname::pg_catalog.text)::pg_catalog.text || ' '
          || n.nspname::pg_catalog.text
        FROM pg_catalog.pg_namespace n WHERE n.oid = c.relnamespace)
        || ' ' || c.relname::pg_catalog.text
      FROM pg_catalog.pg_class c WHERE c.oid = ANY (%1$s)
      UNION ALL
      SELECT attrelid, 'column ' || attnum::pg_catalog.text || ' ' || xmin::pg_catalog.text
      FROM pg_catalog.pg_attribute WHERE attrelid = ANY (%1$s) AND attnum > 0
      UNION ALL
      SELECT indrelid, 'index ' || indexrelid::pg_catalog.text || ' ' || xmin::pg_catalog.text
      FROM pg_catalog.pg_index WHERE indrelid = ANY (%1$s)
      UNION ALL
      SELECT inhparent, 'child ' || inhrelid::pg_catalog.text
      FROM pg_catalog.pg_inherits WHERE inhparent = ANY (%1$s)
      UNION ALL
      SELECT 0::pg_catalog.oid, 'cast ' || oid::pg_catalog.text || ' ' || xmin::pg_catalog.text
      FROM pg_catalog.pg_cast WHERE oid >= 16384::pg_catalog.oid
      UNION ALL
      """;

  private static final String TABLE = "table ";

  /** The number that no table has. */
  private static final long NONE = 0;

  /** Where the name of a table leads; its place among the tables stands before it. */
  private static final String STANDING = "SELECT %s::pg_catalog.oid, 'at ' || %s";

  /** Of what inherits from a plain table nothing is read, of partitions everything is. */
  private static final String PARTS =
      """
       || ' ' || COALESCE((SELECT pg_catalog.string_agg(
        p.relid::pg_catalog.oid::pg_catalog.text, ' ' ORDER BY p.relid)
      FROM pg_catalog.pg_partition_tree(%s) p), '')\
      """;

  private static final String AT = "at ";

  private final Connector connector;

  PostgreSqlDefinitions(Connector connector) {
    this.connector = connector;
  }

  @Override
  public Map<Name, List<String>> marks(StatementRunner statements, Collection<PhysicalTable> tables)
      throws SQLException {
    List<PhysicalTable> asked = List.copyOf(tables);
    Map<Long, List<String>> found = new HashMap<>();
    Map<Name, String> places = new HashMap<>();
    String numbers =
        asked.stream()
            .map(table -> number(table) + "::pg_catalog.oid")
            .collect(Collectors.joining(", ", "ARRAY[", "]"));
    statements.run(
        MARKS.formatted(numbers) + standing(asked),
        row -> {
          String mark = row.getString(2);
          if (mark.startsWith(AT)) {
            places.put(Name.of(asked.get(row.getInt(1))), mark);
          } else {
            found.computeIfAbsent(row.getLong(1), n -> new ArrayList<>()).add(mark);
          }
        });
    List<String> everywhere = found.getOrDefault(NONE, List.of());
    Map<Name, List<String>> marks = new HashMap<>();
    places.forEach(
        (name, place) -> {
          List<String> all = new ArrayList<>(List.of(place));
          all.addAll(everywhere);
          List<Long> numbered = numbers(all);
          if (!numbered.isEmpty()) {
            all.addAll(found.getOrDefault(numbered.getFirst(), List.of()));
            requireNamed(name, all);
          }
          Collections.sort(all);
          marks.put(name, all);
        });
    return marks;
  }

  /**
   * What the snapshot tells must be of the table that the name leads to now: else the tables would
   * be judged by their names in one state, and read by their names in another.
   */
  private static void requireNamed(Name name, List<String> marks) {
    String schema = name.schema();
    String end =
        " %s %s %s".formatted(schema.codePointCount(0, schema.length()), schema, name.table());
    if (marks.stream().noneMatch(m -> m.startsWith(TABLE) && m.endsWith(end))) {
      throw new TableRedefined();
    }
  }

  @Override
  public boolean stands(
      StatementRunner statements, Collection<PhysicalTable> tables, Map<Name, List<String>> marks)
      throws SQLException {
    List<PhysicalTable> asked = List.copyOf(tables);
    List<Boolean> same = new ArrayList<>();
    statements.run(
        standing(asked),
        row ->
            same.add(
                marks
                    .getOrDefault(Name.of(asked.get(row.getInt(1))), List.of())
                    .contains(row.getString(2))));
    return same.size() == asked.size() && !same.contains(false);
  }

  /** The number of the table that a name leads to, and those of its parts; empty if it is gone. */
  static List<Long> numbers(List<String> marks) {
    return marks.stream()
        .filter(mark -> mark.startsWith(AT))
        .flatMap(mark -> Stream.of(mark.substring(AT.length()).split(" ")))
        .filter(number -> !number.isEmpty())
        .map(Long::valueOf)
        .filter(number -> number != NONE)
        .distinct()
        .toList();
  }

  private String standing(List<PhysicalTable> asked) {
    List<String> parts = new ArrayList<>();
    for (int i = 0; i < asked.size(); i++) {
      String number = number(asked.get(i));
      String at = "COALESCE(" + number + "::pg_catalog.oid, 0::pg_catalog.oid)::pg_catalog.text";
      parts.add(STANDING.formatted(i, at + (asked.get(i).parted() ? PARTS.formatted(number) : "")));
    }
    return String.join(" UNION ALL ", parts);
  }

  private String number(PhysicalTable table) {
    String name = connector.quote(table.schema()) + "." + connector.quote(table.name());
    return "pg_catalog.to_regclass(" + SqlConstants.text(name) + ")";
  }

  @Override
  public List<PhysicalTable> tables(StatementRunner statements, Collection<PhysicalTable> asked)
      throws SQLException {
    PostgreSqlOwnCasts.requireNone(statements);
    return new PostgreSqlTables(statements).read();
  }

  /**
   * Conversions that somebody made between PostgreSQL's own types, by a function in SQL or another
   * language. A CAST finds them whatever the search path is; such a function may read any table or
   * fail on any row, so what is rendered would no longer be what was analysed.
   */
  static final class PostgreSqlOwnCasts {
    /** The system's own languages come with its own casts, and with extensions' types. */
    private static final String CASTS =
        """
        SELECT pg_catalog.format_type(k.castsource, NULL) || ' AS ' || pg_catalog.format_type(k.casttarget, NULL)
        FROM pg_catalog.pg_cast k JOIN pg_catalog.pg_type s ON s.oid = k.castsource
          JOIN pg_catalog.pg_type t ON t.oid = k.casttarget
          JOIN pg_catalog.pg_proc p ON p.oid = k.castfunc
          JOIN pg_catalog.pg_language l ON l.oid = p.prolang
        WHERE k.oid >= 16384::pg_catalog.oid AND l.lanname NOT IN ('c', 'internal')
          AND s.typnamespace = 'pg_catalog'::pg_catalog.regnamespace
          AND t.typnamespace = 'pg_catalog'::pg_catalog.regnamespace
        ORDER BY 1\
        """;

    private PostgreSqlOwnCasts() {}

    static void requireNone(StatementRunner statements) throws SQLException {
      List<String> found = new ArrayList<>();
      statements.run(CASTS, row -> found.add(row.getString(1)));
      if (!found.isEmpty()) {
        throw DatabaseError.of(
            "The database has casts of its own between PostgreSQL's types: "
                + String.join(", ", found)
                + ".",
            "Drop them: DROP CAST (" + found.getFirst() + ").");
      }
    }
  }
}
