package flexdp.sql;

import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;

/** The time at which a question is bound, and whether the question looked at it. */
final class Present {
  private final LocalDateTime time;
  private boolean read;

  Present(LocalDateTime time) {
    this.time = time.truncatedTo(ChronoUnit.MICROS);
  }

  LocalDateTime time() {
    read = true;
    return time;
  }

  boolean wasRead() {
    return read;
  }
}
