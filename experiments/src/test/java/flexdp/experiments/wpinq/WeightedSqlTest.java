package flexdp.experiments.wpinq;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.experiments.wpinq.Weighted.Distinct;
import flexdp.experiments.wpinq.Weighted.Join;
import flexdp.experiments.wpinq.Weighted.Rows;
import flexdp.experiments.wpinq.Weighted.Where;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Weights computed by the database and by hand. */
class WeightedSqlTest {
  private static final Weighted T = new Rows("t", List.of("id", "a"));
  private static final Weighted U = new Rows("u", List.of("id AS uid", "b"));
  private static final Weighted V = new Rows("v", List.of("id AS vid", "c"));
  private static final Weighted JOINED = new Join(T, "a", U, "b");

  private Connection connection;

  @BeforeEach
  void open() throws Exception {
    connection = DriverManager.getConnection("jdbc:duckdb:");
    run("CREATE TABLE t (id INTEGER, a INTEGER)");
    run("CREATE TABLE u (id INTEGER, b INTEGER)");
    run("CREATE TABLE v (id INTEGER, c INTEGER)");
  }

  @AfterEach
  void close() throws Exception {
    connection.close();
  }

  private void run(String sql) throws Exception {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private double total(Weighted program) throws Exception {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(WeightedSql.grouped(program, ""))) {
      rows.next();
      return rows.getDouble(1);
    }
  }

  @Test
  void aPairSharesTheWeightOfItsKey() throws Exception {
    run("INSERT INTO t VALUES (1, 1), (2, 1), (3, 2), (4, 3), (5, NULL)");
    run("INSERT INTO u VALUES (1, 1), (2, 2), (3, 2), (4, 2), (5, NULL)");
    // Key 1: 2·1 pairs of 1/(2+1); key 2: 1·3 pairs of 1/(1+3); key 3 and NULL meet nobody.
    assertEquals(2.0 / 3 + 3.0 / 4, total(JOINED), 1e-12);
    // One row of t leaves: key 2 has a single row on one side only.
    assertEquals(2.0 / 3, total(new Join(new Where(T, "id <> 3"), "a", U, "b")), 1e-12);
  }

  @Test
  void weightsOfAJoinGoOnIntoTheNext() throws Exception {
    run("INSERT INTO t VALUES (1, 1), (2, 1)");
    run("INSERT INTO u VALUES (7, 1)");
    run("INSERT INTO v VALUES (1, 7), (2, 7)");
    // t ⋈ u: two pairs of 1/3, both with uid 7: W1 = 2/3. v: two rows with key 7: W2 = 2.
    double pair = (1.0 / 3) * 1 / (2.0 / 3 + 2);
    assertEquals(4 * pair, total(new Join(JOINED, "uid", V, "c")), 1e-12);
  }

  @Test
  void distinctRecordsWeighOneAtMost() throws Exception {
    run("INSERT INTO t VALUES (1, 1), (2, 1), (3, 2)");
    assertEquals(2, total(new Distinct(T, List.of("a"))), 1e-12);
    run("INSERT INTO u VALUES (1, 1), (2, 2)");
    // Key 1: two pairs of 1/3; key 2: one of 1/2.
    assertEquals(2.0 / 3 + 0.5, total(new Distinct(JOINED, List.of("a"))), 1e-12);
  }

  /** The property that wPINQ's noise rests on. */
  @Test
  void oneRowNeverMovesTheTotalByMoreThanOne() throws Exception {
    SplittableRandom random = new SplittableRandom(5);
    Weighted chain = new Join(JOINED, "uid", V, "c");
    for (int round = 0; round < 15; round++) {
      for (String table : List.of("t", "u", "v")) {
        run("DELETE FROM " + table);
        for (int i = random.nextInt(6); i > 0; i--) {
          run("INSERT INTO " + table + " VALUES (" + i + ", " + random.nextInt(4) + ")");
        }
      }
      for (Weighted program : List.of(JOINED, chain, new Distinct(chain, List.of("a")))) {
        double before = total(program);
        String table = List.of("t", "u", "v").get(random.nextInt(3));
        run("INSERT INTO " + table + " VALUES (9, " + random.nextInt(4) + ")");
        assertTrue(Math.abs(total(program) - before) <= 1 + 1e-9);
      }
    }
  }
}
