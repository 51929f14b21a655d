package flexdp.gateway;

import flexdp.trino.Cluster;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * A schema of Trino's memory. Nothing holds a table here, so that a move is undone only when every
 * question that saw it has ended, and no key is enforced: they count on the owner's word, which
 * tables of another type keep, too. What a view reads does not.
 */
final class MovedTrino extends MovedWorld {
  private static final String SCHEMA = "memory.moved_by_others";

  private final String url;

  MovedTrino() throws Exception {
    url = Cluster.singleUrl(SCHEMA.replace('.', '/'));
    try (Connection connection = connect()) {
      OpenGateway.write(connection, "CREATE SCHEMA IF NOT EXISTS " + SCHEMA);
      for (String table :
          List.of("t", "t_new", "t_loose", "t_wide", "t_gone", "u", "cities", "secret")) {
        OpenGateway.write(connection, "DROP TABLE IF EXISTS " + table);
      }
      OpenGateway.write(
          connection,
          "CREATE TABLE t(id integer NOT NULL, g integer NOT NULL)",
          "CREATE TABLE t_new(id integer NOT NULL, g integer NOT NULL)",
          "CREATE TABLE t_loose(id integer, g integer NOT NULL)",
          "CREATE TABLE t_wide(id bigint NOT NULL, g integer NOT NULL)",
          "CREATE TABLE u(tid integer NOT NULL, city varchar(20) NOT NULL)",
          "CREATE TABLE cities(id integer NOT NULL, name varchar(20) NOT NULL)",
          "CREATE TABLE secret(id integer NOT NULL, name varchar(20) NOT NULL)",
          "INSERT INTO t SELECT i, i FROM UNNEST(SEQUENCE(1, 20)) AS r(i)",
          "INSERT INTO t_new SELECT 1, 5000 + i FROM UNNEST(SEQUENCE(1, 1000)) AS r(i)",
          "INSERT INTO t_loose SELECT id, g FROM t",
          "INSERT INTO t_wide SELECT id, g FROM t",
          "INSERT INTO u SELECT i, 'Rome' FROM UNNEST(SEQUENCE(1, 20)) AS r(i)",
          "INSERT INTO cities VALUES (1, 'Rome'), (2, 'Oslo')",
          "INSERT INTO secret VALUES (1, 'alice')");
    }
  }

  @Override
  List<String> urls() {
    return List.of(url);
  }

  @Override
  String policy() {
    return tables("static: true, trusted: true, ", "static: true, ", "static: true, ");
  }

  @Override
  Connection connect() throws SQLException {
    return Cluster.writer(url);
  }

  @Override
  String waiting(boolean patient) {
    return "SELECT 1";
  }

  private Move replaced(String table, String by) {
    return move(
            table + " as a view",
            List.of(
                "ALTER TABLE " + table + " RENAME TO moved_x",
                "CREATE VIEW " + table + " AS SELECT * FROM " + by),
            List.of("DROP VIEW " + table, "ALTER TABLE moved_x RENAME TO " + table))
        .slowly();
  }

  private Move swapped(String name, String by) {
    return move(
            name,
            List.of("ALTER TABLE t RENAME TO moved_x", "ALTER TABLE " + by + " RENAME TO t"),
            List.of("ALTER TABLE t RENAME TO " + by, "ALTER TABLE moved_x RENAME TO t"))
        .slowly();
  }

  @Override
  List<Move> moves() {
    List<Move> all = new ArrayList<>(harmless());
    all.addAll(
        List.of(
            replaced("t", "t_new"),
            replaced("cities", "secret"),
            swapped("nullable", "t_loose"),
            swapped("type", "t_wide"),
            move(
                    "rename",
                    List.of("ALTER TABLE t RENAME TO t_gone"),
                    List.of("ALTER TABLE t_gone RENAME TO t"))
                .slowly()));
    return all;
  }

  @Override
  List<Move> harmless() {
    return List.of(
        harmless("CREATE TABLE other(i integer)", "DROP TABLE other"),
        harmless(
            "CREATE TABLE t_next(id integer NOT NULL, g integer NOT NULL)",
            "INSERT INTO t_next SELECT * FROM t",
            "ALTER TABLE t RENAME TO t_last",
            "ALTER TABLE t_next RENAME TO t",
            "DROP TABLE t_last"));
  }

  @Override
  public void close() {}
}
