package flexdp.sensitivity;

/**
 * Which way a number goes, if it does, when one step of any unit is added. It follows from the
 * structure of the question alone and is public.
 *
 * @param onlyUp it never falls
 * @param onlyDown it never rises
 */
public record MonotoneDirection(boolean onlyUp, boolean onlyDown) {
  public static final MonotoneDirection STILL = new MonotoneDirection(true, true);
  public static final MonotoneDirection UP = new MonotoneDirection(true, false);
  public static final MonotoneDirection DOWN = new MonotoneDirection(false, true);
  public static final MonotoneDirection MIXED = new MonotoneDirection(false, false);

  /** Of several numbers together. */
  public MonotoneDirection and(MonotoneDirection other) {
    return new MonotoneDirection(onlyUp && other.onlyUp, onlyDown && other.onlyDown);
  }

  /** Whether between any two neighbours all go the same way. */
  public boolean isOneWay() {
    return onlyUp || onlyDown;
  }

  /** Of a number that goes the other way. */
  MonotoneDirection turned() {
    return new MonotoneDirection(onlyDown, onlyUp);
  }
}
