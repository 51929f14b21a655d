package flexdp.sensitivity;

import flexdp.policy.Unit;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The rules with one mistake in them, at one place. */
record Mutant(String place, Mistake mistake, int index) implements Terms {
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
  static final class Recorder implements Terms {
    final Set<Mutant> possible = new LinkedHashSet<>();

    private void each(String place, Mistake mistake, Estimate[] operands) {
      for (int i = 0; i < operands.length; i++) {
        possible.add(new Mutant(place, mistake, i));
      }
    }

    @Override
    public Estimate sum(String place, Estimate... terms) {
      each(place, Mistake.DROPPED_TERM, terms);
      if (terms.length > 1) {
        possible.add(new Mutant(place, Mistake.SUM_AS_MAX, 0));
      }
      return Terms.super.sum(place, terms);
    }

    @Override
    public Estimate product(String place, Estimate... factors) {
      each(place, Mistake.DROPPED_FACTOR, factors);
      return Terms.super.product(place, factors);
    }

    @Override
    public Estimate max(String place, Estimate... terms) {
      each(place, Mistake.DROPPED_FROM_MAX, terms);
      possible.add(new Mutant(place, Mistake.MAX_AS_MIN, 0));
      possible.add(new Mutant(place, Mistake.MAX_AS_SUM, 0));
      return Terms.super.max(place, terms);
    }

    @Override
    public Estimate min(String place, Estimate... terms) {
      possible.add(new Mutant(place, Mistake.MIN_AS_MAX, 0));
      return Terms.super.min(place, terms);
    }

    @Override
    public Estimate grown(String place, Estimate frequency, Unit unit) {
      possible.add(new Mutant(place, Mistake.NOT_GROWN, 0));
      return Terms.super.grown(place, frequency, unit);
    }

    @Override
    public Signed signed(String place, Estimate added, Estimate removed, Estimate both) {
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
      return Terms.super.signed(place, added, removed, both);
    }
  }

  private boolean at(String here, Mistake wanted) {
    return mistake == wanted && place.equals(here);
  }

  private Estimate[] without(Estimate[] operands) {
    List<Estimate> rest = new ArrayList<>(List.of(operands));
    if (index < rest.size()) {
      rest.remove(index);
    }
    return rest.toArray(Estimate[]::new);
  }

  @Override
  public Estimate sum(String here, Estimate... terms) {
    if (at(here, Mistake.DROPPED_TERM)) {
      return Estimate.sum(without(terms));
    }
    return at(here, Mistake.SUM_AS_MAX) ? Estimate.max(terms) : Estimate.sum(terms);
  }

  @Override
  public Estimate product(String here, Estimate... factors) {
    return Estimate.product(at(here, Mistake.DROPPED_FACTOR) ? without(factors) : factors);
  }

  @Override
  public Estimate max(String here, Estimate... terms) {
    if (at(here, Mistake.DROPPED_FROM_MAX)) {
      return Estimate.max(without(terms));
    }
    if (at(here, Mistake.MAX_AS_MIN)) {
      return Estimate.min(terms);
    }
    return at(here, Mistake.MAX_AS_SUM) ? Estimate.sum(terms) : Estimate.max(terms);
  }

  @Override
  public Estimate min(String here, Estimate... terms) {
    return at(here, Mistake.MIN_AS_MAX) ? Estimate.max(terms) : Estimate.min(terms);
  }

  @Override
  public Estimate grown(String here, Estimate frequency, Unit unit) {
    return at(here, Mistake.NOT_GROWN) ? frequency : Terms.super.grown(here, frequency, unit);
  }

  @Override
  public Signed signed(String here, Estimate added, Estimate removed, Estimate both) {
    if (at(here, Mistake.SIGNS_EXCHANGED)) {
      return new Signed(removed, added, both);
    }
    if (at(here, Mistake.NOTHING_ADDED)) {
      return new Signed(Estimate.ZERO, removed, both);
    }
    if (at(here, Mistake.NOTHING_REMOVED)) {
      return new Signed(added, Estimate.ZERO, both);
    }
    return new Signed(
        added, removed, at(here, Mistake.BOTH_AS_LARGER) ? Estimate.max(added, removed) : both);
  }
}
