package flexdp.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.gateway.pause.Pause;
import java.io.BufferedReader;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * One fault after the other while four analysts ask two servers: one with its ledger on a
 * PostgreSQL of its own, one with a file on a small disk. Whatever was answered is charged, and
 * when a fault has ended everybody is answered again.
 */
class MinuteFaultsTest {
  /** What may be told apart from an answer: what is away, lost connections, a full disk. */
  private static final Set<String> EXPECTED =
      Set.of("08000", "08001", "08003", "08006", "57P01", "57P03", "58000", "58030");

  private static final String BUDGET = "1000000";

  @TempDir Path folder;
  private final Path diary = Path.of("target", "minute-faults.txt");

  /** What happens to them. */
  private enum Fault {
    DATABASE_RESTARTS,
    SERVER_IS_KILLED,
    DISK_IS_FULL,
    LEDGER_IS_AWAY,
    DATABASE_IS_SILENT,
    OTHER_SERVER_IS_KILLED,
    DATABASE_IS_AWAY,
    LEDGER_IS_SILENT
  }

  /** A server with those who ask it. */
  private record Place(ServerProcess server, List<Asker> askers, List<Thread> threads) {}

  @Test
  @Tag("nightly")
  @Timeout(3_600)
  void everyFaultOnce() throws Exception {
    run(Fault.values().length, Duration.ZERO);
  }

  /**
   * On a quiet machine: the longest of the times until everybody was answered again is at most
   * {@code -Dflexdp.soak.within} seconds, five.
   */
  @Test
  @Tag("soak")
  void halfAnHourWithAFaultEachMinute() throws Exception {
    Duration worst =
        run(Math.toIntExact(Long.getLong("flexdp.soak.minutes", 30)), Duration.ofMinutes(1));
    Duration within = Duration.ofSeconds(Long.getLong("flexdp.soak.within", 5));
    assertTrue(worst.compareTo(within) <= 0, () -> worst + ", see " + diary);
  }

  /** How long it took after a fault, at most, until everybody had an answer. */
  private Duration run(int faults, Duration between) throws Exception {
    Files.writeString(diary, "");
    Duration worst = Duration.ZERO;
    Path shared = Files.createDirectory(folder.resolve("shared"));
    Path source = Files.createDirectory(folder.resolve("source"));
    Path disk = Files.createDirectory(folder.resolve("disk"));
    try (MortalPostgres data = new MortalPostgres(folder.resolve("data"));
        MortalPostgres books = new MortalPostgres(folder.resolve("books"))) {
      Path one = data.policy(shared, "0.1", BUDGET);
      Path two = data.policy(source, "0.1", BUDGET);
      Process small = smallDisk(disk, source);
      try (ServerProcess first = new ServerProcess(one, Optional.of(books.ledger()));
          ServerProcess second =
              new ServerProcess(
                  disk.resolve(two.getFileName()), Optional.empty(), inside(small.pid()))) {
        Place onPostgres = begin(first, one);
        Place onDisk = begin(second, two);
        List<Place> both = List.of(onPostgres, onDisk);
        everybodyIsAnswered(both);
        for (int i = 0; i < faults; i++) {
          Pause.of(between);
          Fault fault = Fault.values()[i % Fault.values().length];
          Duration taken =
              switch (fault) {
                case DATABASE_RESTARTS -> after(both, data::stop, 0, data::start);
                case DATABASE_IS_AWAY -> after(both, data::stop, 1, data::start);
                case DATABASE_IS_SILENT ->
                    after(both, () -> data.freeze(true), 1, () -> data.freeze(false));
                case LEDGER_IS_AWAY -> after(List.of(onPostgres), books::stop, 1, books::start);
                case LEDGER_IS_SILENT ->
                    after(
                        List.of(onPostgres),
                        () -> books.freeze(true),
                        1,
                        () -> books.freeze(false));
                case SERVER_IS_KILLED ->
                    after(List.of(onPostgres), first::kill, 1, first::startAgain);
                case OTHER_SERVER_IS_KILLED ->
                    after(List.of(onDisk), second::kill, 1, second::startAgain);
                case DISK_IS_FULL -> after(List.of(onDisk), second::fill, 1, second::free);
              };
          worst = taken.compareTo(worst) > 0 ? taken : worst;
          note(fault, taken, both);
        }
        for (Place place : both) {
          nothingIsLost(place);
        }
      } finally {
        small.destroyForcibly().waitFor();
      }
    }
    return worst;
  }

  /** What may throw anything. */
  private interface Act {
    void run() throws Exception;
  }

  /**
   * How long it took from the end of a fault until everybody had an answer.
   *
   * @param refusals how many each of them meets before it ends
   */
  private static Duration after(List<Place> places, Act begin, int refusals, Act end)
      throws Exception {
    Map<Asker, Integer> before = new HashMap<>();
    places.forEach(place -> place.askers.forEach(asker -> before.put(asker, asker.refused())));
    begin.run();
    Await.until(
        () ->
            before.entrySet().stream()
                .allMatch(e -> e.getKey().refused() >= e.getValue() + refusals),
        "everybody meets it");
    end.run();
    long ended = System.nanoTime();
    everybodyIsAnswered(places);
    return Duration.ofNanos(System.nanoTime() - ended);
  }

  /** One answer more for everybody. */
  private static void everybodyIsAnswered(List<Place> places) {
    Map<Asker, Integer> before = new HashMap<>();
    places.forEach(place -> place.askers.forEach(asker -> before.put(asker, asker.delivered())));
    Await.until(
        () -> before.entrySet().stream().allMatch(e -> e.getKey().delivered() > e.getValue()),
        "everybody is answered");
  }

  private static Place begin(ServerProcess server, Path policy) {
    Duration pause = Duration.ofMillis(Long.getLong("flexdp.soak.pause", 50));
    Owner owner = new Owner(policy, Optional.empty(), new BigDecimal(BUDGET));
    List<Asker> askers = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (String user : List.of("ann", "ben")) {
      Asker asker = new Asker(user, server, owner, pause, 7L + askers.size());
      askers.add(asker);
      threads.add(Thread.ofPlatform().daemon().start(asker));
    }
    return new Place(server, askers, threads);
  }

  /**
   * Every answer that came has its charge, also after the server was killed once more, whose start
   * verifies the ledger's chain; and nothing counts as a failure of a question.
   */
  private static void nothingIsLost(Place place) throws Exception {
    place.askers.forEach(Asker::stop);
    for (Thread thread : place.threads) {
      Await.until(() -> !thread.isAlive(), "a client ends");
    }
    place.server.kill();
    place.server.startAgain();
    for (Asker asker : place.askers) {
      long charges = count(place, asker, "");
      assertTrue(charges >= asker.delivered(), charges + " for " + asker.delivered());
      assertEquals(0, count(place, asker, " WHERE outcome = 'failed'"));
      assertTrue(EXPECTED.containsAll(asker.states()), () -> "saw " + asker.states());
    }
  }

  private static long count(Place place, Asker asker, String where) throws Exception {
    try (Connection connection = place.server.connect(asker.user(), "people");
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT count(*) FROM flexdp.history" + where)) {
      rows.next();
      return rows.getLong(1);
    }
  }

  /** A disk of a few megabytes that outlives the server on it; what is in the folder is on it. */
  private static Process smallDisk(Path disk, Path source) throws Exception {
    Process holder =
        new ProcessBuilder(
                "unshare",
                "-rm",
                "bash",
                "-c",
                "mount -t tmpfs -o size=64m tmpfs \"$0\" && cp \"$1\"/*.yaml \"$1\"/*.json \"$0\""
                    + " && echo ready && exec sleep infinity",
                disk.toString(),
                source.toString())
            .redirectErrorStream(true)
            .start();
    BufferedReader said = holder.inputReader();
    assertEquals("ready", said.readLine(), "unprivileged user namespaces are needed");
    return holder;
  }

  private static List<String> inside(long holder) {
    return List.of("nsenter", "-t", "" + holder, "-U", "-m", "--preserve-credentials");
  }

  private void note(Fault fault, Duration taken, List<Place> places) throws Exception {
    int delivered =
        places.stream().flatMap(p -> p.askers.stream()).mapToInt(Asker::delivered).sum();
    Files.writeString(
        diary,
        String.format(
            Locale.ROOT,
            "%s: answered after %.1f s, %d answers%n",
            fault,
            taken.toMillis() / 1000.0,
            delivered),
        StandardOpenOption.APPEND);
  }
}
