package flexdp.sensitivity;

import flexdp.failure.Position;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A bound, or the reason why there is none. A factor that is missing does no harm where it is
 * multiplied by zero or stands in a minimum with something known; that is how rules ask for a
 * metric only where it matters.
 */
sealed interface Estimate {
  Estimate ZERO = new Known(Bound.ZERO);
  Estimate ONE = new Known(Bound.ONE);

  /** A formula. */
  record Known(Bound bound) implements Estimate {}

  /**
   * No formula, and why.
   *
   * @param reason asked for only where nothing else is known
   */
  record Missing(Supplier<Rejection> reason) implements Estimate {
    Rejection why() {
      return reason.get();
    }
  }

  static Estimate of(long value) {
    return new Known(Bound.constant(value));
  }

  static Estimate of(Bound bound) {
    return new Known(bound);
  }

  default boolean isZero() {
    return this instanceof Known known && known.bound.isZero();
  }

  /** The least number it exceeds at no distance, which follows from structure alone. */
  default Optional<BigInteger> ceiling() {
    return this instanceof Known known ? known.bound.ceiling() : Optional.empty();
  }

  default Bound orReject() {
    return switch (this) {
      case Known known -> known.bound;
      case Missing missing -> throw missing.why();
    };
  }

  default Estimate orAt(Position at) {
    return switch (this) {
      case Known known -> known;
      case Missing missing -> new Missing(() -> missing.why().orAt(at));
    };
  }

  static Estimate sum(Estimate... terms) {
    return every(terms, Simplify::sum);
  }

  static Estimate max(Estimate... terms) {
    return every(terms, Simplify::max);
  }

  static Estimate product(Estimate... factors) {
    for (Estimate factor : factors) {
      if (factor.isZero()) {
        return ZERO;
      }
    }
    return every(factors, Simplify::product);
  }

  static Estimate min(Estimate... terms) {
    List<Bound> known = new ArrayList<>();
    for (Estimate term : terms) {
      if (term instanceof Known one) {
        known.add(one.bound);
      }
    }
    return known.isEmpty() ? reason(terms) : new Known(Simplify.min(known));
  }

  /** Of several reasons the one that tells the owner what to measure. */
  private static Estimate reason(Estimate[] terms) {
    for (Estimate term : terms) {
      if (term instanceof Missing missing && missing.why().code() == RejectionCode.MISSING_METRIC) {
        return term;
      }
    }
    return terms[0];
  }

  private static Estimate every(Estimate[] terms, Function<List<Bound>, Bound> operator) {
    List<Bound> bounds = new ArrayList<>(terms.length);
    for (Estimate term : terms) {
      switch (term) {
        case Known known -> bounds.add(known.bound);
        case Missing missing -> {
          return missing;
        }
      }
    }
    return bounds.isEmpty() ? ZERO : new Known(operator.apply(bounds));
  }
}
