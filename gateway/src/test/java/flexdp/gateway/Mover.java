package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.DatabaseError;
import flexdp.failure.Failure;
import flexdp.gateway.MovedWorld.Act;
import flexdp.gateway.MovedWorld.Move;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
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
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;

/** Somebody who moves tables while others ask about them. */
final class Mover {
  /** Its noise covers one row: it must be of a state in which one row changes one. */
  private static final Bounded JOIN =
      new Bounded("SELECT COUNT(*) FROM u JOIN t ON u.tid = t.id WHERE tid < %d", 500);

  /** Its noise follows what is measured. */
  private static final String MANY = "SELECT COUNT(*) FROM u JOIN t ON u.tid = t.g WHERE tid < %d";

  private final String kind;
  private final Opening opening;
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
  private final Set<String> sorts = Collections.synchronizedSet(new TreeSet<>());
  private Optional<Move> standing = Optional.empty();
  private volatile boolean opened;
  private volatile boolean over;

  /** Leaves out what has to keep working, to come to the rest sooner. */
  private boolean hostile;

  /**
   * A question no answer to which may be larger: it would be of a state in which one row changes as
   * much.
   *
   * @param sql with a place for a number that makes it a new one
   */
  record Bounded(String sql, long most) {}

  /** Makes a world. */
  @FunctionalInterface
  interface Opening {
    MovedWorld open(Path folder) throws Exception;
  }

  Mover(MovedWorld.Kind kind, long seed, Path folder) {
    this(kind.name(), kind::open, seed, folder);
  }

  Mover(String kind, Opening opening, long seed, Path folder) {
    this.kind = kind;
    this.opening = opening;
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
      Mover mover = new Mover(MovedWorld.Kind.valueOf(kind), seed, folder);
      mover.hostile = true;
      mover.run(moves(most));
      return "";
    } catch (AssertionError found) {
      return String.valueOf(found.getMessage());
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof AssertionError found) {
        return String.valueOf(found.getMessage());
      }
      throw failed;
    }
  }

  /** Moves as long as there is more to do, and judges what was told meanwhile. */
  void run(IntFunction<BooleanSupplier> length) throws Exception {
    BooleanSupplier more = length.apply(0);
    try (MovedWorld world = opening.open(folder);
        ExecutorService threads = Executors.newFixedThreadPool(2)) {
      List<Path> policies = policies(world);
      SplittableRandom one = random.split();
      SplittableRandom two = random.split();
      List<Future<?>> askers =
          List.of(
              threads.submit(() -> staying(world, policies.getFirst(), one)),
              threads.submit(() -> coming(world, policies, two)));
      try {
        Await.until(() -> opened || askers.stream().anyMatch(Future::isDone), "somebody may ask");
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
      System.out.println(sorts.size() + " sorts of moves");
      log.stream().filter(l -> l.startsWith("failed")).limit(20).forEach(System.out::println);
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

  /** One for each address, all with what was measured last. */
  private List<Path> policies(MovedWorld world) throws Exception {
    List<Path> files = new ArrayList<>();
    List<Path> metrics = new ArrayList<>();
    for (String url : world.urls()) {
      String name = "p" + files.size();
      files.add(
          Files.writeString(
              folder.resolve(name + ".yaml"), "database: \"" + url + "\"\n" + world.policy()));
      metrics.add(folder.resolve(name + ".metrics.json"));
    }
    world.measureFor(OpenGateway.policy(world.policy()), metrics);
    return files;
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
      if ((undoesSlow || !move.slow())
          && tried("undo " + move.name(), move.undone().orElseThrow())) {
        standing = Optional.empty();
      }
      return;
    }
    List<Move> all = new ArrayList<>(world.moves());
    if (hostile) {
      all.removeIf(move -> move.undone().isEmpty() && !move.name().startsWith("a "));
    }
    Move move = all.get(random.nextInt(all.size()));
    if (tried(move.name(), move.done()) && move.undone().isPresent()) {
      standing = Optional.of(move);
    }
  }

  private boolean tried(String name, Act act) {
    boolean done = made(name, act, false);
    if (done) {
      sorts.add(name);
    }
    synchronized (story) {
      story.add(done ? name : name + " (not let)");
      if (story.size() > 12) {
        story.remove();
      }
      made.merge(done ? "moved" : "not let", 1, Integer::sum);
    }
    return done;
  }

  private boolean made(String name, Act act, boolean patient) {
    try {
      return act.make(patient);
    } catch (AssertionError e) {
      judge.tell(name + ": " + e.getMessage());
      return true;
    } catch (Exception e) {
      throw new IllegalStateException(name + ", " + this, e);
    }
  }

  /** One gateway that stays open as long as it can. */
  private Void staying(MovedWorld world, Path policy, SplittableRandom random) throws Exception {
    if (world.holdsTables()) {
      Path own = Files.createDirectories(folder.resolve("staying"));
      Policy read = OpenGateway.policy(world.policy());
      SplittableRandom moves = random.split();
      OpenGateway.Move move = () -> within(world, moves);
      try (OpenGateway open = new OpenGateway(world.url(), read, own, move, move)) {
        opened = true;
        while (!over) {
          asking("staying", world, random, open::ask, 0);
        }
        log.addAll(open.log);
      }
      return null;
    }
    opened = true;
    while (!over) {
      try (FlexDp flexdp = FlexDp.open(policy)) {
        while (!over && flexdp.stands()) {
          asking("staying", world, random, sql -> fresh(flexdp, sql), 0);
        }
      } catch (Failure e) {
        refused("open: " + e.message(), 0);
      }
    }
    return null;
  }

  /** One who opens the database for each question, as the command line does. */
  private Void coming(MovedWorld world, List<Path> policies, SplittableRandom random) {
    while (!over) {
      Path policy = policies.get(random.nextInt(policies.size()));
      try (FlexDp flexdp = FlexDp.open(policy)) {
        asking("coming", world, random, sql -> fresh(flexdp, sql), 1);
      } catch (Failure e) {
        refused("open: " + e.message(), 1);
      }
    }
    return null;
  }

  private static AnalystView fresh(FlexDp flexdp, String sql) {
    return flexdp.ask(new QueryRequest(sql, QueryOptions.DEFAULT, "ann", Set.of(), true));
  }

  @FunctionalInterface
  private interface Asking {
    AnalystView ask(String sql);
  }

  private void asking(
      String who, MovedWorld world, SplittableRandom random, Asking asking, int asker) {
    int number = MovedWorld.MANY + asked.incrementAndGet(); // no question is asked twice
    List<Bounded> bounded = new ArrayList<>(world.questions());
    bounded.add(JOIN);
    try {
      int choice = random.nextInt(bounded.size() + 3);
      if (choice < bounded.size()) {
        Bounded one = bounded.get(choice);
        AnalystView view = asking.ask(one.sql().formatted(number));
        judge.bounded(number(view), one.most(), who + ", " + this);
      } else if (choice == bounded.size()) {
        judge.measured(
            number(asking.ask(MANY.formatted(number))), MovedWorld.FEW + MovedWorld.MANY);
      } else {
        String sql =
            choice == bounded.size() + 1
                ? "SELECT name FROM cities WHERE id < " + number
                : "SELECT city, COUNT(*) FROM u WHERE tid < " + number + " GROUP BY city";
        judge.shown(asking.ask(sql).rows(), who + ", " + this);
      }
      ended.get(asker).incrementAndGet();
    } catch (Failure e) {
      if (e instanceof DatabaseError failed && !failed.isLost()) {
        judge.tell("what others did is held against a question: " + e.message() + ", " + this);
      }
      refused(e.message(), asker);
    }
  }

  private static long number(AnalystView view) {
    return view.rows().stream()
        .mapToLong(row -> ((Number) row.getLast()).longValue())
        .max()
        .orElse(0);
  }

  private void refused(String message, int asker) {
    ended.get(asker).incrementAndGet();
    synchronized (story) {
      refused.merge(message, 1, Integer::sum);
    }
  }

  /** Each thing that somebody does every day, and questions after it and beside it. */
  void everyday() throws Exception {
    try (MovedWorld world = opening.open(folder)) {
      Path policy = policies(world).getFirst();
      for (Move move : world.harmless()) {
        boolean stands;
        try (FlexDp flexdp = FlexDp.open(policy);
            ExecutorService thread = Executors.newSingleThreadExecutor()) {
          Callable<Void> beside =
              () -> {
                Await.until(() -> made(move.name(), move.done(), true), move.name());
                return null;
              };
          Future<Void> moved = thread.submit(beside);
          while (!moved.isDone()) {
            // or refused for a moment
            asking("everyday", world, random, sql -> fresh(flexdp, sql), 0);
          }
          moved.get();
          stands = flexdp.stands();
          if (stands) {
            answered(world, flexdp);
          }
        }
        if (!stands) {
          try (FlexDp again = FlexDp.open(policy)) {
            answered(world, again);
          }
        }
      }
      judge.judge(toString());
    }
  }

  private void answered(MovedWorld world, FlexDp flexdp) {
    List<String> all = new ArrayList<>(List.of(JOIN.sql(), MANY));
    world.questions().forEach(one -> all.add(one.sql()));
    all.forEach(sql -> fresh(flexdp, sql.formatted(MovedWorld.MANY + asked.incrementAndGet())));
  }

  /** Every move is one that can be made and unmade; none fails without a word. */
  void whileNobodyAsks() throws Exception {
    try (MovedWorld world = opening.open(folder)) {
      policies(world);
      for (Move move : world.moves()) {
        assertTrue(made(move.name(), move.done(), true), move.name());
        move.undone().ifPresent(undone -> assertTrue(made(move.name(), undone, true), move.name()));
      }
      judge.judge(toString());
    }
  }
}
