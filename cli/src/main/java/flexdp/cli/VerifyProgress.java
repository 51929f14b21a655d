package flexdp.cli;

import java.io.PrintWriter;
import java.util.Locale;

/** How far a verification is: time is what it has, so the bar is of time. */
final class VerifyProgress implements AutoCloseable {
  private static final long PAUSE = 250_000_000;
  private static final int WIDTH = 24;

  private final PrintWriter err;
  private final int questions;
  private final long start = System.nanoTime();
  private final long end;
  private final boolean terminal = Boolean.getBoolean("flexdp.terminal"); // the launcher knows
  private long said;
  private int at;
  private long before;
  private long now;

  VerifyProgress(PrintWriter err, int questions, long end) {
    this.err = err;
    this.questions = questions;
    this.end = end;
  }

  void begin(int question) {
    at = question;
    before += now;
    now = 0;
  }

  void checked(long checks) {
    now = checks;
    long time = System.nanoTime();
    if (!terminal || time - said < PAUSE) {
      return;
    }
    said = time;
    double part = Math.clamp((time - start) / (double) Math.max(1, end - start), 0, 1);
    int filled = (int) (part * WIDTH);
    err.printf(
        Locale.ROOT,
        "\r\033[Kverify: [%s%s] question %d of %d, %,d checks, about %.0f s left",
        "#".repeat(filled),
        " ".repeat(WIDTH - filled),
        at + 1,
        questions,
        before + now,
        Math.max(0, (end - time) / 1e9));
    err.flush();
  }

  /** Makes room for a line. */
  void pause() {
    if (terminal) {
      err.print("\r\033[K");
      err.flush();
    }
  }

  @Override
  public void close() {
    pause();
  }
}
