package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.policy.Policy;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * PostgreSQL behind PgBouncer in transaction mode, with one connection to the server that all
 * clients share: whatever one of them sets for its session, the next one has.
 */
class BehindAPoolerTest {
  private static final Policy POLICY =
      OpenGateway.policy(
          """
          privacy: {epsilon: 1, delta: 1e-9, budget: {epsilon: 100, delta: 1e-6}}
          tables:
            t: {columns: {id: {type: integer, nullable: false, unique: true}, name: {type: varchar, nullable: false}}}
          """);

  private static final String NOBODY = "SELECT COUNT(*) FROM t WHERE name = 'nobody'";

  @TempDir Path folder;

  @Test
  void nothingIsTakenFromOtherClientsAndNothingLeftToThem() throws Exception {
    try (EmbeddedPostgres server = FreshPostgres.own().start();
        Connection owner = server.getPostgresDatabase().getConnection()) {
      OpenGateway.write(
          owner,
          "CREATE TABLE t(id int PRIMARY KEY, name varchar(20) NOT NULL)",
          "INSERT INTO t SELECT i, 'x' FROM generate_series(1, 1000) i",
          "CREATE FUNCTION public.eq(varchar, text) RETURNS boolean LANGUAGE sql AS 'SELECT true'",
          "CREATE OPERATOR public.= (leftarg = varchar, rightarg = text, function = public.eq)");
      try (Pooler pooler = new Pooler(folder, server.getPort(), 1)) {
        try (Connection other = pooler.connect();
            OpenGateway open = new OpenGateway(pooler.url(), POLICY, folder)) {
          assertTrue(open.number(NOBODY) < 500);
          OpenGateway.write(
              other,
              "SET SESSION search_path = public, pg_catalog",
              "SET SESSION bytea_output = 'escape'",
              "SET SESSION default_transaction_isolation = 'read committed'");
          assertEquals(1000, count(other, "SELECT count(*) FROM t WHERE name = 'nobody'::text"));
          assertTrue(open.number(NOBODY) < 500);
          assertTrue(open.number("SELECT COUNT(*) FROM t") > 500);
          OpenGateway.write(other, "CREATE TABLE written(a int)");
          assertEquals(
              List.of("bytea_output", "default_transaction_isolation", "search_path"), set(other));
        }
      }
    }
  }

  /** What is set on the connection to the server, other than by its clients' own first words. */
  private static List<String> set(Connection client) throws SQLException {
    List<String> names = new ArrayList<>();
    try (Statement statement = client.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT name FROM pg_catalog.pg_settings WHERE source = 'session' AND name NOT IN"
                    + " ('application_name', 'client_encoding', 'TimeZone', 'DateStyle',"
                    + " 'standard_conforming_strings', 'IntervalStyle') ORDER BY lower(name)")) {
      while (rows.next()) {
        names.add(rows.getString(1));
      }
    }
    return names;
  }

  private static long count(Connection client, String sql) throws SQLException {
    try (Statement statement = client.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }
}
