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
sealed interface BoundOrReason {
  BoundOrReason ZERO = new Known(Bound.ZERO);
  BoundOrReason ONE = new Known(Bound.ONE);

  /** A formula. */
  record Known(Bound bound) implements BoundOrReason {}

  /**
   * No formula, and why.
   *
   * @param reason asked for only where nothing else is known
   */
  record Missing(Supplier<Rejection> reason) implements BoundOrReason {
    Rejection why() {
      return reason.get();
    }
  }

  static BoundOrReason of(long value) {
    return new Known(Bound.constant(value));
  }

  static BoundOrReason of(Bound bound) {
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

  default BoundOrReason orAt(Position at) {
    return switch (this) {
      case Known known -> known;
      case Missing missing -> new Missing(() -> missing.why().orAt(at));
    };
  }

  static BoundOrReason sum(BoundOrReason... terms) {
    return every(terms, FormulaSimplifier::sum);
  }

  static BoundOrReason max(BoundOrReason... terms) {
    return every(terms, FormulaSimplifier::max);
  }

  static BoundOrReason product(BoundOrReason... factors) {
    for (BoundOrReason factor : factors) {
      if (factor.isZero()) {
        return ZERO;
      }
    }
    return every(factors, FormulaSimplifier::product);
  }

  static BoundOrReason min(BoundOrReason... terms) {
    List<Bound> known = new ArrayList<>();
    for (BoundOrReason term : terms) {
      if (term instanceof Known one) {
        known.add(one.bound);
      }
    }
    return known.isEmpty() ? reason(terms) : new Known(FormulaSimplifier.min(known));
  }

  /** Of several reasons the one that tells the owner what to measure. */
  private static BoundOrReason reason(BoundOrReason[] terms) {
    for (BoundOrReason term : terms) {
      if (term instanceof Missing missing && missing.why().code() == RejectionCode.MISSING_METRIC) {
        return term;
      }
    }
    return terms[0];
  }

  private static BoundOrReason every(BoundOrReason[] terms, Function<List<Bound>, Bound> operator) {
    List<Bound> bounds = new ArrayList<>(terms.length);
    for (BoundOrReason term : terms) {
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
