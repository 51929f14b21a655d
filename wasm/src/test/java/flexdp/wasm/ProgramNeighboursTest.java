package flexdp.wasm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.cells.ExactHistogram;
import flexdp.gateway.api.ProgramRequest;
import flexdp.gateway.program.ProgramMachine;
import flexdp.gateway.program.RunnableProgram;
import flexdp.policy.Policy.RegisteredProgram;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Brute force: small tables, every row taken away, and a program whose results jump about in its
 * range with every row it sees. What changes is never more than what the noise is made for.
 */
class ProgramNeighboursTest {
  private static final String JOINED =
      "SELECT t.driver_id, t.km, d.rating FROM trips t JOIN drivers d ON t.driver_id = d.id";
  private static final String PADDED =
      "SELECT t.driver_id, t.km, d.rating FROM trips t LEFT JOIN drivers d ON t.driver_id = d.id";

  private static final List<String> OVERS =
      List.of(
          "SELECT id AS k, km, fare FROM trips WHERE fare > 1",
          "SELECT id AS k, km, fare FROM trips WHERE km IS NOT NULL AND status = 'x'",
          "SELECT DISTINCT driver_id AS k, km, fare FROM trips",
          "SELECT DISTINCT km AS k, km + 1 AS a, fare FROM trips",
          "SELECT driver_id AS k, COUNT(*) AS n, SUM(fare) AS s FROM trips GROUP BY driver_id",
          "SELECT status AS k, MAX(km) AS n, SUM(fare) AS s FROM trips GROUP BY status",
          "SELECT id AS k, km, fare FROM trips UNION ALL SELECT id AS k, rating, 1 FROM drivers",
          "SELECT id AS k, km, fare FROM trips UNION SELECT id AS k, rating, 1 FROM drivers",
          "SELECT id AS k, km, fare FROM trips t WHERE EXISTS (SELECT 1 FROM drivers d WHERE d.id ="
              + " t.driver_id)",
          "SELECT driver_id AS k, km, fare FROM trips t WHERE NOT EXISTS (SELECT 1 FROM drivers d"
              + " WHERE d.id = t.driver_id)",
          "SELECT d.id AS k, d.rating, t.km FROM drivers d LEFT JOIN trips t ON t.driver_id = d.id",
          "SELECT d.id AS k, d.rating, t.n FROM drivers d LEFT JOIN (SELECT driver_id, COUNT(*) AS"
              + " n FROM trips GROUP BY driver_id) t ON t.driver_id = d.id",
          "SELECT t.id AS k, t.km, d.rating FROM trips t LEFT JOIN drivers d ON t.driver_id = d.id",
          "SELECT id AS k, km, fare FROM trips ORDER BY id LIMIT 2",
          "SELECT id AS k, km, ROW_NUMBER() OVER (PARTITION BY driver_id ORDER BY id) AS r FROM"
              + " trips",
          "SELECT id AS k, CASE WHEN status = 'x' THEN km END AS a, fare FROM trips",
          "SELECT 1 AS k, km, fare FROM trips");

  @TempDir Path folder;

  @Test
  void noRowMovesMoreThanTheNoiseIsMadeFor() throws IOException, SQLException {
    TripsPrograms trips = new TripsPrograms(folder, Mess.bytes(2));
    List<ProgramRequest> questions =
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
    try (ExactPrograms scene = new ExactPrograms(trips)) {
      for (int round = 0; round < 10; round++) {
        List<String> rows = rows(random);
        List<List<ExactHistogram>> whole = scene.cells(rows, questions);
        for (int gone = 0; gone < rows.size(); gone++) {
          List<String> fewer = new ArrayList<>(rows);
          fewer.remove(gone);
          List<List<ExactHistogram>> less = scene.cells(fewer, questions);
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

  /**
   * Whatever rows are made of: shapes that the analysis refuses say nothing, the others keep their
   * bound.
   */
  @Test
  void rowsOfManyShapesKeepTheirBound() throws IOException, SQLException {
    TripsPrograms trips = new TripsPrograms(folder, Mess.bytes(2));
    List<ProgramRequest> questions = new ArrayList<>();
    for (String over : OVERS) {
      questions.add(trips.blocks(over, 2, "k", true, 1, "a:-10:10"));
      questions.add(trips.blocks(over, 3, "k", false, 1, "a:-10:10"));
      questions.add(trips.rows(over.replace(" AS k,", " AS k, 0 + "), 2, 1, "a:-9:4", "b:0:5"));
    }
    Random random = new Random(18);
    try (ExactPrograms scene = new ExactPrograms(trips)) {
      questions.removeIf(question -> !scene.isAccepted(question));
      double[] most = new double[questions.size()];
      for (int round = 0; round < 5; round++) {
        List<String> rows = rows(random);
        List<List<ExactHistogram>> whole = scene.cells(rows, questions);
        for (int gone = 0; gone < rows.size(); gone++) {
          List<String> fewer = new ArrayList<>(rows);
          fewer.remove(gone);
          List<List<ExactHistogram>> less = scene.cells(fewer, questions);
          for (int q = 0; q < most.length; q++) {
            most[q] = Math.max(most[q], scene.worst(q, whole.get(q), less.get(q)));
          }
        }
      }
      for (int q = 0; q < most.length; q++) {
        assertTrue(most[q] <= 1, questions.get(q).words() + " moves " + most[q]);
      }
      assertTrue(questions.size() >= 20, "accepted " + questions.size());
    }
  }

  /** A range far from zero: a block that empties moves the sum by ten, and not by 110. */
  @Test
  void aBlockThatEmptiesMovesTheMeanByItsRangeAtMost() throws IOException, SQLException {
    TripsPrograms trips = new TripsPrograms(folder, Mess.bytes(2));
    ProgramRequest asked =
        trips.blocks("SELECT id, km, fare FROM trips", 4, "id", true, 1, "a:100:110");
    try (ExactPrograms scene = new ExactPrograms(trips)) {
      List<ProgramRequest> one = List.of(asked);
      List<ExactHistogram> some =
          scene.cells(List.of("INSERT INTO trips VALUES (1, 1, 2, 3, 'x', NULL)"), one).getFirst();
      List<ExactHistogram> none = scene.cells(List.of(), one).getFirst();
      assertEquals(0, scene.sensitivity(0).compareTo(BigDecimal.TEN));
      assertTrue(scene.worst(0, some, none) <= 0.5, "from the middle at most half of it");
    }
  }

  /** The test itself: a program that remembers blocks before is caught. */
  @Test
  void aProgramThatKeptStateWouldBeCaught() throws IOException, SQLException {
    TripsPrograms trips = new TripsPrograms(folder, Mess.bytes(2));
    ProgramRequest asked =
        trips.blocks("SELECT id, km, fare FROM trips", 3, "id", true, 1, "a:-10:10");
    double most = 0;
    for (int odd = 0; odd < 6 && most <= 1; odd++) {
      List<String> rows = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        rows.add(
            "INSERT INTO trips VALUES (%d, 1, 2, %d, 'x', NULL)".formatted(i, i == odd ? 1 : 2));
      }
      List<String> fewer = new ArrayList<>(rows);
      fewer.remove(odd);
      try (ExactPrograms one = new ExactPrograms(trips, new Remembering());
          ExactPrograms other = new ExactPrograms(trips, new Remembering())) {
        List<ExactHistogram> whole = one.cells(rows, List.of(asked)).getFirst();
        List<ExactHistogram> less = other.cells(fewer, List.of(asked)).getFirst();
        most = one.worst(0, whole, less);
      }
    }
    assertTrue(most > 1, "moves only " + most);
  }

  @Test
  void theSameRowsInAnotherOrderSayTheSame() throws IOException, SQLException {
    TripsPrograms trips = new TripsPrograms(folder, Mess.bytes(2));
    ProgramRequest asked =
        trips.blocks("SELECT id, km, fare FROM trips", 3, "id", true, 1, "a:-10:10", "c:2:9:2");
    List<String> rows = rows(new Random(7));
    try (ExactPrograms scene = new ExactPrograms(trips)) {
      List<ExactHistogram> one = scene.cells(rows, List.of(asked)).getFirst();
      List<ExactHistogram> two = scene.cells(rows.reversed(), List.of(asked)).getFirst();
      assertEquals(0, one.getFirst().apart(two.getFirst(), 0).signum());
      assertEquals(0, one.getFirst().apart(two.getFirst(), 1).signum());
    }
  }

  /** Hands what it saw from block to block. */
  private static final class Remembering implements ProgramMachine {
    private double seen;

    @Override
    public int columns(byte[] module, RegisteredProgram limits) {
      return 2;
    }

    @Override
    public RunnableProgram load(
        byte[] module, int columns, List<String> outputs, RegisteredProgram limits) {
      return block -> {
        for (double number : block) {
          seen += Double.isNaN(number) ? 1 : number;
        }
        return List.of(OptionalDouble.of(seen % 2 == 0 ? 10 : -10));
      };
    }
  }
}
