package flexdp.server.pgcatalog;

import flexdp.policy.ColumnSpec;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import flexdp.policy.Type;
import flexdp.server.types.PgType;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The policy's tables as PostgreSQL would have them in its catalogue, empty. A table's first key
 * whose columns are never NULL is shown as its primary key, since tools look for one; references
 * are shown as foreign keys that nobody has validated. Nothing here comes from the data.
 */
final class PolicyRows {
  private static final int PUBLIC = 2200;

  private final Connection connection;
  private final Policy policy;
  private final Map<String, Integer> schemas = new TreeMap<>();
  private final Map<String, Integer> relations = new TreeMap<>();
  private int next = 16_386;

  PolicyRows(Connection connection, Policy policy) {
    this.connection = connection;
    this.policy = policy;
  }

  void insert() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String table : PolicySql.STAGING) {
        statement.execute(table);
      }
    }
    schemas.put("public", PUBLIC);
    for (Table table : policy.tables().values()) {
      stage(table);
    }
    for (Table table : policy.tables().values()) {
      keys(table);
      references(table);
    }
    try (Statement statement = connection.createStatement()) {
      for (String rows : PolicySql.ROWS) {
        statement.execute(rows);
      }
    }
  }

  private static String schema(Table table) {
    int dot = table.name().lastIndexOf('.');
    return dot < 0 ? "public" : table.name().substring(0, dot);
  }

  private static String bare(Table table) {
    return table.name().substring(table.name().lastIndexOf('.') + 1);
  }

  private void stage(Table table) throws SQLException {
    if (!schemas.containsKey(schema(table))) {
      schemas.put(schema(table), next++);
      row("fdx_schemas", schemas.get(schema(table)), schema(table));
    }
    int relation = next++;
    relations.put(table.name(), relation);
    row(
        "fdx_tables",
        relation,
        schemas.get(schema(table)),
        bare(table),
        next++,
        next++,
        table.columns().size());
    int number = 1;
    for (ColumnSpec column : table.columns()) {
      row(
          "fdx_columns",
          relation,
          number++,
          column.name(),
          typeName(column.type()),
          modifier(column.type()),
          !column.nullable());
    }
  }

  private static String typeName(Type type) {
    return PgType.of(type).word();
  }

  private static int modifier(Type type) {
    return type.kind() == Type.Kind.DECIMAL ? (type.precision() << 16 | type.scale()) + 4 : -1;
  }

  private void keys(Table table) throws SQLException {
    boolean primary = false;
    List<Set<String>> seen = new ArrayList<>();
    for (Set<String> key : table.uniqueKeys()) {
      if (seen.contains(key)) {
        continue;
      }
      seen.add(key);
      List<String> columns = ordered(table, key);
      boolean whole = columns.stream().noneMatch(c -> table.column(c).orElseThrow().nullable());
      boolean first = whole && !primary;
      primary |= first;
      String name = first ? bare(table) + "_pkey" : PgNames.key(bare(table), columns, "key");
      String listed = "(" + PgNames.quoted(columns) + ")";
      row(
          "fdx_keys",
          next++,
          next++,
          relations.get(table.name()),
          name,
          first ? "p" : "u",
          numbers(table, columns),
          (first ? "PRIMARY KEY " : "UNIQUE ") + listed,
          "CREATE UNIQUE INDEX "
              + PgNames.quoted(name)
              + " ON "
              + schema(table)
              + "."
              + PgNames.quoted(bare(table))
              + " USING btree "
              + listed);
    }
  }

  /** In the order of the table, as the sets of the policy have none. */
  private static List<String> ordered(Table table, Set<String> key) {
    return table.columns().stream().map(ColumnSpec::name).filter(key::contains).toList();
  }

  private static String numbers(Table table, List<String> columns) {
    List<String> names = table.columns().stream().map(ColumnSpec::name).toList();
    return columns.stream().map(c -> Integer.toString(names.indexOf(c) + 1)).toList().toString();
  }

  private void references(Table table) throws SQLException {
    for (ColumnSpec column : table.columns()) {
      if (column.references().isEmpty()) {
        continue;
      }
      ColumnSpec.Reference reference = column.references().get();
      Table other = policy.table(reference.table()).orElse(null);
      if (other == null || !other.uniqueKeys().contains(Set.of(reference.column()))) {
        continue;
      }
      row(
          "fdx_references",
          next++,
          relations.get(table.name()),
          PgNames.key(bare(table), List.of(column.name()), "fkey"),
          numbers(table, List.of(column.name())),
          relations.get(other.name()),
          numbers(other, List.of(reference.column())),
          "FOREIGN KEY ("
              + PgNames.quoted(column.name())
              + ") REFERENCES "
              + PgNames.quoted(bare(other))
              + "("
              + PgNames.quoted(reference.column())
              + ") NOT VALID");
    }
  }

  private void row(String table, Object... values) throws SQLException {
    String places = "?" + ", ?".repeat(values.length - 1);
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO temp.main." + table + " VALUES (" + places + ")")) {
      for (int i = 0; i < values.length; i++) {
        insert.setObject(i + 1, values[i]);
      }
      insert.execute();
    }
  }

  /** Names as PostgreSQL makes and writes them. */
  static final class PgNames {
    private static final int LONGEST = 63;

    private PgNames() {}

    /** The name that a key gets when nobody gives it one. */
    static String key(String table, List<String> columns, String kind) {
      String joined = String.join("_", columns);
      int room = LONGEST - kind.length() - 2;
      String first = table;
      while (first.length() + joined.length() > room) {
        if (first.length() > joined.length()) {
          first = first.substring(0, first.length() - 1);
        } else {
          joined = joined.substring(0, joined.length() - 1);
        }
      }
      return first + "_" + joined + "_" + kind;
    }

    static String quoted(List<String> names) {
      return names.stream().map(PgNames::quoted).collect(Collectors.joining(", "));
    }

    static String quoted(String name) {
      return name.matches("[a-z_][a-z0-9_]*") ? name : '"' + name.replace("\"", "\"\"") + '"';
    }
  }

  /** How staged tables, columns and keys become rows of the catalogue. */
  static final class PolicySql {

    static final List<String> STAGING =
        List.of(
            "CREATE TEMP TABLE fdx_schemas (id UINTEGER, name VARCHAR)",
            "CREATE TEMP TABLE fdx_tables (id UINTEGER, schema UINTEGER, name VARCHAR,"
                + " array_type UINTEGER, row_type UINTEGER, width SMALLINT)",
            "CREATE TEMP TABLE fdx_columns (id UINTEGER, num SMALLINT, name VARCHAR, type VARCHAR,"
                + " modifier INTEGER, never_null BOOLEAN)",
            "CREATE TEMP TABLE fdx_keys (id UINTEGER, index_id UINTEGER, relation UINTEGER, name"
                + " VARCHAR, kind VARCHAR, columns SMALLINT[], definition VARCHAR, index_definition"
                + " VARCHAR)",
            "CREATE TEMP TABLE fdx_references (id UINTEGER, relation UINTEGER, name VARCHAR, columns"
                + " SMALLINT[], other UINTEGER, other_columns SMALLINT[], definition VARCHAR)");

    static final List<String> ROWS =
        List.of(
            """
          INSERT INTO pgc.pg_namespace BY NAME
          SELECT id AS oid, name AS nspname, 16384 AS nspowner FROM fdx_schemas
          """,
            """
          INSERT INTO pgc.pg_class BY NAME
          SELECT t.id AS oid, t.name AS relname, t.schema AS relnamespace, t.row_type AS reltype,
            0 AS reloftype, 16384 AS relowner, 2 AS relam, t.id AS relfilenode, 0 AS reltablespace,
            0 AS relpages, -1 AS reltuples, 0 AS relallvisible, 0 AS reltoastrelid,
            t.id IN (SELECT relation FROM fdx_keys) AS relhasindex, false AS relisshared,
            'p' AS relpersistence, 'r' AS relkind, t.width AS relnatts, 0 AS relchecks,
            false AS relhasrules,
            t.id IN (SELECT relation FROM fdx_references UNION SELECT other FROM fdx_references)
              AS relhastriggers,
            false AS relhassubclass, false AS relrowsecurity, false AS relforcerowsecurity,
            true AS relispopulated, 'd' AS relreplident, false AS relispartition, 0 AS relrewrite,
            726 AS relfrozenxid, 1 AS relminmxid
          FROM fdx_tables t
          """,
            """
          INSERT INTO pgc.pg_class BY NAME
          SELECT k.index_id AS oid, k.name AS relname, t.schema AS relnamespace, 0 AS reltype,
            0 AS reloftype, 16384 AS relowner, 403 AS relam, k.index_id AS relfilenode,
            0 AS reltablespace, 1 AS relpages, 0 AS reltuples, 0 AS relallvisible,
            0 AS reltoastrelid, false AS relhasindex, false AS relisshared, 'p' AS relpersistence,
            'i' AS relkind, len(k.columns) AS relnatts, 0 AS relchecks, false AS relhasrules,
            false AS relhastriggers, false AS relhassubclass, false AS relrowsecurity,
            false AS relforcerowsecurity, true AS relispopulated, 'n' AS relreplident,
            false AS relispartition, 0 AS relrewrite, 0 AS relfrozenxid, 0 AS relminmxid
          FROM fdx_keys k JOIN fdx_tables t ON t.id = k.relation
          """,
            """
          INSERT INTO pgc.pg_attribute BY NAME
          SELECT c.id AS attrelid, c.name AS attname, t.oid AS atttypid, -1 AS attstattarget,
            t.typlen AS attlen, c.num AS attnum, 0 AS attndims, -1 AS attcacheoff,
            c.modifier AS atttypmod, t.typbyval AS attbyval, t.typalign AS attalign,
            t.typstorage AS attstorage, '' AS attcompression, c.never_null AS attnotnull,
            false AS atthasdef, false AS atthasmissing, '' AS attidentity, '' AS attgenerated,
            false AS attisdropped, true AS attislocal, 0 AS attinhcount,
            t.typcollation AS attcollation
          FROM fdx_columns c JOIN pgc.pg_type t ON t.typname = c.type AND t.typnamespace = 11
          """,
            // Those that a primary key is made of are never NULL, and indexes have columns too.
            """
          INSERT INTO pgc.pg_attribute BY NAME
          SELECT k.index_id AS attrelid, a.attname, a.atttypid, -1 AS attstattarget, a.attlen,
            p.n AS attnum, 0 AS attndims, -1 AS attcacheoff, a.atttypmod, a.attbyval, a.attalign,
            a.attstorage, '' AS attcompression, false AS attnotnull, false AS atthasdef,
            false AS atthasmissing, '' AS attidentity, '' AS attgenerated, false AS attisdropped,
            true AS attislocal, 0 AS attinhcount, a.attcollation
          FROM fdx_keys k, unnest(range(1, len(k.columns) + 1)) AS p(n)
            JOIN pgc.pg_attribute a ON a.attrelid = k.relation AND a.attnum = k.columns[p.n]
          """,
            """
          INSERT INTO pgc.pg_attribute BY NAME
          SELECT t.id AS attrelid, a.attname, a.atttypid, a.attstattarget, a.attlen, a.attnum,
            a.attndims, a.attcacheoff, a.atttypmod, a.attbyval, a.attalign, a.attstorage,
            a.attcompression, a.attnotnull, a.atthasdef, a.atthasmissing, a.attidentity,
            a.attgenerated, a.attisdropped, a.attislocal, a.attinhcount, a.attcollation
          FROM fdx_tables t, pgc.pg_attribute a WHERE a.attrelid = 1259 AND a.attnum < 0
          """,
            """
          INSERT INTO pgc.pg_type BY NAME
          SELECT y.* REPLACE (t.row_type AS oid, t.name AS typname, t.schema AS typnamespace,
            16384 AS typowner, t.id AS typrelid, t.array_type AS typarray)
          FROM fdx_tables t, pgc.pg_type y WHERE y.oid = 83
          """,
            """
          INSERT INTO pgc.pg_type BY NAME
          SELECT y.* REPLACE (t.array_type AS oid, '_' || t.name AS typname,
            t.schema AS typnamespace, 16384 AS typowner, t.row_type AS typelem, 'd' AS typalign,
            0 AS typcollation)
          FROM fdx_tables t, pgc.pg_type y WHERE y.oid = 1009
          """,
            """
          INSERT INTO pgc.pg_index BY NAME
          SELECT k.index_id AS indexrelid, k.relation AS indrelid, len(k.columns) AS indnatts,
            len(k.columns) AS indnkeyatts, true AS indisunique, false AS indnullsnotdistinct,
            k.kind = 'p' AS indisprimary, false AS indisexclusion, true AS indimmediate,
            false AS indisclustered, true AS indisvalid, false AS indcheckxmin, true AS indisready,
            true AS indislive, false AS indisreplident, k.columns::HUGEINT[] AS indkey,
            (SELECT list(a.attcollation::UHUGEINT ORDER BY p.n)
              FROM unnest(range(1, len(k.columns) + 1)) AS p(n)
              JOIN pgc.pg_attribute a ON a.attrelid = k.relation AND a.attnum = k.columns[p.n])
              AS indcollation,
            (SELECT list(coalesce(o.oid, 3126)::UHUGEINT ORDER BY p.n)
              FROM unnest(range(1, len(k.columns) + 1)) AS p(n)
              JOIN pgc.pg_attribute a ON a.attrelid = k.relation AND a.attnum = k.columns[p.n]
              LEFT JOIN pgc.pg_opclass o ON o.opcmethod = 403 AND o.opcdefault
                AND o.opcintype = CASE WHEN a.atttypid = 1043 THEN 25 ELSE a.atttypid END)
              AS indclass,
            list_transform(k.columns, lambda x: 0::HUGEINT) AS indoption,
            k.index_definition AS fdx_definition
          FROM fdx_keys k
          """,
            """
          INSERT INTO pgc.pg_constraint BY NAME
          SELECT k.id AS oid, k.name AS conname, t.schema AS connamespace, k.kind AS contype,
            false AS condeferrable, false AS condeferred, true AS convalidated,
            k.relation AS conrelid, 0 AS contypid, k.index_id AS conindid, 0 AS conparentid,
            0 AS confrelid, ' ' AS confupdtype, ' ' AS confdeltype, ' ' AS confmatchtype,
            true AS conislocal, 0 AS coninhcount, true AS connoinherit, k.columns AS conkey,
            k.definition AS fdx_definition
          FROM fdx_keys k JOIN fdx_tables t ON t.id = k.relation
          """,
            """
          INSERT INTO pgc.pg_constraint BY NAME
          SELECT r.id AS oid, r.name AS conname, t.schema AS connamespace, 'f' AS contype,
            false AS condeferrable, false AS condeferred, false AS convalidated,
            r.relation AS conrelid, 0 AS contypid, k.index_id AS conindid, 0 AS conparentid,
            r.other AS confrelid, 'a' AS confupdtype, 'a' AS confdeltype, 's' AS confmatchtype,
            true AS conislocal, 0 AS coninhcount, true AS connoinherit, r.columns AS conkey,
            r.other_columns AS confkey, r.definition AS fdx_definition
          FROM fdx_references r JOIN fdx_tables t ON t.id = r.relation
            LEFT JOIN fdx_keys k ON k.relation = r.other AND k.columns = r.other_columns
          """,
            "UPDATE pgc.pg_attribute SET attnotnull = true WHERE (attrelid, attnum) IN"
                + " (SELECT relation, unnest(columns) FROM fdx_keys WHERE kind = 'p')",
            // The analyst is a role of their own, and there is one database.
            """
          ALTER TABLE pgc.pg_authid RENAME TO fdx_authid
          """,
            """
          CREATE VIEW pgc.pg_authid AS SELECT * FROM pgc.fdx_authid UNION ALL BY NAME
          SELECT 16384::UINTEGER AS oid, getvariable('fdx_user') AS rolname, false AS rolsuper,
            true AS rolinherit, false AS rolcreaterole, false AS rolcreatedb, true AS rolcanlogin,
            false AS rolreplication, false AS rolbypassrls, -1 AS rolconnlimit
          """,
            "ALTER TABLE pgc.pg_database RENAME TO fdx_database",
            """
          CREATE VIEW pgc.pg_database AS SELECT * FROM pgc.fdx_database WHERE datname <> 'postgres'
          UNION ALL BY NAME
          SELECT 16385::UINTEGER AS oid, getvariable('fdx_database') AS datname,
            16384::UINTEGER AS datdba, 6 AS encoding, 'c' AS datlocprovider, false AS datistemplate,
            true AS datallowconn, -1 AS datconnlimit, 717 AS datfrozenxid, 1 AS datminmxid,
            1663::UINTEGER AS dattablespace, 'C.UTF-8' AS datcollate, 'C.UTF-8' AS datctype
          """);

    private PolicySql() {}
  }
}
