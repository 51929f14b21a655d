package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.gateway.collect.PolicyCheck;
import flexdp.gateway.database.Connectors;
import flexdp.gateway.database.Databases;
import flexdp.policy.Policy;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Somebody else may create things in a schema that our user's search path names before the system's
 * own: a stand-in for every function, operator and table of the catalog, which fails when it is
 * reached. (One that does not fail would run with our rights.)
 */
class StrangersInThePathTest {
  private static final Policy POLICY =
      OpenGateway.policy(
          """
          privacy: {epsilon: 1, delta: 1e-9, budget: {epsilon: 100, delta: 1e-6}}
          tables:
            t:
              columns:
                id: {type: integer, nullable: false, unique: true}
                name: {type: varchar, nullable: false}
                mood: {type: varchar, nullable: false, domain: [sad, glad]}
          """);

  private static final String STAND_INS =
      """
      DO $do$
      DECLARE p record; a text; b text;
      BEGIN
        FOR p IN SELECT proname, pg_get_function_identity_arguments(oid) AS args FROM pg_proc
          WHERE pronamespace = 'pg_catalog'::regnamespace AND prokind = 'f'
            AND pg_get_function_identity_arguments(oid) !~ 'any|internal|cstring|OUT|VARIADIC|trigger|handler|record'
        LOOP
          BEGIN
            EXECUTE format('CREATE FUNCTION strange.%I(%s) RETURNS text LANGUAGE plpgsql AS %L',
              p.proname, p.args, 'BEGIN RAISE ''reached''; END');
          EXCEPTION WHEN OTHERS THEN NULL;
          END;
        END LOOP;
        CREATE FUNCTION strange.quote_literal(name) RETURNS text LANGUAGE plpgsql
          AS 'BEGIN RAISE ''reached''; END';
        FOR p IN SELECT oid, oprname, format_type(oprleft, NULL) AS l, format_type(oprright, NULL) AS r,
            format_type(oprresult, NULL) AS result FROM pg_operator WHERE oprkind = 'b'
            AND oprleft::regtype::text !~ '^any' AND oprright::regtype::text !~ '^any'
        LOOP
          BEGIN
            EXECUTE format('CREATE FUNCTION strange.op_%s(%s, %s) RETURNS %s LANGUAGE plpgsql AS %L',
              p.oid, p.l, p.r, p.result, 'BEGIN RAISE ''reached''; END');
            EXECUTE format('CREATE OPERATOR strange.%s (leftarg = %s, rightarg = %s, function = strange.op_%s)',
              p.oprname, p.l, p.r, p.oid);
          EXCEPTION WHEN OTHERS THEN NULL;
          END;
        END LOOP;
        FOR p IN SELECT relname FROM pg_class WHERE relnamespace = 'pg_catalog'::regnamespace
          AND relkind IN ('r', 'v')
        LOOP
          EXECUTE format('CREATE VIEW strange.%I AS SELECT 1 / (random() * 0)::int AS oid', p.relname);
        END LOOP;
      END $do$\
      """;

  @TempDir Path folder;

  @Test
  void nothingOfTheirsIsReached() throws Exception {
    try (EmbeddedPostgres server = FreshPostgres.own().start();
        Connection owner = server.getPostgresDatabase().getConnection()) {
      OpenGateway.write(
          owner,
          "CREATE TYPE mood AS ENUM ('sad', 'glad')",
          "CREATE TABLE t(id int PRIMARY KEY, name varchar(20) NOT NULL, mood mood NOT NULL)",
          "INSERT INTO t SELECT i, 'x', 'sad' FROM generate_series(1, 1000) i",
          "CREATE ROLE reader LOGIN PASSWORD 'x'",
          "CREATE ROLE mallory",
          "GRANT SELECT ON t TO reader",
          "CREATE SCHEMA strange AUTHORIZATION mallory",
          "GRANT USAGE ON SCHEMA strange TO PUBLIC",
          "ALTER ROLE reader SET search_path = public, strange, pg_catalog",
          "SET ROLE mallory",
          STAND_INS,
          "GRANT SELECT ON ALL TABLES IN SCHEMA strange TO PUBLIC",
          "RESET ROLE",
          "ALTER ROLE reader SET search_path = strange, pg_catalog");
      expectReached(server);
      String url = server.getJdbcUrl("reader", "postgres") + "&password=x";
      try (Connection reader = Databases.readOnly(url)) {
        assertEquals(
            List.of("public.t"),
            Connectors.of(reader).tables(reader).stream()
                .filter(t -> t.kind() == flexdp.gateway.catalog.PhysicalTable.Kind.TABLE)
                .map(t -> t.policyName())
                .toList());
      }
      OpenGateway.write(
          owner, "ALTER ROLE reader SET search_path = public, strange, pg_catalog, \"$user\"");
      try (Connection reader = Databases.readOnly(url)) {
        assertEquals(List.of(), PolicyCheck.run(POLICY, reader));
      }
      try (OpenGateway open = new OpenGateway(url, POLICY, folder)) {
        assertTrue(open.number("SELECT COUNT(*) FROM t WHERE name = 'nobody'") < 500);
        assertTrue(open.number("SELECT COUNT(*) FROM t WHERE lower(name) = 'x'") > 500);
        open.ask(
            "SELECT mood, COUNT(*), SUM(CASE WHEN id > 5 THEN 1 ELSE 0 END) FROM t GROUP BY mood");
        assertEquals(List.of(), open.log);
      }
    }
  }

  /** The stand-ins do stand in the way of who does not look out. */
  private static void expectReached(EmbeddedPostgres server) throws SQLException {
    try (Connection reader =
            java.sql.DriverManager.getConnection(
                server.getJdbcUrl("reader", "postgres") + "&password=x");
        Statement statement = reader.createStatement()) {
      for (String sql :
          List.of(
              "SELECT lower('X')",
              "SELECT 1 FROM public.t WHERE id = 1",
              "SELECT count(*) FROM pg_class")) {
        try (ResultSet ignored = statement.executeQuery(sql)) {
          throw new AssertionError("not reached: " + sql);
        } catch (SQLException e) {
          assertTrue(
              e.getMessage().contains("reached") || e.getMessage().contains("division by zero"),
              e.getMessage());
        }
      }
    }
  }
}
