package flexdp.experiments.study;

/** How many rows of one side of a join a row of the other can match. */
public enum Relationship {
  ONE_TO_ONE,
  ONE_TO_MANY,
  MANY_TO_MANY;

  /** Of an equality whose sides are keys of their tables or not. */
  public static Relationship of(boolean leftUnique, boolean rightUnique) {
    if (leftUnique && rightUnique) {
      return ONE_TO_ONE;
    }
    return leftUnique || rightUnique ? ONE_TO_MANY : MANY_TO_MANY;
  }
}
