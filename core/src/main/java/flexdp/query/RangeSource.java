package flexdp.query;

import flexdp.policy.Range;
import java.util.Optional;

/**
 * Ranges to which values are clamped where nothing that is believed says which they have. They
 * serve for that alone and need not be true: whatever they are, values outside count as their ends.
 */
@FunctionalInterface
public interface RangeSource {
  RangeSource NONE = wanted -> Optional.empty();

  /** The range that is wanted; each call gives an equal one. */
  Optional<Range> of(MissingRange wanted);

  /** A source that takes the ranges of another where this one has none. */
  default RangeSource or(RangeSource other) {
    return wanted -> of(wanted).or(() -> other.of(wanted));
  }
}
