package flexdp.sensitivity;

/**
 * Which way a number goes, if it does, when one step of any unit is added. It follows from the
 * structure of the question alone and is public.
 *
 * @param onlyUp it never falls
 * @param onlyDown it never rises
 */
public record Direction(boolean onlyUp, boolean onlyDown) {
  public static final Direction STILL = new Direction(true, true);
  public static final Direction UP = new Direction(true, false);
  public static final Direction DOWN = new Direction(false, true);
  public static final Direction MIXED = new Direction(false, false);

  /** Of several numbers together. */
  public Direction and(Direction other) {
    return new Direction(onlyUp && other.onlyUp, onlyDown && other.onlyDown);
  }

  /** Whether between any two neighbours all go the same way. */
  public boolean isOneWay() {
    return onlyUp || onlyDown;
  }

  /** Of a number that goes the other way. */
  Direction turned() {
    return new Direction(onlyDown, onlyUp);
  }
}
