package flexdp.smooth;

/**
 * The smooth bound S, private like the metrics it comes from.
 *
 * @param value never below the exact maximum, and above it in the last binary digits only;
 *     infinite when it exceeds every double, as for a hundred self joins, where no noise helps
 * @param distance Σκ of a vector where the maximum is reached
 */
public record SmoothBound(double value, long distance) {}
