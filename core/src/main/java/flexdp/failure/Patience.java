package flexdp.failure;

import java.util.Optional;

/**
 * How long somebody is ready to wait for what a thread thinks about. Whatever grows with a question
 * takes a step here for each part that it makes or looks at; every so many steps whoever waits is
 * asked, and throws when it has taken too long. Clocks and wishes belong to those who wait: this
 * knows neither.
 */
public final class Patience {
  /** To ask takes about as long as this many steps. */
  private static final int SELDOM = 64;

  private static final ThreadLocal<Patience> MINE = new ThreadLocal<>();

  private final Runnable look;
  private int steps;

  private Patience(Runnable look) {
    this.look = look;
  }

  /** Ends what it began. */
  public interface Limit extends AutoCloseable {
    @Override
    void close();
  }

  /** One more part of a question is made or looked at. */
  public static void step() {
    Patience mine = MINE.get();
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
    Patience before = MINE.get();
    return begin(
        before == null
            ? look
            : () -> {
              before.look.run();
              look.run();
            });
  }

  /** Until it is closed nobody is asked: what was charged comes to its own end. */
  public static Limit unlimited() {
    return begin(() -> {});
  }

  /** Whom this thread asks, for another that does its work. */
  public static Optional<Runnable> present() {
    return Optional.ofNullable(MINE.get()).map(mine -> mine.look);
  }

  private static Limit begin(Runnable look) {
    Patience before = MINE.get();
    MINE.set(new Patience(look));
    return () -> {
      if (before == null) {
        MINE.remove();
      } else {
        MINE.set(before);
      }
    };
  }
}
