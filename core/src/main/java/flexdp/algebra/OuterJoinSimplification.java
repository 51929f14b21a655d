package flexdp.algebra;

import flexdp.algebra.Relation.JoinKind;

/**
 * S-OUTER, decided for one join: an outer join whose padded rows are refused further up is an inner
 * or a one-sided join. A row that is padded on one side has NULL in all columns of it, so it is
 * enough that one of them is refused.
 *
 * @param exchanged the join keeps unmatched rows of its right side, so the sides change places
 */
public record OuterJoinSimplification(JoinKind kind, boolean exchanged) {
  /**
   * @param left whether rows with NULL in some column of the left side do not matter
   * @param right the same for the right side
   */
  public static OuterJoinSimplification needed(JoinKind kind, boolean left, boolean right) {
    return switch (kind) {
      case INNER -> new OuterJoinSimplification(JoinKind.INNER, false);
      case LEFT -> new OuterJoinSimplification(right ? JoinKind.INNER : JoinKind.LEFT, false);
      case FULL -> {
        if (left && right) {
          yield new OuterJoinSimplification(JoinKind.INNER, false);
        }
        yield left || right
            ? new OuterJoinSimplification(JoinKind.LEFT, right)
            : new OuterJoinSimplification(JoinKind.FULL, false);
      }
    };
  }
}
