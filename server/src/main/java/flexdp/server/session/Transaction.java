package flexdp.server.session;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;

/**
 * A transaction as a reader sees one: settings that were made in it are undone with it, and after
 * an error nothing works until it ends.
 */
final class Transaction {
  private static final int MOST_MARKS = 1_000;
  private static final long BYTES_PER_ENTRY = 100;

  private record Mark(String name, Map<String, String> settings, int changes) {}

  private enum State {
    NONE,
    OPEN,
    FAILED
  }

  private final SessionSettings settings;
  private final Deque<Mark> marks = new ArrayDeque<>();
  private Map<String, String> before = Map.of();
  private Map<String, String> kept = Map.of();
  private State state = State.NONE;
  private boolean local;

  Transaction(SessionSettings settings) {
    this.settings = settings;
  }

  /** About how much memory its marks take: those between which nothing was set share it. */
  long bytes() {
    long bytes = 0;
    int before = -1;
    for (Mark mark : marks) {
      bytes += BYTES_PER_ENTRY;
      if (mark.changes() != before) {
        for (String value : mark.settings().values()) {
          bytes += BYTES_PER_ENTRY + value.length();
        }
      }
      before = mark.changes();
    }
    return bytes;
  }

  /** As the protocol says it. */
  char letter() {
    return switch (state) {
      case NONE -> 'I';
      case OPEN -> 'T';
      case FAILED -> 'E';
    };
  }

  boolean isOpen() {
    return state != State.NONE;
  }

  boolean isFailed() {
    return state == State.FAILED;
  }

  void begin() {
    if (state == State.NONE) {
      state = State.OPEN;
      before = settings.copy();
      kept = settings.copy();
      local = false;
    }
  }

  void fail() {
    state = state == State.NONE ? State.NONE : State.FAILED;
  }

  /** Remembers what a SET without LOCAL made, which outlives the transaction. */
  void set(boolean isLocal) {
    if (isLocal) {
      local = true;
    } else {
      kept = settings.copy();
    }
  }

  /** Whether it was committed: a failed one never is. */
  boolean commit() {
    boolean good = state != State.FAILED;
    if (good && state == State.OPEN && local) {
      settings.restore(kept);
    } else if (!good) {
      settings.restore(before);
    }
    end();
    return good;
  }

  void rollback() {
    if (state != State.NONE) {
      settings.restore(before);
    }
    end();
  }

  private void end() {
    state = State.NONE;
    marks.clear();
  }

  void savepoint(String name) {
    requireOpen("SAVEPOINT");
    if (marks.size() >= MOST_MARKS) {
      throw SqlError.of("53000", "Too many savepoints.", "Release some.");
    }
    Mark last = marks.peek();
    boolean same = last != null && last.changes() == settings.changes();
    Map<String, String> now = same ? last.settings() : settings.copy();
    marks.push(new Mark(name, now, settings.changes()));
  }

  void release(String name) {
    requireOpen("RELEASE SAVEPOINT");
    find(name);
    marks.pop();
  }

  void rollbackTo(String name) {
    requireOpen("ROLLBACK TO SAVEPOINT");
    settings.restore(find(name).settings());
    state = State.OPEN;
  }

  private Mark find(String name) {
    if (marks.stream().noneMatch(m -> m.name().equals(name))) {
      throw SqlError.of("3B001", "savepoint \"" + name + "\" does not exist");
    }
    while (!marks.element().name().equals(name)) {
      marks.pop();
    }
    return marks.element();
  }

  private void requireOpen(String what) {
    if (state == State.NONE) {
      throw SqlError.of("25P01", what + " can only be used in transaction blocks");
    }
  }
}
