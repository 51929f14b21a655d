package flexdp.server.pgcatalog;

import flexdp.gateway.database.CancellationToken;
import flexdp.gateway.database.CancellationToken.QueryCancelled;
import flexdp.gateway.database.ErrorLog;
import flexdp.server.session.SqlError;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A few workers for all users. Each user has one at a time and waits for themselves; one that takes
 * too long is killed, and another stands ready before it is needed. Whose statements end workers
 * waits a little longer each time, since to start one is work.
 */
final class WorkerPool implements AutoCloseable {
  private static final int MOST = 4;

  /** The worker itself stops a statement earlier, if the database listens. */
  private static final Duration DEADLINE = Duration.ofSeconds(UserCatalog.SECONDS + 2L);

  /** Of processors: where others work too, an honest statement has its time nevertheless. */
  private static final Duration MOST_WORK = Duration.ofSeconds(20);

  /**
   * How long a statement may work while others wait for a worker: ten times what clients' own
   * statements take.
   */
  private static final Duration MOST_WORK_OF_WANTED = Duration.ofSeconds(3);

  private static final long LOOK_MILLIS = 500;

  /** What a client has given up may go on for so long. */
  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final long START_SECONDS = 60;
  private static final long LONGEST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(90);
  private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int MOST_RESTS = 5;
  private static final long FORGET_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Path folder;
  private final ErrorLog log;
  private final AtomicInteger numbers = new AtomicInteger();
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("flexdp-catalogue-deadlines").factory());
  private final ExecutorService starter =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().daemon().name("flexdp-catalogue-start").factory());

  private final Deque<WorkerProcess> idle = new ArrayDeque<>();
  private final Set<WorkerProcess> all = new HashSet<>();
  private final Set<String> served = new HashSet<>();
  private final Map<String, Ended> ended = new HashMap<>();
  private int starting;

  /** Whether a start has failed just now: the next one waits a moment. */
  private boolean resting;

  private boolean closed;

  /** How many wait for a worker that others have. */
  private int wanted;

  /** How many workers a user's statements have ended lately, and when the last. */
  private record Ended(int times, long at) {}

  WorkerPool(Path folder, ErrorLog log) {
    this.folder = folder;
    this.log = log;
    spare();
  }

  /**
   * Lets a worker answer.
   *
   * @throws SqlError when none can, or the statement ended it
   */
  WorkerMessage.Answer ask(String user, byte[] request, CancellationToken cancellation) {
    WorkerProcess worker = waited(user, cancellation);
    boolean well = true; // until it is asked nothing is its fault
    AtomicLong given = new AtomicLong();
    ScheduledFuture<?> deadline = watched(worker);
    try (CancellationToken.Interruptible ignored = cancellation.over(() -> giveUp(worker, given))) {
      well = false;
      WorkerMessage.Answer answer = WorkerMessage.answer(worker.ask(request));
      well = true;
      return answer;
    } catch (QueryCancelled e) {
      throw cancelled();
    } catch (IOException e) {
      log.failure("catalogue: a statement of " + user + " ended its worker", e);
      throw SqlError.of(
          "57014",
          "The catalogue took too long or too much for this statement.",
          "Ask for less at a time.");
    } finally {
      deadline.cancel(false);
      giveBack(user, worker, well);
    }
  }

  /** Kills a worker that has worked, or only waited, for too long. */
  private ScheduledFuture<?> watched(WorkerProcess worker) {
    long end = System.nanoTime() + DEADLINE.toNanos();
    Optional<Duration> before = worker.busy();
    return clock.scheduleWithFixedDelay(
        () -> {
          Duration most = isWanted() ? MOST_WORK_OF_WANTED : MOST_WORK;
          boolean worked =
              before.isPresent()
                  && worker
                      .busy()
                      .filter(now -> now.minus(before.get()).compareTo(most) > 0)
                      .isPresent();
          if (worked || System.nanoTime() - end > 0) {
            worker.kill();
          }
        },
        LOOK_MILLIS,
        LOOK_MILLIS,
        TimeUnit.MILLISECONDS);
  }

  private synchronized boolean isWanted() {
    return wanted > 0;
  }

  /** Waits for a worker until the client gives up. The stop's lock is taken before the pool's. */
  private WorkerProcess waited(String user, CancellationToken cancellation) {
    AtomicBoolean given = new AtomicBoolean();
    try (CancellationToken.Interruptible ignored = cancellation.over(() -> wake(given))) {
      return taken(user, given);
    } catch (QueryCancelled e) {
      throw cancelled();
    }
  }

  private synchronized void wake(AtomicBoolean given) {
    given.set(true);
    notifyAll();
  }

  private static SqlError cancelled() {
    return SqlError.of("57014", "canceling statement due to user request");
  }

  /** Said again and again as long as the statement runs. */
  private static void giveUp(WorkerProcess worker, AtomicLong since) {
    long now = System.nanoTime();
    since.compareAndSet(0, now);
    if (now - since.get() > GRACE_NANOS) {
      worker.kill();
    } else {
      worker.cancel();
    }
  }

  private synchronized WorkerProcess taken(String user, AtomicBoolean given) {
    long end = System.nanoTime() + LONGEST_WAIT_NANOS;
    try {
      while (!closed) {
        if (given.get()) {
          throw cancelled();
        }
        dropDead();
        long now = System.nanoTime();
        long rest = rest(user, now);
        boolean free = !served.contains(user) && rest == 0;
        if (free && !idle.isEmpty()) {
          WorkerProcess worker = pick(user);
          served.add(user);
          worker.use(user);
          spare();
          return worker;
        }
        if (free) {
          spare();
        }
        if (now >= end) {
          throw SqlError.of("53400", "The catalogue is busy.", "Ask again.");
        }
        long wait = Math.min(end - now, rest == 0 ? end - now : rest);
        // While another one may be started, nobody waits for what others have.
        int wants = free && all.size() >= MOST ? 1 : 0;
        wanted += wants;
        try {
          TimeUnit.NANOSECONDS.timedWait(this, wait);
        } finally {
          wanted -= wants;
        }
      }
      throw SqlError.of("57P01", "the server is stopping");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw SqlError.of("57P01", "terminating connection due to administrator command");
    }
  }

  /** Some end while nobody uses them, as when memory runs out. */
  private void dropDead() {
    for (WorkerProcess worker : List.copyOf(idle)) {
      if (!worker.isAlive()) {
        idle.remove(worker);
        all.remove(worker);
        end(worker);
      }
    }
  }

  /** How long a user has to wait for what their statements did. */
  private long rest(String user, long now) {
    Ended lately = ended.get(user);
    return lately == null
        ? 0
        : Math.max(0, lately.at() + REST_NANOS * Math.min(MOST_RESTS, lately.times() - 1) - now);
  }

  /** The one that has this user's database open, or else one that has nobody's. */
  private WorkerProcess pick(String user) {
    Optional<WorkerProcess> own =
        idle.stream().filter(w -> w.user().equals(Optional.of(user))).findFirst();
    WorkerProcess worker =
        own.or(() -> idle.stream().filter(w -> w.user().isEmpty()).findFirst())
            .orElseGet(idle::getFirst);
    idle.remove(worker);
    return worker;
  }

  private synchronized void giveBack(String user, WorkerProcess worker, boolean well) {
    served.remove(user);
    if (well && worker.isAlive() && !closed) {
      idle.addLast(worker);
    } else {
      all.remove(worker);
      end(worker);
      long now = System.nanoTime();
      ended.values().removeIf(e -> now - e.at() > FORGET_NANOS);
      ended.merge(user, new Ended(1, now), (old, one) -> new Ended(old.times() + 1, now));
      spare();
    }
    notifyAll();
  }

  private void end(WorkerProcess worker) {
    worker.kill();
    try {
      starter.execute(worker::close);
    } catch (RejectedExecutionException e) {
      worker.close();
    }
  }

  /** Has one started when none is idle and there may be more. */
  private synchronized void spare() {
    if (!closed && !resting && idle.isEmpty() && starting == 0 && all.size() < MOST) {
      starter.execute(this::start);
      starting++;
    }
  }

  private void start() {
    Optional<WorkerProcess> made = Optional.empty();
    boolean ready = false;
    try {
      Path own = Files.createDirectory(folder.resolve("worker-" + numbers.incrementAndGet()));
      WorkerProcess worker = WorkerProcess.start(own);
      made = Optional.of(worker);
      ScheduledFuture<?> deadline = clock.schedule(worker::kill, START_SECONDS, TimeUnit.SECONDS);
      worker.awaitReady();
      deadline.cancel(false);
      ready = true;
    } catch (IOException | RuntimeException e) {
      log.failure("catalogue: a worker cannot be started", e);
    } finally {
      started(made, ready);
    }
  }

  private synchronized void rested() {
    resting = false;
    spare();
  }

  /** Whatever became of it, another may be started: at once, or where it failed a little later. */
  private void started(Optional<WorkerProcess> made, boolean ready) {
    boolean used;
    synchronized (this) {
      starting--;
      used = ready && !closed;
      if (used) {
        all.add(made.orElseThrow());
        idle.addLast(made.orElseThrow());
      } else if (!closed) {
        resting = true;
        clock.schedule(this::rested, REST_NANOS, TimeUnit.NANOSECONDS);
      }
      notifyAll();
    }
    if (!used) {
      made.ifPresent(WorkerProcess::close);
    }
  }

  /** What runs is killed. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      all.forEach(WorkerProcess::kill);
      notifyAll();
    }
    starter.shutdown();
    clock.shutdownNow();
    try {
      starter.awaitTermination(5, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    synchronized (this) {
      idle.forEach(WorkerProcess::close);
    }
  }

  /**
   * A worker as the server sees it. The operating system limits its memory where it can; its
   * environment is empty, and its folder its own.
   */
  static final class WorkerProcess implements AutoCloseable {
    /** All that it may map, in kilobytes: what it needs is about two thirds of it. */
    private static final String MOST_KILOBYTES = "1500000";

    /** Twice what a worker lets itself find, since numbers and lengths stand beside the values. */
    private static final long MOST_ANSWER = 2 * UserCatalog.MOST_BYTES;

    private static final Path SHELL = Path.of("/bin/sh");

    /** If memory runs out, it goes first. */
    private static final String LIMITS =
        "ulimit -c 0; ulimit -v \"$0\"; echo 1000 > /proc/self/oom_score_adj; exec \"$@\"";

    private final Process process;
    private final Path folder;
    private final DataOutputStream to;
    private final DataInputStream from;

    /** Whose database it has open. */
    private Optional<String> user = Optional.empty();

    private WorkerProcess(Process process, Path folder) {
      this.process = process;
      this.folder = folder;
      this.to = new DataOutputStream(process.getOutputStream());
      this.from = new DataInputStream(process.getInputStream());
    }

    /**
     * Starts one, which is not ready yet.
     *
     * @param folder an empty one for it alone
     */
    static WorkerProcess start(Path folder) throws IOException {
      List<String> command = new ArrayList<>();
      if (Files.isExecutable(SHELL)) {
        command.addAll(List.of(SHELL.toString(), "-c", LIMITS, MOST_KILOBYTES));
      }
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(
          List.of(
              "-Xmx128m",
              "-Xss1m",
              "-XX:+UseSerialGC",
              "-XX:TieredStopAtLevel=1",
              "-XX:ReservedCodeCacheSize=32m",
              "-XX:MaxMetaspaceSize=96m",
              "-XX:CompressedClassSpaceSize=32m",
              "-XX:-UsePerfData",
              "-XX:+ExitOnOutOfMemoryError",
              "-XX:+SuppressFatalErrorMessage",
              "-XX:-CreateCoredumpOnCrash",
              "-XX:+IgnoreUnrecognizedVMOptions",
              "-Xlog:disable",
              "-Xlog:all=off",
              "--enable-native-access=ALL-UNNAMED",
              "-Djava.io.tmpdir=" + folder));
      command.addAll(recorded());
      command.addAll(List.of("-cp", classPath(), CatalogWorker.class.getName()));
      ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
      builder.environment().clear();
      builder.environment().put("LC_ALL", "C.UTF-8");
      builder.environment().put("PATH", "/usr/bin:/bin");
      builder.environment().put("MALLOC_ARENA_MAX", "2");
      builder.redirectError(ProcessBuilder.Redirect.DISCARD);
      return new WorkerProcess(builder.start(), folder);
    }

    /** Classes that were recorded for this process start the other faster. */
    private static List<String> recorded() {
      String[] own = ProcessHandle.current().info().arguments().orElse(new String[0]);
      return Stream.of(own)
          .filter(a -> a.startsWith("-XX:SharedArchiveFile=") || a.startsWith("-XX:AOTCache="))
          .toList();
    }

    /** Parts of it may be named from the folder in which this process was started. */
    private static String classPath() {
      Stream<String> parts =
          WorkerProcess.class.getClassLoader() instanceof URLClassLoader loader
              ? Stream.of(loader.getURLs()).map(URL::getPath)
              : Stream.of(System.getProperty("java.class.path").split(File.pathSeparator));
      return parts
          .map(part -> Path.of(part).toAbsolutePath().toString())
          .collect(Collectors.joining(File.pathSeparator));
    }

    /** Waits until it can be asked. */
    void awaitReady() throws IOException {
      read();
    }

    /** Asks and waits for the answer. */
    byte[] ask(byte[] request) throws IOException {
      say(CatalogWorker.STATEMENT, request);
      return read();
    }

    private byte[] read() throws IOException {
      int length = from.readInt();
      if (length < 0 || length > MOST_ANSWER) {
        throw new IOException("an answer of " + length + " bytes");
      }
      byte[] answer = from.readNBytes(length);
      if (answer.length < length) {
        throw new IOException("half an answer");
      }
      return answer;
    }

    /** Interrupts what it does, if it listens. */
    void cancel() {
      try {
        say(CatalogWorker.CANCEL, new byte[0]);
      } catch (IOException e) {
        return; // it has ended
      }
    }

    private void say(int kind, byte[] bytes) throws IOException {
      synchronized (to) {
        to.writeByte(kind);
        if (kind == CatalogWorker.STATEMENT) {
          to.writeInt(bytes.length);
          to.write(bytes);
        }
        to.flush();
      }
    }

    Optional<String> user() {
      return user;
    }

    void use(String other) {
      user = Optional.of(other);
    }

    /** How long processors have worked for it; nothing where the system does not say. */
    Optional<Duration> busy() {
      return process.info().totalCpuDuration();
    }

    boolean isAlive() {
      return process.isAlive();
    }

    /** Ends it at once; whoever waits for its answer is told. */
    void kill() {
      process.destroyForcibly();
    }

    /** Ends it and removes what it leaves behind. */
    @Override
    public void close() {
      kill();
      try {
        process.waitFor(5, TimeUnit.SECONDS);
        try (DirectoryStream<Path> left = Files.newDirectoryStream(folder)) {
          for (Path file : left) {
            Files.deleteIfExists(file);
          }
        }
        Files.deleteIfExists(folder);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (IOException e) {
        return; // a temporary folder stays
      }
    }
  }
}
