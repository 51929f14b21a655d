package flexdp.gateway.hostile;

import flexdp.gateway.api.ProgramRequest;
import flexdp.gateway.database.Database;
import flexdp.gateway.database.ErrorLog;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.program.ProgramMachine;
import flexdp.gateway.program.ProgramPlanning.PlannedProgram;
import flexdp.metrics.Metrics;
import flexdp.policy.Policy;
import flexdp.wasm.ChicoryMachine;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Asks random programs of neighbours, through the whole path and without noise, and keeps what gave
 * a row away.
 */
final class ProgramAttack {
  private static final int PER_PAIR = 20;

  /** How many rows t and u have where each of them is taken away. */
  private static final int FEW = 6;

  /** The key of a row in the place of another; no table has it. */
  private static final String ELSEWHERE = "-77777";

  /** What reads t, and what reads u. */
  private static final List<Pattern> READS =
      List.of(Pattern.compile("\\b(FROM|JOIN) t\\b"), Pattern.compile("\\b(FROM|JOIN) u\\b"));

  private final TestBed ground;
  private final List<String> leaks = new ArrayList<>();
  private int questions;
  private int answered;
  private int compared;

  /** Random neighbours and what they are asked. */
  private record Scene(
      long seed,
      HostileTables tables,
      boolean replaced,
      Policy policy,
      List<ProgramRequest> asked) {
    String told(ProgramRequest program, String what) {
      return "seed %d, %s%n%s%n%s%n%s"
          .formatted(seed, policy.dialect(), program.words(), what, tables);
    }
  }

  ProgramAttack(TestBed ground) {
    this.ground = ground;
  }

  /** Asks as many questions as wanted; fewer when there is enough to look at. */
  void run(long seed, int wanted, int enough) throws Exception {
    for (long s = seed; questions < wanted && leaks.size() < enough; s++) {
      Scene scene = scene(s, Math.min(PER_PAIR, wanted - questions));
      Map<ProgramRequest, PlannedProgram> planned = wholePath(scene);
      everyRow(scene, database -> planned);
    }
  }

  /** Only without noise, on a machine that may be broken, until something shows. */
  List<String> first(long seed, int wanted, ProgramMachine machine) throws Exception {
    for (long s = seed; questions < wanted && leaks.isEmpty(); s++) {
      Scene scene = scene(s, PER_PAIR);
      ExactReading exact = new ExactReading(scene.policy(), Metrics.NONE, machine);
      questions += scene.asked().size();
      everyRow(
          scene,
          database -> {
            Map<ProgramRequest, PlannedProgram> planned = new LinkedHashMap<>();
            for (ProgramRequest asked : scene.asked()) {
              exact.planned(asked, database).ifPresent(plan -> planned.put(asked, plan));
            }
            return planned;
          });
    }
    return leaks;
  }

  /** The first leaks on DuckDB with programs run as they are. */
  static List<String> first(long seed, int wanted) throws Exception {
    try (TestBed ground = new DuckDbTestBed()) {
      return new ProgramAttack(ground).first(seed, wanted, new ChicoryMachine());
    }
  }

  private Scene scene(long seed, int count) {
    Random random = new Random(seed);
    boolean replaced = random.nextInt(4) == 0;
    HostileTables tables =
        HostileTables.random(random, Theme.columns(random, ground.columns()), replaced);
    Policy policy =
        HostilePolicy.of(
                tables.columns(),
                replaced,
                false,
                HostilePolicy.caps(random, tables.columns()),
                HostilePrograms.registered(random))
            .in(HostilePolicy.dialect(random));
    HostilePrograms programs = new HostilePrograms(random, tables.columns());
    return new Scene(
        seed, tables, replaced, policy, Stream.generate(programs::question).limit(count).toList());
  }

  /** Through gateways on both sides; what they accept is also read without noise. */
  private Map<ProgramRequest, PlannedProgram> wholePath(Scene scene) throws Exception {
    Map<ProgramRequest, PlannedProgram> planned = new LinkedHashMap<>();
    try (Side x = new Side(ground, 0, scene.tables(), scene.policy());
        Side y = new Side(ground, 1, scene.tables(), scene.policy())) {
      ExactReading exact = new ExactReading(scene.policy(), x.metrics(), new ChicoryMachine());
      for (ProgramRequest asked : scene.asked()) {
        questions++;
        Optional<PlannedProgram> plan = exact.planned(asked, x.database());
        plan.ifPresent(p -> planned.put(asked, p));
        ended(x, y, asked, plan.isPresent())
            .or(() -> plan.flatMap(p -> leak(p, x.database(), y.database())))
            .ifPresent(what -> leaks.add(scene.told(asked, what)));
      }
    }
    return planned;
  }

  /** From the question to the noisy answer: both end alike, as explaining it said. */
  private Optional<String> ended(Side x, Side y, ProgramRequest asked, boolean accepted) {
    Outcome said = (questions % 2 == 0 ? x : y).explained(asked);
    Outcome here = x.asked(asked);
    Outcome there = y.asked(asked);
    answered += here.answered() ? 1 : 0;
    boolean alike =
        here.status().equals(there.status())
            && here.columns().equals(there.columns())
            && said.status().equals(here.status())
            && !here.broke()
            && here.answered() == accepted;
    return alike
        ? Optional.empty()
        : Optional.of(
            (accepted ? "planned, explained " : "explained ")
                + said.status()
                + "\nx: "
                + here.status()
                + " "
                + here.log()
                + "\ny: "
                + there.status()
                + " "
                + there.log());
  }

  private Optional<String> leak(PlannedProgram program, JdbcDatabase one, JdbcDatabase other) {
    return leak(program, ExactReading.read(program, one), ExactReading.read(program, other));
  }

  private Optional<String> leak(
      PlannedProgram program, ExactReading.Cells one, ExactReading.Cells other) {
    compared++;
    return ExactReading.leak(program, one, other);
  }

  private static HostileTables few(HostileTables tables) {
    HostileTables few = tables;
    for (int table = 0; table < 2; table++) {
      int size = few.rows().get(table).size();
      few = few.without(table, Math.min(FEW, size), size);
    }
    return few;
  }

  /** Tries few rows, each of which is taken away, or replaced, in turn. */
  private void everyRow(
      Scene scene, Function<Database, Map<ProgramRequest, PlannedProgram>> planning)
      throws SQLException {
    HostileTables tables = few(scene.tables());
    List<String> other = new ArrayList<>(tables.after());
    other.set(0, ELSEWHERE);
    try (Connection writer = ground.writer(0)) {
      Side.create(writer, ground, tables, 1, scene.policy());
      try (JdbcDatabase database = ground.open(0, writer, scene.policy(), ErrorLog.NONE)) {
        Map<ProgramRequest, PlannedProgram> planned = planning.apply(database);
        Map<ProgramRequest, ExactReading.Cells> all = new LinkedHashMap<>();
        planned.forEach((asked, p) -> all.put(asked, ExactReading.read(p, database)));
        for (int t = 0; t < 2; t++) {
          int table = t;
          String name = HostileTables.NAMES.get(table);
          for (List<String> row : tables.rows(table, 1)) {
            execute(writer, "DELETE FROM " + name + " WHERE id = " + row.getFirst());
            if (scene.replaced()) {
              insert(writer, name, other);
            }
            planned.forEach(
                (asked, p) -> {
                  if (READS.get(table).matcher(asked.over()).find()) {
                    leak(p, all.get(asked), ExactReading.read(p, database))
                        .map(what -> what + " with a row less in " + name + ": " + row)
                        .ifPresent(what -> leaks.add(scene.told(asked, what)));
                  }
                });
            execute(writer, "DELETE FROM " + name + " WHERE id = " + ELSEWHERE);
            insert(writer, name, row);
          }
        }
      }
    }
  }

  private static void insert(Connection writer, String table, List<String> row)
      throws SQLException {
    execute(writer, "INSERT INTO " + table + " VALUES (" + String.join(", ", row) + ")");
  }

  private static void execute(Connection writer, String sql) throws SQLException {
    try (Statement statement = writer.createStatement()) {
      statement.execute(sql);
    }
  }

  List<String> leaks() {
    return leaks;
  }

  int percentAnswered() {
    return 100 * answered / Math.max(1, questions);
  }

  String summary() {
    return "%d programs, %d %% answered, %d compared, %d violations"
        .formatted(questions, percentAnswered(), compared, leaks.size());
  }
}
