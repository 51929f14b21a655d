package flexdp.gateway.hostile;

import flexdp.failure.ConfigurationError;
import flexdp.marginals.StrategyChoice;
import flexdp.policy.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Asks random questions of random neighbours and keeps what gave a row away. */
final class Attack {
  private static final int TRIES = 12;

  /**
   * A promise broken.
   *
   * @param seed of the pair of neighbours
   * @param tables the two databases, with as few rows as were found to be enough
   */
  record Leak(long seed, String sql, String what, HostileTables tables, Policy policy) {
    /** Whether it is found again by asking the question. */
    private boolean isPlain() {
      return !sql.equals("collect") && !what.startsWith("compared") && !sql.contains(";\n");
    }

    @Override
    public String toString() {
      return "seed %d, %s%n%s%n%s%n%s".formatted(seed, policy.dialect(), sql, what, tables);
    }
  }

  private final TestBed ground;
  private final Optional<HostileSql.Aim> only;
  private final List<Leak> leaks = new ArrayList<>();
  private int questions;
  private int accepted;
  private int failed;
  private int compared;
  private int together;
  private int outsiders;
  private int picked;

  /**
   * @param only the one kind of questions that is asked, unless it is any
   */
  Attack(TestBed ground, Optional<HostileSql.Aim> only) {
    this.ground = ground;
    this.only = only;
  }

  /** Asks as many questions as wanted; fewer when there is enough to look at. */
  void run(long seed, int wanted, int enough) throws Exception {
    for (long s = seed; questions < wanted && leaks.size() < enough; s++) {
      pair(s, Math.min(ground.questionsPerPair(), wanted - questions));
    }
  }

  private void pair(long seed, int count) throws Exception {
    Random random = new Random(seed);
    boolean replaced = random.nextInt(4) == 0;
    boolean thresholding = random.nextBoolean();
    HostileTables tables =
        HostileTables.random(random, Theme.columns(random, ground.columns()), replaced);
    Policy policy =
        HostilePolicy.of(
                tables.columns(),
                replaced,
                thresholding,
                ground.keepsKeys()
                    ? HostilePolicy.keyOrCaps(random, tables.columns())
                    : HostilePolicy.caps(random, tables.columns()))
            .in(HostilePolicy.dialect(random));
    HostileSql sql = new HostileSql(random, tables.columns());
    List<Leak> found = new ArrayList<>();
    try (Neighbours neighbours = new Neighbours(ground, tables, policy)) {
      for (int i = 0; i < count; i++) {
        String question = sql.question(only.orElse(tables.layout().aim(random)));
        questions++;
        neighbours
            .leak(question)
            .ifPresent(what -> found.add(new Leak(seed, question, what, tables, policy)));
        if (i % 4 == 0) {
          neighbours
              .proposed(question)
              .ifPresent(what -> found.add(new Leak(seed, question, what, tables, policy)));
        } else {
          neighbours
              .compared(question, i % 8 == 1)
              .ifPresent(what -> found.add(new Leak(seed, question, what, tables, policy)));
        }
        if (i % 8 == 0) {
          List<String> many = sql.together();
          StrategyChoice strategy =
              random.nextBoolean() ? StrategyChoice.AUTO : StrategyChoice.MWEM;
          neighbours
              .together(many, strategy)
              .ifPresent(
                  what ->
                      found.add(new Leak(seed, String.join(";\n", many), what, tables, policy)));
        }
      }
      compared += neighbours.others().get(0);
      together += neighbours.others().get(1);
      outsiders += neighbours.others().get(2);
      picked += neighbours.others().get(3);
      accepted += neighbours.accepted();
      failed += neighbours.failed();
    } catch (ConfigurationError e) {
      // A key of the database that is none as we read it: the owner is told, and nobody answered.
      if (!e.message().contains("is declared unique, but values repeat")) {
        throw e;
      }
    } catch (RuntimeException e) {
      questions++;
      failed++;
      found.add(new Leak(seed, "collect", e.toString(), tables, policy));
    }
    for (Leak leak : found) {
      leaks.add(leak.isPlain() ? fewer(leak) : leak);
    }
  }

  /** The leak with fewer rows, as far as a few tries lead. */
  private Leak fewer(Leak leak) throws Exception {
    Leak least = leak;
    int tries = 0;
    for (int table = 0; table < HostileTables.NAMES.size(); table++) {
      int rows = least.tables().rows().get(table).size();
      for (int part = rows; part > 0 && tries < TRIES; part /= 2, tries++) {
        int now = least.tables().rows().get(table).size();
        HostileTables without = least.tables().without(table, Math.max(0, now - part), now);
        try (Neighbours neighbours = new Neighbours(ground, without, leak.policy())) {
          Optional<String> what = neighbours.leak(leak.sql());
          if (what.isPresent()) {
            least = new Leak(leak.seed(), leak.sql(), what.get(), without, leak.policy());
          }
        }
      }
    }
    return least;
  }

  List<Leak> leaks() {
    return leaks;
  }

  String summary() {
    return "%d questions, %d %% accepted, %d compared, %d lots together, %d of other parts, %d picked, %d failed, %d violations"
        .formatted(
            questions,
            100 * accepted / Math.max(1, questions),
            compared,
            together,
            outsiders,
            picked,
            failed,
            leaks.size());
  }

  int percentAccepted() {
    return 100 * accepted / Math.max(1, questions);
  }
}
