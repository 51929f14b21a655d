package flexdp.server.login;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.gateway.pause.Pause;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Guessing is slow; whoever knows the password is not. */
class ThrottleTest {
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final int ALL = 1_000;

  /** Wrong guesses wait until the test lets them go. */
  private final Semaphore gone = new Semaphore(0);

  private final List<Duration> waits = Collections.synchronizedList(new ArrayList<>());
  private final AtomicInteger tried = new AtomicInteger();
  private final AtomicInteger refused = new AtomicInteger();
  private final Throttle throttle = throttle(LONG);

  private Throttle throttle(Duration longest) {
    return new Throttle(
        Clock.fixed(Instant.EPOCH, ZoneOffset.UTC),
        wait -> {
          waits.add(wait);
          gone.acquireUninterruptibly();
        },
        longest);
  }

  @AfterEach
  void letAllGo() {
    gone.release(ALL);
  }

  private void guess(String address, String name, int times) {
    guess(throttle, address, name, times);
  }

  private void guess(Throttle asked, String address, String name, int times) {
    for (int i = 0; i < times; i++) {
      Thread.ofVirtual()
          .start(
              () -> {
                try {
                  asked.guess(
                      address,
                      name,
                      () -> {
                        tried.incrementAndGet();
                        return Optional.empty();
                      });
                } catch (Throttle.Crowded e) {
                  refused.incrementAndGet();
                }
              });
    }
  }

  private void right(String address, String name) {
    assertEquals(Optional.of("in"), throttle.guess(address, name, () -> Optional.of("in")));
  }

  @Test
  void aRightPasswordIsAnsweredWhileWrongOnesWait() {
    guess("10.0.0.1", "ann", 7);
    assertTrue(Pause.until(() -> waits.size() == 7, LONG));
    right("10.0.0.1", "ann");
    right("10.0.0.1", "ben");
    assertEquals(7, waits.size());
  }

  @Test
  void guessesAreAnsweredLaterAndLater() {
    gone.release(ALL);
    for (int i = 0; i < 9; i++) {
      assertEquals(Optional.empty(), throttle.guess("10.0.0.1", "ann", Optional::empty));
    }
    assertEquals(
        List.of(0L, 100L, 200L, 400L, 800L, 1_600L, 3_200L, 6_400L, 6_400L),
        waits.stream().map(Duration::toMillis).toList());
  }

  /** Whoever leaves before the answer comes has still tried no more than there are places. */
  @Test
  void guessesKeepTheirPlacesUntilTheyAreAnswered() {
    guess("10.0.0.1", "ann", 40);
    assertTrue(Pause.until(() -> waits.size() == Throttle.OF_ONE_NAME, LONG));
    right("10.0.0.1", "ben");
    right("10.0.0.2", "ann");
    assertEquals(Throttle.OF_ONE_NAME, tried.get());
    gone.release();
    assertTrue(Pause.until(() -> waits.size() == Throttle.OF_ONE_NAME + 1, LONG));
    right("10.0.0.2", "ann");
    assertEquals(Throttle.OF_ONE_NAME + 1, tried.get());
  }

  @Test
  void manyNamesFromOneAddressShareItsPlaces() {
    for (int i = 0; i < 30; i++) {
      guess("10.0.0.1", "name" + i, 8);
    }
    assertTrue(Pause.until(() -> waits.size() == Throttle.OF_ONE_ADDRESS, LONG));
    right("10.0.0.2", "ann");
    assertEquals(Throttle.OF_ONE_ADDRESS, tried.get());
  }

  /** Who waits holds a connection: one address does not take all of them. */
  @Test
  void fewFromOneAddressWaitAndTheOthersAreRefusedAtOnce() {
    guess("10.0.0.1", "ann", 200);
    int stay = Throttle.OF_ONE_NAME + Throttle.WAITING_OF_ONE_ADDRESS;
    assertTrue(Pause.until(() -> refused.get() == 200 - stay, LONG));
    assertEquals(Throttle.WAITING_OF_ONE_ADDRESS, throttle.waiting("10.0.0.1"));
    assertThrows(
        Throttle.Crowded.class,
        () -> throttle.guess("10.0.0.1", "ann", () -> Optional.of("not looked at")));
    right("10.0.0.1", "ben");
    right("10.0.0.2", "ann");
    gone.release(ALL);
    assertTrue(Pause.until(() -> tried.get() == stay, LONG));
    assertTrue(Pause.until(() -> throttle.waiting("10.0.0.1") == 0, LONG));
  }

  @Test
  void whoHasWaitedLongEnoughIsRefused() {
    Throttle impatient = throttle(Duration.ofMillis(1));
    guess(impatient, "10.0.0.1", "ann", Throttle.OF_ONE_NAME);
    assertTrue(Pause.until(() -> waits.size() == Throttle.OF_ONE_NAME, LONG));
    assertThrows(
        Throttle.Crowded.class,
        () -> impatient.guess("10.0.0.1", "ann", () -> Optional.of("not looked at")));
    assertEquals(0, impatient.waiting("10.0.0.1"));
  }
}
