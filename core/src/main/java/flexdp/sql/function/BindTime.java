package flexdp.sql.function;

import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;

/** The time at which a question is bound, and whether the question looked at it. */
public final class BindTime {
  private final LocalDateTime time;
  private boolean read;

  public BindTime(LocalDateTime time) {
    this.time = time.truncatedTo(ChronoUnit.MICROS);
  }

  LocalDateTime time() {
    read = true;
    return time;
  }

  public boolean wasRead() {
    return read;
  }
}
