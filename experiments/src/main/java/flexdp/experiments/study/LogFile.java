package flexdp.experiments.study;

import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/** A log in a file, which may be packed with gzip, or from the standard input. */
public final class LogFile implements Study.Source, Closeable {
  private static final int LOOKED_AT = 1 << 16;

  private final InputStream in;
  private final LogFormat format;
  private final Study.Source entries;
  private final Cut whole;

  /**
   * Opens a log.
   *
   * @param format otherwise guessed
   * @param progress hears how many bytes of the file were read since the last time
   */
  public static LogFile open(
      Path file, Optional<LogFormat> format, LogColumns columns, LongConsumer progress)
      throws IOException {
    if (!Files.isReadable(file) || Files.isDirectory(file)) {
      throw ConfigurationError.of(Code.BAD_USAGE, "there is no file " + file);
    }
    InputStream raw = new Counted(Files.newInputStream(file), progress);
    String name = file.getFileName().toString();
    return new LogFile(
        name.endsWith(".gz") ? new GZIPInputStream(raw) : raw, name, format, columns);
  }

  /** A log that comes from elsewhere, under a name that may tell its format. */
  public LogFile(InputStream raw, String name, Optional<LogFormat> given, LogColumns columns)
      throws IOException {
    whole = new Cut(raw);
    in = new BufferedInputStream(whole, LOOKED_AT);
    in.mark(LOOKED_AT);
    byte[] start = in.readNBytes(LOOKED_AT);
    in.reset();
    format = given.orElseGet(() -> LogFormat.guess(name, start));
    entries =
        switch (format) {
          case SQL -> new StatementLog(in);
          case LINES -> new LineLog(in, Optional.empty());
          case JSONL -> new LineLog(in, Optional.of(columns));
          case CSV -> csv(name, columns);
        };
  }

  private Study.Source csv(String name, LogColumns columns) throws IOException {
    CsvLog log = new CsvLog(in, columns);
    if (!log.heading().isEmpty() && !columns.fits(log.heading())) {
      throw ConfigurationError.of(
          Code.BAD_USAGE,
          "no column of " + name + " holds queries",
          "Name it: --column NAME, one of " + String.join(", ", log.heading()));
    }
    return log;
  }

  public LogFormat format() {
    return format;
  }

  @Override
  public Optional<LogRecord> next() throws IOException {
    Optional<LogRecord> next = entries.next();
    if (next.isEmpty() && whole.isCut()) {
      whole.told();
      return Optional.of(new LogRecord.Unreadable("TRUNCATED", "the packed file ends too early"));
    }
    return next;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  /** A packed file may be cut short: then it ends there, and that is said once. */
  private static final class Cut extends FilterInputStream {
    private boolean cut;
    private boolean told;

    Cut(InputStream in) {
      super(in);
    }

    boolean isCut() {
      return cut && !told;
    }

    void told() {
      told = true;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] to, int from, int length) throws IOException {
      if (cut) {
        return -1;
      }
      try {
        return super.read(to, from, length);
      } catch (EOFException | ZipException e) {
        cut = true;
        return -1;
      }
    }
  }

  /** Tells how much was read. */
  private static final class Counted extends FilterInputStream {
    private final LongConsumer progress;

    Counted(InputStream in, LongConsumer progress) {
      super(in);
      this.progress = progress;
    }

    @Override
    public int read() throws IOException {
      int b = super.read();
      progress.accept(b < 0 ? 0 : 1);
      return b;
    }

    @Override
    public int read(byte[] to, int from, int length) throws IOException {
      int read = super.read(to, from, length);
      progress.accept(Math.max(0, read));
      return read;
    }
  }
}
