package flexdp.metrics;

import java.math.BigInteger;
import java.util.Optional;

/**
 * How often the most frequent value of some columns occurs.
 *
 * @param max over values without NULL, as joins see them
 * @param maxWithNull NULL counting as a value, as GROUP BY and windows see them
 */
public record MaxFrequency(Optional<BigInteger> max, Optional<BigInteger> maxWithNull) {}
