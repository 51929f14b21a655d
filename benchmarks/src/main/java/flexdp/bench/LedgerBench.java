package flexdp.bench;

import flexdp.budget.Allowance;
import flexdp.budget.Allowances;
import flexdp.budget.Cost;
import flexdp.gateway.ledger.Ledger;
import flexdp.gateway.ledger.LedgerPlace;
import flexdp.gateway.ledger.entry.ChargeOutcome;
import flexdp.gateway.ledger.entry.ChargeRequest;
import flexdp.gateway.ledger.entry.ReleasedAnswer;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * What a charge costs beside what the disk costs: reserve + settle against two fsyncs, taken in
 * turns in one run; 64 analysts at once; a start with a long ledger; a repeat. Writes a dated file
 * into the folder given.
 */
public final class LedgerBench {
  private static final int ROUNDS = 400;
  private static final int ANALYSTS = 64;
  private static final int QUESTIONS = 40;
  private static final Allowances PLENTY = Allowances.eachTable(Allowance.basic("1000000000", "0"));

  private final Results results = new Results("ledger", "The ledger");
  private final Path folder;

  private LedgerBench(Path folder) {
    this.folder = folder;
  }

  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args.length > 0 ? args[0] : "benchmarks/results");
    Files.createDirectories(folder);
    // Beside the results and not in /tmp, which is often no disk.
    Path work = Files.createTempDirectory(folder, "ledger");
    LedgerBench bench = new LedgerBench(work);
    try {
      bench.run();
    } finally {
      try (var files = Files.list(work)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(work);
    }
    bench.results.write(folder);
  }

  private void run() throws Exception {
    results.say("Milliseconds by the clock, medians unless said otherwise.");
    results.say("");
    results.table("what", "value", "beside it");
    LedgerPlace place = LedgerPlace.of(folder.resolve("bench.yaml"), Optional.empty());
    try (Ledger ledger = place.open(PLENTY, false)) {
      warmUp(ledger);
      alone(ledger);
      together(ledger);
      repeats(ledger);
    }
    starts(place);
  }

  /** Until the compiler has seen the code; a server does this once. */
  private static void warmUp(Ledger ledger) {
    for (int i = 0; i < 5 * ROUNDS; i++) {
      ledger.settle(ledger.reserve(request("ann")), ChargeOutcome.RELEASED);
    }
  }

  private void alone(Ledger ledger) throws IOException {
    double[] syncs = new double[ROUNDS];
    double[] charges = new double[ROUNDS];
    try (FileChannel file =
        FileChannel.open(
            folder.resolve("sync"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      for (int i = 0; i < ROUNDS; i++) {
        long start = System.nanoTime();
        sync(file);
        sync(file);
        long middle = System.nanoTime();
        ledger.settle(ledger.reserve(request("ann")), ChargeOutcome.RELEASED);
        syncs[i] = (middle - start) / 1e6;
        charges[i] = (System.nanoTime() - middle) / 1e6;
      }
    }
    double disk = at(syncs, 0.5);
    double charge = at(charges, 0.5);
    results.row(
        "reserve + settle, of which the first waits for the disk, beside two fsyncs",
        Aim.times(2, disk, charge),
        charge,
        disk);
    results.figure("reserve + settle", charge, charge, 1.1);
  }

  private static void sync(FileChannel file) throws IOException {
    file.write(ByteBuffer.allocate(4096));
    file.force(false);
  }

  private void together(Ledger ledger) throws InterruptedException {
    double[] waits = new double[ANALYSTS * QUESTIONS];
    List<Thread> analysts = new ArrayList<>();
    long start = System.nanoTime();
    for (int a = 0; a < ANALYSTS; a++) {
      int first = a * QUESTIONS;
      String name = "analyst" + a;
      analysts.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int q = 0; q < QUESTIONS; q++) {
                      long begin = System.nanoTime();
                      ledger.settle(ledger.reserve(request(name)), ChargeOutcome.RELEASED);
                      waits[first + q] = (System.nanoTime() - begin) / 1e6;
                    }
                  }));
    }
    for (Thread analyst : analysts) {
      analyst.join();
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    double rate = waits.length / seconds;
    double late = at(waits, 0.99);
    results.row(
        ANALYSTS + " analysts: answers a second", Aim.atLeast(1000, rate), Math.round(rate), "");
    results.row(
        "… 99 % of reserve + settle within, beside the median",
        Aim.atMost(100, late), late, at(waits, 0.5));
    results.figure(ANALYSTS + " analysts", 1000 / rate, 1000 / rate, 1.1);
  }

  private void repeats(Ledger ledger) {
    ReleasedAnswer answer =
        new ReleasedAnswer("key", "s", "ann", "laplace", Cost.pure(BigDecimal.ONE), "[[1]]");
    ledger.settle(ledger.reserve(request("ann")), ChargeOutcome.RELEASED, List.of(answer));
    double[] waits = new double[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
      long begin = System.nanoTime();
      if (ledger.find("key", "s").isEmpty()) {
        throw new IllegalStateException("the answer is lost");
      }
      waits[i] = (System.nanoTime() - begin) / 1e6;
    }
    double found = at(waits, 0.5);
    results.row(
        "finding a released answer again",
        Aim.atMost(0.1, found),
        String.format(Locale.ROOT, "%.4f", found),
        "");
  }

  private void starts(LedgerPlace place) {
    double[] waits = new double[9];
    long[] entries = {0};
    for (int i = 0; i < waits.length; i++) {
      long begin = System.nanoTime();
      Ledger ledger = place.open(PLENTY, false);
      waits[i] = (System.nanoTime() - begin) / 1e6;
      try (ledger) {
        entries[0] = 0;
        ledger.read(entry -> entries[0]++);
      }
    }
    double opened = at(waits, 0.5);
    results.row(
        "opening a ledger, all entries verified, beside their number",
        Aim.atMost(1000, opened),
        opened,
        entries[0]);
    results.figure("opening", opened, opened, 1.1);
  }

  private static ChargeRequest request(String analyst) {
    return new ChargeRequest(
        analyst,
        Set.of(),
        "SELECT count(*) FROM trips",
        Set.of("trips"),
        "laplace",
        Cost.pure(new BigDecimal("0.01")),
        "s");
  }

  private static double at(double[] values, double part) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[(int) Math.min(sorted.length - 1L, Math.round(part * sorted.length))];
  }
}
