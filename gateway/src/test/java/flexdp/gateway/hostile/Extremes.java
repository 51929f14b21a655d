package flexdp.gateway.hostile;

import flexdp.policy.Policy;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/**
 * Asks every function with extreme constants where one row alone is computed, the row in which two
 * neighbours differ: what fails there, or not, tells that the row is there, whatever ε was paid.
 */
final class Extremes {
  private static final List<String> SHARED = List.of("k", "b", "x", "m", "name", "d", "ts");
  private static final int TRIES = 25;
  private static final int TOGETHER = 8;
  private static final int CALLS_PER_PAIR = 160;

  /** Longer questions are refused. */
  private static final int LONGEST = 120_000;

  private final TestBed ground;
  private final List<String> leaks = new ArrayList<>();
  private final Set<String> met = new TreeSet<>();
  private int calls;
  private int tried;
  private int answered;

  Extremes(TestBed ground) {
    this.ground = ground;
  }

  /** The first that so many calls give away on a kind of database; for mutants. */
  static List<String> leaks(String kind, long seed, int calls) throws Exception {
    try (TestBed ground =
        switch (kind) {
          case "PostgreSQL" -> PostgresTestBed.started();
          case "SQLite" -> new SqliteTestBed();
          default -> throw new IllegalArgumentException(kind);
        }) {
      Extremes extremes = new Extremes(ground);
      extremes.run(seed, calls, 1);
      return extremes.leaks;
    }
  }

  void run(long seed, int wanted, int enough) throws Exception {
    int pairs = 0;
    while (calls < wanted && leaks.size() < enough && pairs <= wanted) {
      pair(new Random(seed + pairs), Math.min(CALLS_PER_PAIR, wanted - calls), enough);
      pairs++;
    }
  }

  private void pair(Random random, int wanted, int enough) throws Exception {
    List<HostileColumn> columns =
        ground.columns().stream().filter(c -> SHARED.contains(c.name())).toList();
    HostileTables tables = HostileTables.random(random, columns, false);
    Policy policy = HostilePolicy.of(columns, false, false).in(HostilePolicy.dialect(random));
    HostileExtremes extremes = new HostileExtremes(random, columns);
    String row = "id = " + tables.after().getFirst();
    String from = " FROM " + HostileTables.NAMES.get(tables.changed());
    try (Neighbours neighbours = new Neighbours(ground, tables, policy)) {
      List<String> together = new ArrayList<>();
      for (int i = 0; i < wanted && leaks.size() < enough; i++) {
        calls++;
        accepted(extremes, neighbours, row, from, together);
        int length = together.stream().mapToInt(String::length).sum();
        if (together.size() == TOGETHER || length > LONGEST || i == wanted - 1) {
          ask(neighbours, together, from, policy, tables);
          together.clear();
        }
      }
    }
  }

  /** A call of the next function that binds. */
  private void accepted(
      HostileExtremes extremes,
      Neighbours neighbours,
      String row,
      String from,
      List<String> together) {
    String name = extremes.name();
    for (int i = 0; i < TRIES; i++) {
      HostileExtremes.Call call = extremes.call(name);
      String cell = "COUNT(CASE WHEN " + row + " THEN " + call.sql() + " END)";
      tried++;
      if (neighbours.binds("SELECT " + cell + " AS n0" + from)) {
        extremes.accepted(call);
        met.add(name);
        together.add(cell);
        return;
      }
    }
  }

  private void ask(
      Neighbours neighbours, List<String> cells, String from, Policy policy, HostileTables tables) {
    if (cells.isEmpty()) {
      return;
    }
    int before = neighbours.accepted();
    if (cells.size() > 1 && neighbours.leak(question(cells, from)).isEmpty()) {
      if (neighbours.accepted() > before) {
        answered += cells.size();
        return;
      }
    }
    for (String cell : cells) {
      int already = neighbours.accepted();
      String sql = question(List.of(cell), from);
      neighbours
          .leak(sql)
          .ifPresent(
              what ->
                  leaks.add(
                      "%s, calls %d%n%s%n%s%n%s"
                          .formatted(policy.dialect(), calls, sql, what, tables)));
      answered += neighbours.accepted() - already;
    }
  }

  private static String question(List<String> cells, String from) {
    StringBuilder sql = new StringBuilder("SELECT ");
    int n = 0;
    for (String cell : new LinkedHashSet<>(cells)) {
      sql.append(n == 0 ? "" : ", ").append(cell).append(" AS n").append(n);
      n++;
    }
    return sql + from;
  }

  List<String> leaks() {
    return leaks;
  }

  int percentAnswered() {
    return 100 * answered / Math.max(1, calls);
  }

  /** How many functions and operators were computed at least once. */
  int met() {
    return met.size();
  }

  String summary() {
    return "%d calls, %d attempts, %d answered, %d of %d functions, %d violations"
        .formatted(calls, tried, answered, met.size(), HostileExtremes.size(), leaks.size());
  }
}
