package flexdp.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.Analyzer;
import flexdp.gateway.ask.ProgramAsk;
import flexdp.gateway.database.Database;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.database.OwnerLog;
import flexdp.gateway.database.Session;
import flexdp.gateway.plan.Planning;
import flexdp.gateway.plan.Rendered;
import flexdp.gateway.program.PlannedProgram;
import flexdp.gateway.program.ProgramPlanning;
import flexdp.gateway.text.TextFiles;
import flexdp.metrics.Metrics;
import flexdp.plan.Plan;
import flexdp.plan.Planned;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.question.Measurement;
import flexdp.question.ReleasePoint;
import flexdp.release.Histogram;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.duckdb.DuckDBConnection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Brute force: small tables, every row taken away, and a program whose results jump about in its
 * range with every row it sees. What changes is never more than what the noise is made for.
 */
class ProgramNeighboursTest {
  /** A mess of all numbers of all rows, from −13 to 13 in steps of a thousandth. */
  private static final String MESS =
      """
      (module
        (global $h (mut i64) (i64.const 88172645463325252))
        (func $mix (param $v i64)
          (global.set $h (i64.mul (i64.xor (global.get $h) (local.get $v)) (i64.const 1099511628211)))
          (global.set $h (i64.xor (global.get $h) (i64.shr_u (global.get $h) (i64.const 29)))))
        (func (export "row") (param f64 f64)
          (call $mix (i64.reinterpret_f64 (local.get 0)))
          (call $mix (i64.reinterpret_f64 (local.get 1))))
        (func $out (result f64)
          (call $mix (i64.const 77))
          (if (i64.eqz (i64.rem_u (global.get $h) (i64.const 7))) (then unreachable))
          (f64.sub (f64.div (f64.convert_i64_u (i64.rem_u (global.get $h) (i64.const 26001)))
            (f64.const 1000)) (f64.const 13)))
        (func (export "a") (result f64) (call $out))
        (func (export "b") (result f64) (call $out))
        (func (export "c") (result f64)
          (call $mix (i64.const 78))
          (if (result f64) (i64.eqz (i64.rem_u (global.get $h) (i64.const 3)))
            (then (f64.const nan)) (else (call $out)))))
      """;

  private static final String JOINED =
      "SELECT t.driver_id, t.km, d.rating FROM trips t JOIN drivers d ON t.driver_id = d.id";
  private static final String PADDED =
      "SELECT t.driver_id, t.km, d.rating FROM trips t LEFT JOIN drivers d ON t.driver_id = d.id";

  @TempDir Path folder;

  @Test
  void noRowMovesMoreThanTheNoiseIsMadeFor() throws IOException, SQLException {
    TripsPrograms trips = new TripsPrograms(folder, Wat.bytes(MESS));
    List<ProgramAsk> questions =
        List.of(
            trips.blocks("SELECT id, km, fare FROM trips", 3, "id", true, 1, "a:-10:10", "b:2:9:2"),
            trips.blocks("SELECT id, km, fare FROM trips", 3, "id", false, 1, "a:-10:-3", "c:0:9"),
            trips.blocks(JOINED, 2, "driver_id", true, 1, "a:-10:10:10"),
            trips.blocks(PADDED, 2, "driver_id", true, 1, "a:-10:10:-10"),
            trips.blocks(PADDED, 2, "driver_id", false, 1, "b:-10:-1"),
            trips.rows("SELECT km, fare FROM trips", 1, 1, "a:-10:-4"),
            trips.rows("SELECT km, fare FROM trips", 1, 1, "a:-10:3", "b:0:12", "c:-1:1"),
            trips.rows("SELECT km, fare FROM trips", 2, 1, "a:-10:3", "b:0:12", "c:-1:1"),
            trips.rows("SELECT km, fare FROM trips", 9, 1, "c:-10:3", "b:0:12"));
    Random random = new Random(2026);
    double[] most = new double[questions.size()];
    try (Scene scene = new Scene(trips)) {
      for (int round = 0; round < 25; round++) {
        List<String> rows = rows(random);
        List<List<Histogram>> whole = scene.cells(rows, questions);
        for (int gone = 0; gone < rows.size(); gone++) {
          List<String> fewer = new ArrayList<>(rows);
          fewer.remove(gone);
          List<List<Histogram>> less = scene.cells(fewer, questions);
          for (int q = 0; q < most.length; q++) {
            most[q] = Math.max(most[q], scene.worst(q, whole.get(q), less.get(q)));
          }
        }
      }
    }
    for (int q = 0; q < most.length; q++) {
      assertTrue(most[q] <= 1, "question " + q + " moves " + most[q] + " of its bound");
      // The bound is not far off either, or this would show nothing.
      assertTrue(most[q] > 0.3, "question " + q + " moves only " + most[q] + " of its bound");
    }
  }

  private static List<String> rows(Random random) {
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < 2 + random.nextInt(4); i++) {
      String km = random.nextInt(5) == 0 ? "NULL" : String.valueOf(random.nextInt(5));
      rows.add(
          "INSERT INTO trips VALUES ("
              + i
              + ", "
              + random.nextInt(3)
              + ", "
              + km
              + ", "
              + random.nextInt(4)
              + ", 'x', NULL)");
    }
    for (int i = 0; i < 3; i++) {
      if (random.nextBoolean()) {
        rows.add("INSERT INTO drivers VALUES (" + i + ", " + random.nextInt(3) + ")");
      }
    }
    return rows;
  }

  /** A policy and its database, without noise. */
  private static final class Scene implements AutoCloseable {
    private final Connection writer;
    private final Policy policy;
    private final ProgramPlanning planning;
    private final Database database;
    private final Rendered rendered;
    private final List<PlannedProgram> planned = new ArrayList<>();

    Scene(TripsPrograms trips) throws SQLException {
      Path place = trips.place();
      writer = trips.connection();
      policy =
          PolicyReader.read(
              TextFiles.tree(place, flexdp.failure.ConfigurationError.Code.BAD_POLICY));
      Metrics metrics = Metrics.NONE;
      planning =
          new ProgramPlanning(
              policy,
              metrics,
              new Planning(policy, metrics, new Analyzer(policy, metrics, LocalDateTime::now)),
              LocalDateTime::now);
      database =
          JdbcDatabase.over(
              ((DuckDBConnection) writer).duplicate(),
              policy,
              Duration.ofSeconds(60),
              OwnerLog.NONE);
      rendered = new Rendered(database);
    }

    List<List<Histogram>> cells(List<String> rows, List<ProgramAsk> questions) throws SQLException {
      try (Statement statement = writer.createStatement()) {
        statement.execute("DELETE FROM trips");
        statement.execute("DELETE FROM drivers");
        for (String row : rows) {
          statement.execute(row);
        }
      }
      if (planned.isEmpty()) {
        questions.forEach(question -> planned.add(planning.plan(question)));
      }
      List<List<Histogram>> all = new ArrayList<>();
      try (Session session = database.session()) {
        for (PlannedProgram program : planned) {
          List<Histogram> cells = new ArrayList<>();
          Plan plan = program.plan();
          for (ReleasePoint point : plan.question().releases()) {
            Histogram bins = Histogram.open(point);
            program.reading().fill(plan.read(point), session, rendered.renderer(), bins);
            cells.add(bins);
          }
          all.add(cells);
        }
      }
      return all;
    }

    /** The most that a measurement of a question changed, as a part of its bound. */
    double worst(int question, List<Histogram> one, List<Histogram> other) {
      double worst = 0;
      Plan plan = planned.get(question).plan();
      for (int m = 0; m < plan.measurements().size(); m++) {
        Planned of = plan.measurements().get(m);
        BigDecimal change = new BigDecimal(one.getFirst().apart(other.getFirst(), m));
        BigDecimal bound = of.noise().orElseThrow().sensitivity();
        BigDecimal moved =
            switch (of.measurement()) {
              // Half of the rows that come and go, as ranks are counted.
              case Measurement.Quantile quantile -> change.multiply(quantile.perRow());
              case Measurement.Amount amount -> change.multiply(amount.grid());
            };
        worst = Math.max(worst, moved.doubleValue() / bound.doubleValue());
      }
      return worst;
    }

    @Override
    public void close() throws SQLException {
      database.close();
      writer.close();
    }
  }

  @Test
  void theSameRowsInAnotherOrderSayTheSame() throws IOException, SQLException {
    TripsPrograms trips = new TripsPrograms(folder, Wat.bytes(MESS));
    ProgramAsk asked =
        trips.blocks("SELECT id, km, fare FROM trips", 3, "id", true, 1, "a:-10:10", "c:2:9:2");
    List<String> rows = rows(new Random(7));
    try (Scene scene = new Scene(trips)) {
      List<Histogram> one = scene.cells(rows, List.of(asked)).getFirst();
      List<Histogram> two = scene.cells(rows.reversed(), List.of(asked)).getFirst();
      assertEquals(0, one.getFirst().apart(two.getFirst(), 0).signum());
      assertEquals(0, one.getFirst().apart(two.getFirst(), 1).signum());
    }
  }
}
