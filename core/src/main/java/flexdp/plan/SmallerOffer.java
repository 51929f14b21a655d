package flexdp.plan;

import flexdp.failure.Rejection;
import java.util.List;
import java.util.Optional;

/**
 * The first offer, where it is open, unless the other one has less noise. A ceiling may come from a
 * large public table, and released metrics be far below it. Both are public, so taking the smaller
 * says nothing.
 */
record SmallerOffer(CeilingOffer ceiling, ReleasedOffer released) implements Offer {
  @Override
  public Optional<Calibrated> serve(Measured m, List<Measured> together) {
    Optional<Calibrated> top = ceiling.serve(m, together);
    if (!m.knowsReleased()) {
      return top;
    }
    return top.map(
        most ->
            released
                .serve(m, together)
                .filter(known -> known.sensitivity().compareTo(most.sensitivity()) < 0)
                .orElse(most));
  }

  @Override
  public Rejection refusal(Measured m) {
    return ceiling.refusal(m);
  }
}
