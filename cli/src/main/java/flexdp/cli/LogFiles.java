package flexdp.cli;

import flexdp.experiments.study.LogColumns;
import flexdp.experiments.study.LogFile;
import flexdp.experiments.study.LogFormat;
import flexdp.experiments.study.LogRecord;
import flexdp.experiments.study.Study;
import java.io.Closeable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Several logs, one after the other, with a bar that says how far they are read. */
final class LogFiles implements Study.Source, Closeable {
  private static final long PAUSE = 500_000_000;
  private static final long PAUSE_IN_FILES = 10_000_000_000L;
  private static final int WIDTH = 30;

  private final Deque<Path> left;
  private final Optional<LogFormat> format;
  private final LogColumns columns;
  private final PrintWriter err;
  private final boolean terminal = System.console() != null;
  private final long start = System.nanoTime();
  private long total;
  private long read;
  private long entries;
  private long said = start;
  private Optional<LogFile> open = Optional.empty();

  LogFiles(List<Path> files, Optional<LogFormat> format, LogColumns columns, PrintWriter err) {
    this.left = new ArrayDeque<>(files);
    this.format = format;
    this.columns = columns;
    this.err = err;
    for (Path file : files) {
      total += file.toFile().length();
    }
  }

  @Override
  public Optional<LogRecord> next() throws IOException {
    while (true) {
      if (open.isEmpty()) {
        if (left.isEmpty()) {
          clear();
          return Optional.empty();
        }
        open = Optional.of(open(left.poll()));
      }
      Optional<LogRecord> next = open.get().next();
      if (next.isPresent()) {
        entries++;
        return next;
      }
      close();
    }
  }

  private LogFile open(Path file) throws IOException {
    if (file.toString().equals("-")) {
      return new LogFile(System.in, "", format, columns);
    }
    LogFile log = LogFile.open(file, format, columns, this::progress);
    if (format.isEmpty() && Files.size(file) > 0) {
      err.println("study: " + file.getFileName() + " read as " + log.format().word());
    }
    return log;
  }

  private void progress(long bytes) {
    read += bytes;
    long now = System.nanoTime();
    if (now - said < (terminal ? PAUSE : PAUSE_IN_FILES) || total == 0) {
      return;
    }
    said = now;
    double part = Math.min(1, read / (double) total);
    double seconds = (now - start) / 1e9;
    int full = (int) (part * WIDTH);
    err.printf(
        Locale.ROOT,
        "%sstudy: [%s%s] %3.0f %%, %,d queries, about %.0f s left%s",
        terminal ? "\r" : "",
        "#".repeat(full),
        ".".repeat(WIDTH - full),
        100 * part,
        entries,
        Math.ceil(seconds * (1 - part) / Math.max(part, 1e-9)),
        terminal ? "  " : System.lineSeparator());
    err.flush();
  }

  private void clear() {
    if (terminal && said != start) {
      err.print("\r" + " ".repeat(WIDTH + 60) + "\r");
      err.flush();
    }
  }

  @Override
  public void close() throws IOException {
    if (open.isPresent()) {
      open.get().close();
      open = Optional.empty();
    }
  }
}
