package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.Failure;
import flexdp.gateway.MovedWorld.Move;
import flexdp.gateway.ask.AnalystView;
import flexdp.gateway.ask.Ask;
import flexdp.gateway.ask.AskOptions;
import flexdp.policy.Policy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;

/** Somebody who moves tables while others ask about them. */
final class Mover {
  private static final String POLICY =
      """
      privacy: {epsilon: 1, delta: 1e-9, budget: {epsilon: 1000000, delta: 0.5}}
      failures: {atMost: 1000, window: 30m}
      tables:
        t: {columns: {id: {type: integer, nullable: false, unique: true}, g: {type: integer, nullable: false}}}
        u: {columns: {tid: {type: integer, nullable: false, unique: true, references: t.g}, city: {type: varchar, nullable: false, references: cities.name}}}
        cities: {public: true, columns: {id: {type: integer, nullable: false}, name: {type: varchar, nullable: false}}}
        secret: {columns: {id: {type: integer, nullable: false}, name: {type: varchar, nullable: false}}}
      """;
  private static final String JOIN = "SELECT COUNT(*) FROM u JOIN t ON u.tid = t.id WHERE tid < ";
  private static final String MANY = "SELECT COUNT(*) FROM u JOIN t ON u.tid = t.g WHERE tid < ";

  private final MovedWorld.Kind kind;
  private final Path folder;
  private final SplittableRandom random;
  private final long seed;
  private final MoverJudge judge = new MoverJudge();
  private final ReentrantLock moving = new ReentrantLock();
  private final Deque<String> story = new ArrayDeque<>();
  private final Map<String, Integer> made = new TreeMap<>();
  private final Map<String, Integer> refused = new TreeMap<>();
  private final List<AtomicInteger> ended = List.of(new AtomicInteger(), new AtomicInteger());
  private final List<String> log = Collections.synchronizedList(new ArrayList<>());
  private final AtomicInteger asked = new AtomicInteger();
  private Optional<Move> standing = Optional.empty();
  private volatile boolean over;

  Mover(MovedWorld.Kind kind, long seed, Path folder) {
    this.kind = kind;
    this.seed = seed;
    this.folder = folder;
    this.random = new SplittableRandom(seed);
  }

  /** Until so many moves were made. */
  static IntFunction<BooleanSupplier> moves(int most) {
    AtomicInteger left = new AtomicInteger(most);
    return ignored -> () -> left.getAndDecrement() > 0;
  }

  static IntFunction<BooleanSupplier> during(Duration most) {
    long end = System.nanoTime() + most.toNanos();
    return ignored -> () -> System.nanoTime() < end;
  }

  /** What is found within so many moves; empty if nothing is. */
  static String finds(String kind, long seed, Path folder, int most) throws Exception {
    try {
      new Mover(MovedWorld.Kind.valueOf(kind), seed, folder).run(moves(most));
      return "";
    } catch (AssertionError found) {
      return String.valueOf(found.getMessage());
    }
  }

  /** Moves as long as there is more to do, and judges what was told meanwhile. */
  void run(IntFunction<BooleanSupplier> length) throws Exception {
    BooleanSupplier more = length.apply(0);
    try (MovedWorld world = new MovedWorld(kind, folder);
        ExecutorService threads = Executors.newFixedThreadPool(2)) {
      Path policy = policy(world);
      SplittableRandom one = random.split();
      SplittableRandom two = random.split();
      List<Future<?>> askers =
          List.of(
              threads.submit(() -> staying(world, policy, one)),
              threads.submit(() -> coming(policy, two)));
      try {
        while (more.getAsBoolean() && !judge.isDone()) {
          move(world, askers);
        }
        while (standing.isPresent()) {
          move(world, askers);
        }
      } finally {
        over = true;
        for (Future<?> asker : askers) {
          asker.get();
        }
      }
      System.out.println(kind + ", seed " + seed + ": " + judge + "; " + made + "; " + refused);
      log.stream().distinct().limit(20).forEach(System.out::println);
      judge.judge(toString());
      assertTrue(judge.answered() > 0, () -> "something is answered: " + this);
    }
  }

  @Override
  public String toString() {
    synchronized (story) {
      return "seed %d on %s, last moves: %s; refused: %s".formatted(seed, kind, story, refused);
    }
  }

  private Path policy(MovedWorld world) throws Exception {
    Path file = folder.resolve("p.yaml");
    Files.writeString(file, "database: \"" + world.url + "\"\n" + POLICY);
    OpenGateway.collect(world.url, OpenGateway.policy(POLICY), folder.resolve("p.metrics.json"));
    return file;
  }

  /** Now and then at once, now and then when both have come to the end of a question. */
  private void move(MovedWorld world, List<Future<?>> askers) {
    boolean slow = standing.filter(Move::slow).isPresent();
    if (slow || random.nextInt(3) > 0) {
      int most = slow ? 2 : 1;
      List<Integer> before = ended.stream().map(AtomicInteger::get).toList();
      Await.until(
          () ->
              askers.stream().anyMatch(Future::isDone)
                  || before.get(0) + most <= ended.get(0).get()
                      && before.get(1) + most <= ended.get(1).get(),
          "questions come to their end: " + this);
    }
    moving.lock();
    try {
      step(world, random, true);
    } finally {
      moving.unlock();
    }
  }

  /** From within a question: whoever moves at this moment goes on alone. */
  private void within(MovedWorld world, SplittableRandom random) {
    if (random.nextInt(4) == 0 && moving.tryLock()) {
      try {
        step(world, random, false);
      } finally {
        moving.unlock();
      }
    }
  }

  private void step(MovedWorld world, SplittableRandom random, boolean undoesSlow) {
    if (standing.isPresent()) {
      Move move = standing.get();
      if ((undoesSlow || !move.slow()) && tried(world, "undo " + move.name(), move.undone())) {
        standing = Optional.empty();
      }
      return;
    }
    List<Move> all = world.moves();
    Move move = all.get(random.nextInt(all.size()));
    if (tried(world, move.name(), move.done()) && !move.undone().isEmpty()) {
      standing = Optional.of(move);
    }
  }

  private boolean tried(MovedWorld world, String name, List<String> statements) {
    boolean done = world.apply(statements);
    synchronized (story) {
      story.add(done ? name : name + " (not let)");
      if (story.size() > 12) {
        story.remove();
      }
      made.merge(done ? "moved" : "not let", 1, Integer::sum);
    }
    return done;
  }

  /** One gateway that stays open as long as it can. */
  private Void staying(MovedWorld world, Path policy, SplittableRandom random) throws Exception {
    if (kind.holdsTables()) {
      Path own = Files.createDirectories(folder.resolve("staying"));
      Policy read = OpenGateway.policy(POLICY);
      SplittableRandom moves = random.split();
      OpenGateway.Move move = () -> within(world, moves);
      try (OpenGateway open = new OpenGateway(world.url, read, own, move, move)) {
        while (!over) {
          asking("staying", random, open::ask, 0);
        }
        log.addAll(open.log);
      }
      return null;
    }
    while (!over) {
      try (FlexDp flexdp = FlexDp.open(policy)) {
        while (!over && flexdp.stands()) {
          asking("staying", random, sql -> fresh(flexdp, sql), 0);
        }
      } catch (Failure e) {
        refused("open: " + e.message(), 0);
      }
    }
    return null;
  }

  /** One who opens the database for each question, as the command line does. */
  private Void coming(Path policy, SplittableRandom random) {
    while (!over) {
      try (FlexDp flexdp = FlexDp.open(policy)) {
        asking("coming", random, sql -> fresh(flexdp, sql), 1);
      } catch (Failure e) {
        refused("open: " + e.message(), 1);
      }
    }
    return null;
  }

  private static AnalystView fresh(FlexDp flexdp, String sql) {
    return flexdp.ask(new Ask(sql, AskOptions.DEFAULT, "ann", Set.of(), true));
  }

  @FunctionalInterface
  private interface Asking {
    AnalystView ask(String sql);
  }

  private void asking(String who, SplittableRandom random, Asking asking, int asker) {
    int number = MovedWorld.MANY + asked.incrementAndGet(); // no question is asked twice
    try {
      switch (random.nextInt(4)) {
        case 0 -> judge.bounded(number(asking.ask(JOIN + number)), who + ", " + this);
        case 1 ->
            judge.measured(number(asking.ask(MANY + number)), MovedWorld.FEW + MovedWorld.MANY);
        case 2 ->
            judge.shown(
                asking.ask("SELECT name FROM cities WHERE id < " + number).rows(), who + this);
        default ->
            judge.shown(
                asking
                    .ask("SELECT city, COUNT(*) FROM u WHERE tid < " + number + " GROUP BY city")
                    .rows(),
                who + this);
      }
      ended.get(asker).incrementAndGet();
    } catch (Failure e) {
      refused(e.message(), asker);
    }
  }

  private static long number(AnalystView view) {
    return ((Number) view.rows().getFirst().getFirst()).longValue();
  }

  private void refused(String message, int asker) {
    ended.get(asker).incrementAndGet();
    synchronized (story) {
      refused.merge(message, 1, Integer::sum);
    }
  }

  /** Each thing that somebody does every day, and questions after it and beside it. */
  void everyday() throws Exception {
    try (MovedWorld world = new MovedWorld(kind, folder)) {
      Path policy = policy(world);
      for (Move move : world.harmless()) {
        boolean stands;
        try (FlexDp flexdp = FlexDp.open(policy);
            ExecutorService thread = Executors.newSingleThreadExecutor()) {
          Callable<Void> beside =
              () -> {
                Await.until(() -> world.patiently(move.done()), move.name());
                return null;
              };
          Future<Void> moved = thread.submit(beside);
          while (!moved.isDone()) {
            asking("everyday", random, sql -> fresh(flexdp, sql), 0); // or refused for a moment
          }
          moved.get();
          stands = flexdp.stands();
          if (stands) {
            answered(flexdp);
          }
        }
        if (!stands) {
          try (FlexDp again = FlexDp.open(policy)) {
            answered(again);
          }
        }
      }
      judge.judge(toString());
    }
  }

  private void answered(FlexDp flexdp) {
    fresh(flexdp, JOIN + (MovedWorld.MANY + asked.incrementAndGet()));
    fresh(flexdp, MANY + (MovedWorld.MANY + asked.incrementAndGet()));
  }
}
