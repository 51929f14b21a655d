package flexdp.cli;

import flexdp.gateway.collect.Progress;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.LongSupplier;

/** How far a measurement is: rows read and time left, a few times a second at most. */
final class ProgressLine implements Progress {
  private static final long PAUSE = 250_000_000;

  private final PrintWriter err;
  private final LongSupplier nanos;
  private final long start;
  private long said;
  private long total;
  private long done;

  ProgressLine(PrintWriter err, LongSupplier nanos) {
    this.err = err;
    this.nanos = nanos;
    this.start = nanos.getAsLong();
    this.said = start;
  }

  @Override
  public void begin(long rows) {
    total = rows;
  }

  @Override
  public void read(String table, long rows) {
    done += rows;
    long now = nanos.getAsLong();
    if (now - said < PAUSE && done < total || done == 0) {
      return;
    }
    said = now;
    double seconds = (now - start) / 1e9;
    double left = seconds * (total - done) / done;
    err.printf(
        Locale.ROOT,
        "collect: %s, %,d of %,d rows read, %s%n",
        table,
        done,
        total,
        done >= total
            ? String.format(Locale.ROOT, "done in %.1f s", seconds)
            : String.format(Locale.ROOT, "about %.0f s left", Math.ceil(left)));
    err.flush();
  }
}
