package flexdp.gateway.postgresql;

import flexdp.gateway.catalog.PhysicalColumn;
import flexdp.gateway.catalog.PhysicalTable;
import flexdp.gateway.catalog.PhysicalTable.ForeignKey;
import flexdp.gateway.catalog.PhysicalTable.Kind;
import flexdp.gateway.catalog.PhysicalTable.TableBuilder;
import flexdp.gateway.catalog.StatementRunner;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads PostgreSQL's catalog. Only constraints that are enforced and validated count. */
final class PostgreSqlTables {
  /** The system's own tables have ten times as many columns as most databases. */
  private static final String PRESENT =
      """
      FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND c.relpersistence <> 't'
        AND n.nspname NOT LIKE 'pg\\_%' AND n.nspname NOT IN ('information_schema', 'flexdp')\
      """;

  /**
   * Partitions are refused by themselves, so a partitioned table is one table. What we keep in the
   * schema flexdp is nobody's data.
   */
  private static final String RELATIONS =
      """
      SELECT c.oid, n.nspname, c.relname,
        CASE
          WHEN NOT pg_catalog.has_table_privilege(c.oid, 'SELECT') OR NOT pg_catalog.has_schema_privilege(n.oid, 'USAGE')
            THEN 'UNREADABLE'
          WHEN c.relkind IN ('v', 'm') THEN 'VIEW'
          WHEN c.relkind = 'f' THEN 'FOREIGN'
          WHEN c.relispartition THEN 'PARTITION'
          WHEN pg_catalog.row_security_active(c.oid) THEN 'FILTERED'
          WHEN c.relkind = 'r' AND EXISTS (
            SELECT 1 FROM pg_catalog.pg_inherits i WHERE i.inhparent = c.oid) THEN 'PARENT'
          WHEN c.relkind = 'p' AND EXISTS (
            SELECT 1 FROM pg_catalog.pg_partition_tree(c.oid) t JOIN pg_catalog.pg_class x ON x.oid = t.relid
            WHERE x.relkind = 'f') THEN 'FOREIGN'
          ELSE 'TABLE'
        END,
        c.relkind = 'p'
      """
          + PRESENT
          + " ORDER BY 2, 3";

  private static final String COLUMNS =
      """
      SELECT a.attrelid, a.attname,
        CASE t.typtype
          WHEN 'e' THEN (
            SELECT 'ENUM(' || pg_catalog.string_agg(pg_catalog.quote_literal(e.enumlabel), ', ' ORDER BY e.enumsortorder)
              || ')' FROM pg_catalog.pg_enum e WHERE e.enumtypid = t.oid)
          WHEN 'd' THEN pg_catalog.format_type(t.typbasetype, t.typtypmod)
          ELSE pg_catalog.format_type(a.atttypid, a.atttypmod)
        END || CASE WHEN EXISTS (
          SELECT 1 FROM pg_catalog.pg_collation l JOIN pg_catalog.pg_namespace s ON s.oid = l.collnamespace
          WHERE l.oid = a.attcollation
            AND (s.nspname, l.collname) NOT IN (('pg_catalog', 'default'), ('pg_catalog', 'C')))
        THEN '%s' ELSE '' END,
        a.attnotnull AND NOT EXISTS (
          SELECT 1 FROM pg_catalog.pg_constraint k
          WHERE k.contype = 'n' AND k.conrelid = a.attrelid AND k.conkey = ARRAY[a.attnum]
            AND NOT k.convalidated),
        a.attgenerated = 'v' OR EXISTS (
          WITH RECURSIVE b(oid) AS (
            SELECT t.oid
            UNION ALL SELECT y.typbasetype FROM b JOIN pg_catalog.pg_type y ON y.oid = b.oid
            WHERE y.typtype = 'd')
          SELECT 1 FROM b JOIN pg_catalog.pg_cast k ON k.castsource = b.oid AND k.casttarget = 'pg_catalog.text'::pg_catalog.regtype
            JOIN pg_catalog.pg_proc p ON p.oid = k.castfunc JOIN pg_catalog.pg_language l ON l.oid = p.prolang
          WHERE l.lanname NOT IN ('c', 'internal'))
      FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
      WHERE a.attnum > 0 AND NOT a.attisdropped AND a.attrelid IN (SELECT c.oid
      """
              .formatted(PostgreSqlConnector.COLLATED)
          + PRESENT
          + ") ORDER BY a.attrelid, a.attnum";

  /** A partial, deferrable or half-built index proves nothing; another collation another thing. */
  private static final String KEYS =
      """
      SELECT i.indrelid,
        ARRAY(SELECT a.attname::pg_catalog.text FROM pg_catalog.generate_series(0, i.indnkeyatts - 1) s
          JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[s] ORDER BY s),
        NOT EXISTS (
          SELECT 1 FROM pg_catalog.generate_series(0, i.indnkeyatts - 1) s
          JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[s]
          JOIN pg_catalog.pg_opclass o ON o.oid = i.indclass[s]
          WHERE a.attcollation <> i.indcollation[s] OR NOT o.opcdefault)
      FROM pg_catalog.pg_index i
      WHERE i.indisunique AND i.indisvalid AND i.indisready AND i.indimmediate
        AND i.indpred IS NULL AND i.indexprs IS NULL AND i.indrelid IN (SELECT c.oid
      """
          + PRESENT
          + ") ORDER BY i.indrelid, i.indexrelid";

  private static final String CHECKS =
      """
      SELECT k.conrelid, pg_catalog.pg_get_constraintdef(k.oid) FROM pg_catalog.pg_constraint k
      WHERE k.contype = 'c' AND k.convalidated AND k.conrelid <> 0
        AND coalesce((pg_catalog.to_jsonb(k) ->> 'conenforced')::pg_catalog.bool, TRUE)
      ORDER BY k.conrelid, k.conname\
      """;

  private static final String FOREIGN_KEYS =
      """
      SELECT k.conrelid, r.relname,
        ARRAY(SELECT a.attname::pg_catalog.text FROM pg_catalog.unnest(k.conkey) WITH ORDINALITY u(n, s)
          JOIN pg_catalog.pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = u.n ORDER BY s),
        ARRAY(SELECT a.attname::pg_catalog.text FROM pg_catalog.unnest(k.confkey) WITH ORDINALITY u(n, s)
          JOIN pg_catalog.pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = u.n ORDER BY s)
      FROM pg_catalog.pg_constraint k JOIN pg_catalog.pg_class r ON r.oid = k.confrelid
      WHERE k.contype = 'f'
      ORDER BY k.conrelid, k.conname\
      """;

  private final StatementRunner statements;
  private final Map<Long, TableBuilder> found = new LinkedHashMap<>();

  PostgreSqlTables(StatementRunner statements) {
    this.statements = statements;
  }

  List<PhysicalTable> read() throws SQLException {
    Optional<String> bare = PostgreSqlDefaultSchema.of(statements);
    statements.run(
        RELATIONS,
        row -> {
          TableBuilder parts =
              new TableBuilder(
                  row.getString(2),
                  row.getString(3),
                  bare.equals(Optional.of(row.getString(2))),
                  Kind.valueOf(row.getString(4)));
          parts.parted = row.getBoolean(5);
          found.put(row.getLong(1), parts);
        });
    each(
        COLUMNS,
        (parts, row) -> {
          String typeName = row.getString(3);
          parts.columns.add(
              new PhysicalColumn(
                  row.getString(2),
                  typeName,
                  PostgreSqlConnector.type(typeName),
                  PostgreSqlConnector.isTotal(typeName),
                  row.getBoolean(4),
                  row.getBoolean(5)));
        });
    each(KEYS, PostgreSqlTables::key);
    each(CHECKS, (parts, row) -> parts.checks.add(row.getString(2)));
    each(
        FOREIGN_KEYS,
        (parts, row) ->
            parts.foreignKeys.add(
                new ForeignKey(
                    strings(row.getArray(3)), row.getString(2), strings(row.getArray(4)))));
    return found.values().stream().map(TableBuilder::table).toList();
  }

  private static void key(TableBuilder parts, ResultSet row) throws SQLException {
    List<String> names = strings(row.getArray(2));
    boolean merged =
        parts.columns.stream()
            .anyMatch(
                c -> names.contains(c.name()) && !PostgreSqlConnector.isInjective(c.typeName()));
    (row.getBoolean(3) && !merged ? parts.keys : parts.doubtfulKeys).add(names);
  }

  private static List<String> strings(Array array) throws SQLException {
    return List.of((String[]) array.getArray());
  }

  private interface PartReader {
    void read(TableBuilder parts, ResultSet row) throws SQLException;
  }

  private void each(String sql, PartReader reader) throws SQLException {
    statements.run(
        sql,
        row -> {
          TableBuilder parts = found.get(row.getLong(1));
          if (parts != null) {
            reader.read(parts, row);
          }
        });
  }

  /**
   * The schema in which people find a table by its bare name: the first of the path that whoever is
   * connected has from the start. What somebody set on the same connection since does not count,
   * and our own transactions have another path.
   */
  private static final class PostgreSqlDefaultSchema {
    private static final String PATH =
        "SELECT reset_val, CURRENT_USER FROM pg_catalog.pg_settings WHERE name = 'search_path'";

    private static final String SCHEMAS =
        "SELECT n.nspname FROM pg_catalog.pg_namespace n"
            + " WHERE pg_catalog.has_schema_privilege(n.oid, 'USAGE')";

    private PostgreSqlDefaultSchema() {}

    static Optional<String> of(StatementRunner statements) throws SQLException {
      List<String> path = new ArrayList<>();
      statements.run(PATH, row -> path.addAll(names(row.getString(1), row.getString(2))));
      Set<String> present = new HashSet<>();
      statements.run(SCHEMAS, row -> present.add(row.getString(1)));
      return path.stream().filter(present::contains).findFirst();
    }

    /** The names of a path, as the server reads them. */
    static List<String> names(String path, String user) {
      List<String> names = new ArrayList<>();
      StringBuilder name = new StringBuilder();
      boolean quoted = false;
      boolean wasQuoted = false;
      for (int i = 0; i <= path.length(); i++) {
        char c = i < path.length() ? path.charAt(i) : ',';
        if (quoted && c == '"' && i + 1 < path.length() && path.charAt(i + 1) == '"') {
          name.append('"');
          i++;
        } else if (c == '"') {
          quoted = !quoted;
          wasQuoted = true;
        } else if (quoted && i < path.length()) {
          name.append(c);
        } else if (c == ',') {
          String found = name.toString();
          names.add(wasQuoted && found.equals("$user") ? user : found);
          name.setLength(0);
          wasQuoted = false;
        } else if (!Character.isWhitespace(c)) {
          name.append(String.valueOf(c).toLowerCase(Locale.ROOT));
        }
      }
      names.removeIf(String::isEmpty);
      return names;
    }
  }
}
