package flexdp.sensitivity;

import flexdp.policy.Unit;
import java.math.BigInteger;

/**
 * What one step of a unit does to a table as a question reads it.
 *
 * <p>One row of the table: (1, 0, 1), and every group grows by 1. A person of whose rows the first
 * g are read: (g, 0, g) and g. A row of a table on which c caps are enforced: (1, c, 1+c) and 1,
 * its frequencies being those of the table without caps.
 *
 * @param added the most rows that appear: P
 * @param removed the most rows that disappear: M
 * @param both the most rows that appear or disappear: T
 * @param growth how many more rows can share a value, or be there at all
 */
record Footprint(
    Unit unit, BigInteger added, BigInteger removed, BigInteger both, BigInteger growth) {
  static Footprint row(Unit.Row unit) {
    return new Footprint(unit, BigInteger.ONE, BigInteger.ZERO, BigInteger.ONE, BigInteger.ONE);
  }

  /** The first rows of each person, by an order that reads nobody else's rows. */
  static Footprint truncated(Unit.Person unit, BigInteger rows) {
    return new Footprint(unit, rows, BigInteger.ZERO, rows, rows);
  }

  Signed signed(Terms terms, String place) {
    return terms.signed(
        place,
        Estimate.of(Bound.constant(added)),
        Estimate.of(Bound.constant(removed)),
        Estimate.of(Bound.constant(both)));
  }
}
