package flexdp.cli;

import flexdp.gateway.collect.Progress;
import flexdp.gateway.pause.Pause;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * How far a measurement is: rows read and time left. On a terminal a bar moves within a table, too,
 * at the speed of what was read before, since databases do not tell; elsewhere there are a few
 * lines.
 */
final class ProgressLine implements Progress, AutoCloseable {
  private static final long PAUSE = 250_000_000;
  private static final int WIDTH = 24;

  private final PrintWriter err;
  private final LongSupplier nanos;
  private final boolean terminal;
  private final long start;
  private long said;
  private long total;
  private long done;
  private long begun;
  private long doneAt;
  private long reading;
  private String table = "";
  private boolean closed;

  ProgressLine(PrintWriter err, LongSupplier nanos) {
    this(err, nanos, false);
  }

  private ProgressLine(PrintWriter err, LongSupplier nanos, boolean terminal) {
    this.err = err;
    this.nanos = nanos;
    this.terminal = terminal;
    this.start = nanos.getAsLong();
    this.said = start;
  }

  /** With a bar that moves, if somebody sits before it. */
  static ProgressLine onTerminal(PrintWriter err) {
    boolean terminal = Boolean.getBoolean("flexdp.terminal"); // the launcher knows
    ProgressLine line = new ProgressLine(err, System::nanoTime, terminal);
    if (terminal) {
      Thread.ofVirtual().start(line::draw);
    }
    return line;
  }

  private void draw() {
    try {
      while (!isClosed()) {
        Pause.of(Duration.ofNanos(PAUSE));
        bar();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  private synchronized void bar() {
    if (closed || total == 0) {
      return;
    }
    long now = nanos.getAsLong();
    double speed = done == 0 ? 0 : done / (double) Math.max(1, doneAt - begun);
    double ahead = Math.min(0.95 * reading, speed * (now - Math.max(doneAt, begun)));
    double part = Math.min(1, (done + ahead) / total);
    int filled = (int) (part * WIDTH);
    String left =
        speed == 0
            ? ""
            : String.format(
                Locale.ROOT, ", about %.0f s left", (total - done - ahead) / speed / 1e9);
    err.printf(
        Locale.ROOT,
        "\r\033[Kcollect: [%s%s] %3.0f %% of %,d rows, %s%s",
        "#".repeat(filled),
        " ".repeat(WIDTH - filled),
        100 * part,
        total,
        table,
        left);
    err.flush();
  }

  @Override
  public synchronized void begin(long rows) {
    total = rows;
    begun = nanos.getAsLong();
    doneAt = begun;
  }

  @Override
  public synchronized void reading(String name, long rows) {
    table = name;
    reading = rows;
  }

  @Override
  public synchronized void note(String text) {
    err.println((terminal ? "\r\033[K" : "") + "collect: " + text);
    err.flush();
  }

  @Override
  public synchronized void read(String name, long rows) {
    done += rows;
    reading = 0;
    long now = nanos.getAsLong();
    doneAt = now;
    if (terminal && done < total || now - said < PAUSE && done < total || done == 0) {
      return;
    }
    said = now;
    double left = (now - begun) / 1e9 * (total - done) / done;
    err.printf(
        Locale.ROOT,
        "%scollect: %s, %,d of %,d rows read, %s%n",
        terminal ? "\r\033[K" : "",
        name,
        done,
        total,
        done >= total
            ? String.format(Locale.ROOT, "done in %.1f s", (now - start) / 1e9)
            : String.format(Locale.ROOT, "about %.0f s left", Math.ceil(left)));
    err.flush();
    closed = done >= total;
  }

  @Override
  public synchronized void close() {
    if (terminal && !closed) {
      err.println();
      err.flush();
    }
    closed = true;
  }
}
