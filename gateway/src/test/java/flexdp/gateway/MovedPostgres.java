package flexdp.gateway;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** A database of PostgreSQL. */
abstract class MovedPostgres extends MovedWorld {
  static final Series SERIES = "generate_series(%d, %d) AS r(i)"::formatted;

  private static final String MORE =
      """
        hidden.cities: {unit: row, columns: {id: {type: integer, nullable: false}, name: {type: varchar, nullable: false}}}
        names: {unit: row, columns: {id: {type: integer, nullable: false}, name: {type: varchar, nullable: false}, mood: {type: varchar, nullable: false, domain: [sad, glad]}}}
        parts: {unit: row, columns: {id: {type: integer, nullable: false}}}
        patients: {owners: {patient: id}, columns: {id: {type: integer, nullable: false, unique: true}}}
        visits: {owners: {patient: patient_id}, columns: {id: {type: integer, nullable: false, unique: true}, patient_id: {type: integer, nullable: false, references: patients.id}}}
        drugs: {owners: {patient: visit_id.patient_id}, columns: {id: {type: integer, nullable: false, unique: true}, visit_id: {type: integer, nullable: false, references: visits.id}}}
      people: {patient: {key: patients.id}}
      """;

  private final Writer writer;

  /** Opens a connection that may write. */
  @FunctionalInterface
  interface Writer {
    Connection connect() throws SQLException;
  }

  MovedPostgres(Writer writer) throws SQLException {
    this.writer = writer;
    try (Connection connection = connect()) {
      OpenGateway.write(connection, tables(SERIES).toArray(String[]::new));
      OpenGateway.write(
          connection,
          "CREATE TYPE mood AS ENUM ('sad', 'glad')",
          "CREATE TABLE names(id int NOT NULL, name varchar(20) NOT NULL, mood mood NOT NULL)",
          "INSERT INTO names SELECT i, 'x', 'sad' FROM " + SERIES.of(1, MANY),
          "CREATE TABLE parts(id int NOT NULL) PARTITION BY RANGE (id)",
          "CREATE TABLE parts_1 PARTITION OF parts FOR VALUES FROM (0) TO (100)",
          "INSERT INTO parts SELECT i FROM " + SERIES.of(1, FEW),
          "CREATE TABLE patients(id int PRIMARY KEY)",
          "CREATE TABLE visits(id int NOT NULL, patient_id int NOT NULL, CONSTRAINT v_key UNIQUE"
              + " (id))",
          "CREATE TABLE drugs(id int PRIMARY KEY, visit_id int NOT NULL)",
          "INSERT INTO patients SELECT i FROM " + SERIES.of(1, 400),
          "INSERT INTO visits SELECT i, i FROM " + SERIES.of(1, 400),
          "INSERT INTO drugs SELECT i, 1000 FROM " + SERIES.of(1, 40),
          "CREATE SCHEMA hidden",
          "CREATE TABLE hidden.t AS SELECT * FROM t_new",
          "ALTER TABLE hidden.t ALTER id SET NOT NULL, ALTER g SET NOT NULL",
          "CREATE TABLE hidden.u (LIKE u INCLUDING ALL)",
          "INSERT INTO hidden.u SELECT * FROM u",
          "CREATE TABLE hidden.cities (LIKE cities INCLUDING ALL)",
          "INSERT INTO hidden.cities VALUES (1, 'alice')",
          "CREATE FUNCTION public.alike(varchar, text) RETURNS boolean LANGUAGE sql AS 'SELECT"
              + " true'");
    }
  }

  @Override
  boolean holdsTables() {
    return true;
  }

  @Override
  String policy() {
    return tables("unit: row, ", "", "unit: row, ") + MORE;
  }

  @Override
  List<Mover.Bounded> questions() {
    return List.of(
        new Mover.Bounded("SELECT COUNT(*) FROM names WHERE name = 'nobody' AND id < %d", 500),
        new Mover.Bounded("SELECT COUNT(*) FROM drugs WHERE id < %d", 5000),
        new Mover.Bounded("SELECT COUNT(*) FROM parts WHERE id < %d", 500),
        new Mover.Bounded("SELECT mood, COUNT(*) FROM names WHERE id < %d GROUP BY mood", 5000));
  }

  @Override
  Connection connect() throws SQLException {
    return writer.connect();
  }

  @Override
  String waiting(boolean patient) {
    return "SET lock_timeout = '" + (patient ? "20s" : "50ms") + "'";
  }

  private static List<String> together(String... statements) {
    List<String> all = new ArrayList<>(List.of("BEGIN"));
    all.addAll(List.of(statements));
    all.add("COMMIT");
    return all;
  }

  private static List<String> swapped(String one, String other) {
    return together(
        "ALTER TABLE " + one + " RENAME TO moved_x",
        "ALTER TABLE " + other + " RENAME TO " + one,
        "ALTER TABLE moved_x RENAME TO " + other);
  }

  private Move replaced(String table, String by) {
    return move(
        table + " as a view",
        together(
            "ALTER TABLE " + table + " RENAME TO moved_x",
            "CREATE VIEW " + table + " AS SELECT * FROM " + by),
        together("DROP VIEW " + table, "ALTER TABLE moved_x RENAME TO " + table));
  }

  @Override
  List<Move> moves() {
    List<String> schemas =
        together(
            "ALTER SCHEMA public RENAME TO moved_x",
            "ALTER SCHEMA hidden RENAME TO public",
            "ALTER SCHEMA moved_x RENAME TO hidden");
    String dup = "INSERT INTO t SELECT 1, 5000 + i FROM " + SERIES.of(2, MANY);
    List<Move> all = new ArrayList<>(harmless());
    all.addAll(
        List.of(
            move(
                "drop key",
                together("ALTER TABLE t DROP CONSTRAINT t_key", dup),
                together(
                    "DELETE FROM t WHERE id = 1",
                    "INSERT INTO t VALUES (1, 1)",
                    "ALTER TABLE t ADD CONSTRAINT t_key UNIQUE (id)")),
            move(
                "drop key of visits",
                together(
                    "ALTER TABLE visits DROP CONSTRAINT v_key",
                    "INSERT INTO visits SELECT 1000, i FROM " + SERIES.of(1, 400)),
                together(
                    "DELETE FROM visits WHERE id = 1000",
                    "ALTER TABLE visits ADD CONSTRAINT v_key UNIQUE (id)")),
            move("swap", swapped("t", "t_new"), swapped("t", "t_new")),
            replaced("t", "t_new"),
            replaced("cities", "secret"),
            move("public and protected", swapped("cities", "secret"), swapped("cities", "secret")),
            move(
                "inherit",
                List.of("ALTER TABLE t_new INHERIT t"),
                List.of("ALTER TABLE t_new NO INHERIT t")),
            move(
                "type",
                List.of("ALTER TABLE t ALTER id TYPE bigint"),
                List.of("ALTER TABLE t ALTER id TYPE int")),
            move(
                "collation",
                List.of("ALTER TABLE names ALTER name TYPE varchar(20) COLLATE \"C\""),
                List.of("ALTER TABLE names ALTER name TYPE varchar(20) COLLATE \"default\"")),
            move(
                "nullable",
                List.of("ALTER TABLE t ALTER id DROP NOT NULL"),
                List.of("ALTER TABLE t ALTER id SET NOT NULL")),
            move(
                "rename",
                List.of("ALTER TABLE t RENAME TO t_gone"),
                List.of("ALTER TABLE t_gone RENAME TO t")),
            move(
                "rename column",
                together(
                    "ALTER TABLE t RENAME id TO moved_x",
                    "ALTER TABLE t RENAME g TO id",
                    "ALTER TABLE t RENAME moved_x TO g"),
                together(
                    "ALTER TABLE t RENAME id TO moved_x",
                    "ALTER TABLE t RENAME g TO id",
                    "ALTER TABLE t RENAME moved_x TO g")),
            move(
                "a stranger's operator",
                List.of(
                    "CREATE OPERATOR public.= (leftarg = varchar, rightarg = text, function ="
                        + " public.alike)"),
                List.of("DROP OPERATOR public.= (varchar, text)")),
            move("many rows", List.of(many(SERIES)), List.of(FEW_AGAIN)),
            move("schemas", schemas, schemas).slowly()));
    return all;
  }

  /**
   * Reindexing that was stopped leaves its indexes behind, and what is made like the table has them
   * twice: in an hour there would be thousands.
   */
  private static final String WITHOUT_LEFTOVERS =
      """
      DO $$ DECLARE i regclass; BEGIN
        FOR i IN SELECT indexrelid::regclass FROM pg_index WHERE indrelid = 't'::regclass
          AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid)
        LOOP EXECUTE 'DROP INDEX ' || i; END LOOP;
      END $$\
      """;

  @Override
  List<Move> harmless() {
    return List.of(
        harmless("ANALYZE t"),
        harmless("CREATE INDEX IF NOT EXISTS more ON t(g)", "DROP INDEX IF EXISTS more"),
        harmless("REINDEX TABLE CONCURRENTLY t"),
        harmless("VACUUM FULL t"),
        harmless("GRANT SELECT ON t TO PUBLIC"),
        harmless("ALTER TABLE u ADD COLUMN later int", "ALTER TABLE u DROP COLUMN later"),
        harmless(
            "ALTER TYPE mood RENAME VALUE 'glad' TO 'gay'",
            "ALTER TYPE mood RENAME VALUE 'gay' TO 'glad'"),
        harmless(
            "BEGIN",
            WITHOUT_LEFTOVERS,
            "CREATE TABLE t_next(LIKE t INCLUDING ALL)",
            "INSERT INTO t_next SELECT * FROM t",
            "DROP TABLE t",
            "ALTER TABLE t_next RENAME TO t",
            "ALTER TABLE t RENAME CONSTRAINT t_next_id_key TO t_key",
            "COMMIT"),
        harmless(
            "CREATE TABLE parts_2 PARTITION OF parts FOR VALUES FROM (100) TO (200)",
            "INSERT INTO parts VALUES (150)",
            "ALTER TABLE parts DETACH PARTITION parts_2",
            "DROP TABLE parts_2"),
        harmless("DELETE FROM t WHERE id = 9", "INSERT INTO t VALUES (9, 9)"));
  }

  @Override
  public void close() throws Exception {}

  /** One of the databases of the server that tests share. */
  static final class Alone extends MovedPostgres {
    private final FreshPostgres fresh;

    private Alone(FreshPostgres fresh) throws SQLException {
      super(fresh::connect);
      this.fresh = fresh;
    }

    static Alone create() throws SQLException {
      return new Alone(FreshPostgres.create());
    }

    @Override
    List<String> urls() {
      return List.of(fresh.url());
    }

    @Override
    public void close() throws Exception {
      fresh.close();
    }
  }
}
