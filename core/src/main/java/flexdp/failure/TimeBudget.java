package flexdp.failure;

import java.util.Optional;

/**
 * How long somebody is ready to wait for what a thread thinks about. Whatever grows with a question
 * takes a step here for each part that it makes or looks at; every so many steps whoever waits is
 * asked, and throws when it has taken too long. Clocks and wishes belong to those who wait: this
 * knows neither.
 */
public final class TimeBudget {
  /** To ask takes about as long as this many steps. */
  private static final int SELDOM = 64;

  private static final ThreadLocal<TimeBudget> MINE = new ThreadLocal<>();

  private final Runnable look;
  private int steps;

  private TimeBudget(Runnable look) {
    this.look = look;
  }

  /** Somebody who waits and has a clock. */
  public interface Waiting extends Runnable {
    /** From now on the time is nobody's. */
    void aside();

    /** From now on it counts again. */
    void back();
  }

  /** Ends what it began. */
  public interface Limit extends AutoCloseable {
    @Override
    void close();
  }

  /** One more part of a question is made or looked at. */
  public static void step() {
    TimeBudget mine = MINE.get();
    if (mine != null && ++mine.steps % SELDOM == 0) {
      mine.look.run();
    }
  }

  /**
   * Until it is closed the thread asks this one, too.
   *
   * @param look throws when the waiting is over
   */
  public static Limit limit(Runnable look) {
    TimeBudget before = MINE.get();
    return begin(before == null ? look : new Both(before.look, look));
  }

  private record Both(Runnable one, Runnable other) implements Waiting {
    @Override
    public void run() {
      one.run();
      other.run();
    }

    @Override
    public void aside() {
      waiting(one).ifPresent(Waiting::aside);
      waiting(other).ifPresent(Waiting::aside);
    }

    @Override
    public void back() {
      waiting(one).ifPresent(Waiting::back);
      waiting(other).ifPresent(Waiting::back);
    }
  }

  private static Optional<Waiting> waiting(Runnable look) {
    return look instanceof Waiting waiting ? Optional.of(waiting) : Optional.empty();
  }

  /** Until it is closed nobody is asked: what was charged comes to its own end. */
  public static Limit unlimited() {
    return begin(() -> {});
  }

  /**
   * Until it is closed nobody is asked, and its time is nobody's: how long it takes may depend on
   * what must not be told, and so may not decide whether it comes to its end.
   */
  public static Limit aside() {
    Optional<Waiting> waiting = present().flatMap(TimeBudget::waiting);
    waiting.ifPresent(Waiting::aside);
    Limit unlimited = unlimited();
    return () -> {
      unlimited.close();
      waiting.ifPresent(Waiting::back);
    };
  }

  /** Whom this thread asks, for another that does its work. */
  public static Optional<Runnable> present() {
    return Optional.ofNullable(MINE.get()).map(mine -> mine.look);
  }

  private static Limit begin(Runnable look) {
    TimeBudget before = MINE.get();
    MINE.set(new TimeBudget(look));
    return () -> {
      if (before == null) {
        MINE.remove();
      } else {
        MINE.set(before);
      }
    };
  }
}
