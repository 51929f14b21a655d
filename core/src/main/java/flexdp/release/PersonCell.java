package flexdp.release;

import java.math.BigInteger;
import java.util.List;
import java.util.Optional;

/**
 * Where contributions of people go.
 *
 * @param measurement its place among those of the release point
 * @param step of the grid, for quantiles
 */
public record PersonCell(List<Object> labels, int measurement, Optional<BigInteger> step) {}
