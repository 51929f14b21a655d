package flexdp.server.catalogue;

import java.util.List;

/** How staged tables, columns and keys become rows of the catalogue. */
final class PolicySql {

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
