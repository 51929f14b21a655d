package flexdp.sensitivity;

import flexdp.policy.PrivacyUnit;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The rules with one mistake in them, at one place. */
record Mutant(String place, Mistake mistake, int index) implements BoundArithmetic {
  /** What is wrong. */
  enum Mistake {
    DROPPED_TERM(true),
    SUM_AS_MAX(true),
    DROPPED_FACTOR(true),
    DROPPED_FROM_MAX(true),
    MAX_AS_MIN(true),
    MAX_AS_SUM(false),
    MIN_AS_MAX(false),
    NOT_GROWN(true),
    SIGNS_EXCHANGED(true),
    NOTHING_ADDED(true),
    NOTHING_REMOVED(true),
    BOTH_AS_LARGER(true);

    /** Too small a bound breaks privacy; too large a one only costs accuracy. */
    final boolean unsound;

    Mistake(boolean unsound) {
      this.unsound = unsound;
    }
  }

  /** Notes which places a question visits, with how many operands. */
  static final class Recorder implements BoundArithmetic {
    final Set<Mutant> possible = new LinkedHashSet<>();

    private void each(String place, Mistake mistake, BoundOrReason[] operands) {
      for (int i = 0; i < operands.length; i++) {
        possible.add(new Mutant(place, mistake, i));
      }
    }

    @Override
    public BoundOrReason sum(String place, BoundOrReason... terms) {
      each(place, Mistake.DROPPED_TERM, terms);
      if (terms.length > 1) {
        possible.add(new Mutant(place, Mistake.SUM_AS_MAX, 0));
      }
      return BoundArithmetic.super.sum(place, terms);
    }

    @Override
    public BoundOrReason product(String place, BoundOrReason... factors) {
      each(place, Mistake.DROPPED_FACTOR, factors);
      return BoundArithmetic.super.product(place, factors);
    }

    @Override
    public BoundOrReason max(String place, BoundOrReason... terms) {
      each(place, Mistake.DROPPED_FROM_MAX, terms);
      possible.add(new Mutant(place, Mistake.MAX_AS_MIN, 0));
      possible.add(new Mutant(place, Mistake.MAX_AS_SUM, 0));
      return BoundArithmetic.super.max(place, terms);
    }

    @Override
    public BoundOrReason min(String place, BoundOrReason... terms) {
      possible.add(new Mutant(place, Mistake.MIN_AS_MAX, 0));
      return BoundArithmetic.super.min(place, terms);
    }

    @Override
    public BoundOrReason grown(String place, BoundOrReason frequency, PrivacyUnit unit) {
      possible.add(new Mutant(place, Mistake.NOT_GROWN, 0));
      return BoundArithmetic.super.grown(place, frequency, unit);
    }

    @Override
    public Stability signed(
        String place, BoundOrReason added, BoundOrReason removed, BoundOrReason both) {
      // What changes nothing is no mistake.
      if (added != removed) {
        possible.add(new Mutant(place, Mistake.SIGNS_EXCHANGED, 0));
      }
      if (!added.isZero()) {
        possible.add(new Mutant(place, Mistake.NOTHING_ADDED, 0));
      }
      if (!removed.isZero()) {
        possible.add(new Mutant(place, Mistake.NOTHING_REMOVED, 0));
      }
      if (!added.isZero() && !removed.isZero() && both != added) {
        possible.add(new Mutant(place, Mistake.BOTH_AS_LARGER, 0));
      }
      return BoundArithmetic.super.signed(place, added, removed, both);
    }
  }

  private boolean at(String here, Mistake wanted) {
    return mistake == wanted && place.equals(here);
  }

  private BoundOrReason[] without(BoundOrReason[] operands) {
    List<BoundOrReason> rest = new ArrayList<>(List.of(operands));
    if (index < rest.size()) {
      rest.remove(index);
    }
    return rest.toArray(BoundOrReason[]::new);
  }

  @Override
  public BoundOrReason sum(String here, BoundOrReason... terms) {
    if (at(here, Mistake.DROPPED_TERM)) {
      return BoundOrReason.sum(without(terms));
    }
    return at(here, Mistake.SUM_AS_MAX) ? BoundOrReason.max(terms) : BoundOrReason.sum(terms);
  }

  @Override
  public BoundOrReason product(String here, BoundOrReason... factors) {
    return BoundOrReason.product(at(here, Mistake.DROPPED_FACTOR) ? without(factors) : factors);
  }

  @Override
  public BoundOrReason max(String here, BoundOrReason... terms) {
    if (at(here, Mistake.DROPPED_FROM_MAX)) {
      return BoundOrReason.max(without(terms));
    }
    if (at(here, Mistake.MAX_AS_MIN)) {
      return BoundOrReason.min(terms);
    }
    return at(here, Mistake.MAX_AS_SUM) ? BoundOrReason.sum(terms) : BoundOrReason.max(terms);
  }

  @Override
  public BoundOrReason min(String here, BoundOrReason... terms) {
    return at(here, Mistake.MIN_AS_MAX) ? BoundOrReason.max(terms) : BoundOrReason.min(terms);
  }

  @Override
  public BoundOrReason grown(String here, BoundOrReason frequency, PrivacyUnit unit) {
    return at(here, Mistake.NOT_GROWN)
        ? frequency
        : BoundArithmetic.super.grown(here, frequency, unit);
  }

  @Override
  public Stability signed(
      String here, BoundOrReason added, BoundOrReason removed, BoundOrReason both) {
    if (at(here, Mistake.SIGNS_EXCHANGED)) {
      return new Stability(removed, added, both);
    }
    if (at(here, Mistake.NOTHING_ADDED)) {
      return new Stability(BoundOrReason.ZERO, removed, both);
    }
    if (at(here, Mistake.NOTHING_REMOVED)) {
      return new Stability(added, BoundOrReason.ZERO, both);
    }
    return new Stability(
        added,
        removed,
        at(here, Mistake.BOTH_AS_LARGER) ? BoundOrReason.max(added, removed) : both);
  }
}
