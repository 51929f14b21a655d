package flexdp.cells;

import java.math.BigInteger;
import java.util.List;
import java.util.Optional;

/**
 * Where contributions of people go.
 *
 * @param grouping which grouping set it is of, where there are several
 * @param measurement its place among those of the release point
 * @param step of the grid, for quantiles
 */
public record PersonCell(
    Optional<Long> grouping, List<Object> labels, int measurement, Optional<BigInteger> step) {}
