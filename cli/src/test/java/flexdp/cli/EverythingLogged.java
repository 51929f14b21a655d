package flexdp.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/**
 * What this process logs, down to the finest level, while it is open. FlexDP itself has no loggers;
 * those of its libraries write here, or nowhere where they use SLF4J, which is shipped without a
 * place to write to.
 */
final class EverythingLogged extends Handler implements AutoCloseable {
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Logger root = Logger.getLogger("");
  private final Level before = root.getLevel();
  private final List<String> leftOut;

  /**
   * @param leftOut loggers whose names begin so are those of the program that asks, or tell the
   *     command line of a process of ours, in which class paths name every library
   */
  EverythingLogged(String... leftOut) {
    this.leftOut = List.of(leftOut);
    setLevel(Level.ALL);
    root.setLevel(Level.ALL);
    root.addHandler(this);
  }

  List<String> lines() {
    return lines;
  }

  /** Whether a word of the finest level arrives. */
  boolean isListening() {
    int count = lines.size();
    Logger.getLogger("flexdp").finest("a word");
    return lines.size() == count + 1;
  }

  @Override
  public void publish(LogRecord line) {
    String name = String.valueOf(line.getLoggerName());
    if (leftOut.stream().noneMatch(name::startsWith)) {
      StringWriter text = new StringWriter();
      text.append(name).append(' ').append(new SimpleFormatter().formatMessage(line));
      if (line.getThrown() != null) {
        line.getThrown().printStackTrace(new PrintWriter(text));
      }
      lines.add(text.toString());
    }
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    root.removeHandler(this);
    root.setLevel(before);
  }
}
