package flexdp.gateway.collect;

import flexdp.gateway.catalog.ChangeLog;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A snapshot after which changes are noted.
 *
 * @param snapshot its position among the notes
 * @param stamp names what notes them
 * @param life names what the server was
 * @param mark what was left on disk after the snapshot
 */
public record TrackedSnapshot(String snapshot, String stamp, String life, String mark) {
  private static final Pattern TEXT =
      Pattern.compile(
          "\\S+ ([0-9:,-]+)"
              + CollectedMetrics.LOG
              + "([0-9a-f]+) life:([0-9a-z-]+) mark:([0-9a-f]+)");

  /** As the metrics file has it; empty when nothing notes changes. */
  public static Optional<TrackedSnapshot> of(String snapshot) {
    Matcher matcher = TEXT.matcher(snapshot);
    return matcher.matches()
        ? Optional.of(
            new TrackedSnapshot(
                matcher.group(1), matcher.group(2), matcher.group(3), matcher.group(4)))
        : Optional.empty();
  }

  /** What follows the time in the metrics file. */
  String text() {
    return snapshot + CollectedMetrics.LOG + stamp + " life:" + life + " mark:" + mark;
  }

  ChangeLog.Mark where() {
    return new ChangeLog.Mark(snapshot, life, mark);
  }
}
