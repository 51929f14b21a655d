package flexdp.experiments;

import java.util.Locale;

/** How much of an experiment is run. */
public enum Scale {
  /** Seconds for all experiments together: a test that they work, not a measurement. */
  TINY,
  /** Minutes for all. */
  SMALL,
  /** As in the paper, or as near as the data allow. */
  FULL;

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The value of three that belongs to this scale. */
  public <T> T of(T tiny, T small, T full) {
    return switch (this) {
      case TINY -> tiny;
      case SMALL -> small;
      case FULL -> full;
    };
  }
}
