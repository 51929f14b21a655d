package flexdp.release;

import java.math.BigDecimal;
import java.util.Optional;

/**
 * How much of anybody counts in one measurement of an answer, and what that takes away: the numbers
 * of the words that are said beside it.
 *
 * @param of the aggregate, and which part of it is measured
 * @param euclidean whether the L2 norm of what somebody has in all groups is capped, else what she
 *     has in all of them together, by each label where labels have caps of their own
 * @param rows whether rows are counted against the cap, not values
 * @param most τ
 * @param beyond about how much of all groups together is cut off
 * @param beyondAtMost likely no more is
 */
public record ContributionCap(
    String of,
    boolean euclidean,
    boolean rows,
    BigDecimal most,
    Optional<BigDecimal> beyond,
    Optional<BigDecimal> beyondAtMost) {}
