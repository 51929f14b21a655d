package flexdp.gateway;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** A database of MariaDB. */
final class MovedMariaDb extends MovedWorld {
  private static final String NAME = "moved";
  private static final Series SERIES = Series::recursive;

  MovedMariaDb() throws SQLException {
    MariaDbServer.create(NAME);
    try (Connection connection = connect()) {
      OpenGateway.write(connection, tables(SERIES).toArray(String[]::new));
    }
  }

  @Override
  List<String> urls() {
    try {
      return List.of(MariaDbServer.url(NAME) + "?user=root");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  boolean holdsTables() {
    return true;
  }

  @Override
  Connection connect() throws SQLException {
    return MariaDbServer.writer(NAME);
  }

  @Override
  String waiting(boolean patient) {
    return "SET SESSION lock_wait_timeout = " + (patient ? 20 : 1);
  }

  private Move replaced(String table, String by) {
    return move(
        table + " as a view",
        List.of(
            "RENAME TABLE %1$s TO %1$s_x".formatted(table),
            "CREATE SQL SECURITY INVOKER VIEW " + table + " AS SELECT * FROM " + by),
        List.of("DROP VIEW IF EXISTS " + table, "RENAME TABLE %1$s_x TO %1$s".formatted(table)));
  }

  @Override
  List<Move> moves() {
    List<Move> all = new ArrayList<>(harmless());
    all.addAll(
        List.of(
            move(
                "drop key",
                List.of(
                    "ALTER TABLE t DROP INDEX t_key",
                    "INSERT INTO t SELECT 1, 5000 + i FROM " + SERIES.of(2, MANY)),
                List.of(
                    "DELETE FROM t WHERE id = 1",
                    "INSERT INTO t VALUES (1, 1)",
                    "ALTER TABLE t ADD CONSTRAINT t_key UNIQUE (id)")),
            exchange("swap", "RENAME TABLE t TO t_x, t_new TO t, t_x TO t_new"),
            replaced("t", "t_new"),
            replaced("cities", "secret"),
            move(
                "rename", List.of("RENAME TABLE t TO t_gone"), List.of("RENAME TABLE t_gone TO t")),
            move(
                "type",
                List.of("ALTER TABLE t MODIFY id bigint NOT NULL"),
                List.of("ALTER TABLE t MODIFY id int NOT NULL")),
            move(
                "collation",
                List.of("ALTER TABLE u MODIFY city varchar(20) COLLATE utf8mb4_bin NOT NULL"),
                List.of("ALTER TABLE u MODIFY city varchar(20) NOT NULL")),
            move(
                "a key kept by a hash",
                List.of("ALTER TABLE t DROP INDEX t_key, ADD UNIQUE t_key (id) USING HASH"),
                List.of("ALTER TABLE t DROP INDEX t_key, ADD UNIQUE t_key (id)")),
            move(
                "another engine",
                List.of("ALTER TABLE t ENGINE = MyISAM"),
                List.of("ALTER TABLE t ENGINE = InnoDB")),
            move("many rows", List.of(many(SERIES)), List.of(FEW_AGAIN))));
    return all;
  }

  @Override
  List<Move> harmless() {
    return List.of(
        harmless("ANALYZE TABLE t"),
        harmless("OPTIMIZE TABLE t"),
        harmless("CREATE INDEX IF NOT EXISTS more ON t(g)", "DROP INDEX IF EXISTS more ON t"),
        harmless(
            "ALTER TABLE u ADD COLUMN IF NOT EXISTS later int",
            "ALTER TABLE u DROP COLUMN IF EXISTS later"),
        harmless(
            "CREATE OR REPLACE TABLE t_next LIKE t",
            "INSERT INTO t_next SELECT * FROM t",
            "RENAME TABLE t TO t_last, t_next TO t",
            "DROP TABLE t_last"),
        harmless("DELETE FROM t WHERE id = 9", "INSERT INTO t VALUES (9, 9)"));
  }

  @Override
  public void close() {}
}
