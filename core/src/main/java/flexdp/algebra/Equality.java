package flexdp.algebra;

/**
 * Two columns that a join requires to be equal.
 *
 * @param nullSafe IS NOT DISTINCT FROM: NULL matches NULL
 */
public record Equality(int left, int right, boolean nullSafe) {}
