package flexdp.gateway.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import flexdp.algebra.Column;
import flexdp.algebra.Relation;
import flexdp.failure.Position;
import flexdp.policy.Policy;
import flexdp.policy.Type;
import flexdp.query.Labels;
import flexdp.query.NoisyAggregate;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Grouping sets of many keys: every database tells them apart, or they are refused. */
class ManyKeysTest {
  private static final int MOST = 24;

  @Test
  void onSqlite() throws Exception {
    try (TestBed ground = new SqliteTestBed()) {
      counted(ground);
    }
  }

  @Test
  void onDuckDb() throws Exception {
    try (TestBed ground = new DuckDbTestBed()) {
      counted(ground);
    }
  }

  @Test
  void onPostgreSql() throws Exception {
    try (TestBed ground = PostgresTestBed.started()) {
      counted(ground);
    }
  }

  private static void counted(TestBed ground) throws Exception {
    List<HostileColumn> columns =
        ground.columns().stream().filter(c -> c.name().equals("name")).toList();
    HostileTables tables =
        new HostileTables(
            HostileTables.Layout.MIXED,
            columns,
            List.of(Aimed.rows(0, 50, "'a'"), List.of(), List.of()),
            0,
            List.of(),
            Aimed.row(900, "'victim'"));
    Policy policy = HostilePolicy.of(columns, false, false);
    try (Side side = new Side(ground, 0, tables, policy)) {
      BigDecimal all = BigDecimal.valueOf(50);
      for (List<Integer> some : List.of(List.of(0), List.of(0, 1), List.of(MOST - 1))) {
        assertEquals(
            List.of(List.of(all), List.of(all)),
            side.asked(ServerAims.setsOf(MOST, some)).rows(),
            some::toString);
      }
      assertEquals("TOO_COMPLEX", side.asked(ServerAims.setsOf(MOST + 1, List.of(0))).status());
      assertEquals(
          List.of(List.of(all)),
          side.asked(one(60)).rows(),
          "one set needs nothing to be told apart");
    }
  }

  private static String one(int count) {
    List<String> keys = new ArrayList<>();
    IntStream.range(0, count).forEach(i -> keys.add("CASE WHEN id = " + i + " THEN 1 ELSE 1 END"));
    return "SELECT COUNT(*) AS n FROM t GROUP BY " + String.join(", ", keys);
  }

  @Test
  void noReleasePointHasSetsWithTheSameBits() {
    Column key = new Column(0, "k", Type.INTEGER, true);
    Relation rows = new Relation.Values(List.of(key), List.of());
    assertThrows(
        IllegalArgumentException.class,
        () ->
            new NoisyAggregate(
                0,
                rows,
                Collections.nCopies(63, key),
                List.of(List.of(0), List.of()),
                List.of(),
                List.of(),
                new Labels.None(),
                Position.START));
  }
}
