package flexdp.sensitivity;

import flexdp.policy.PrivacyUnit;
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
record UnitEffect(
    PrivacyUnit unit, BigInteger added, BigInteger removed, BigInteger both, BigInteger growth) {
  static UnitEffect row(PrivacyUnit.Row unit) {
    return new UnitEffect(unit, BigInteger.ONE, BigInteger.ZERO, BigInteger.ONE, BigInteger.ONE);
  }

  /** The first rows of each person, by an order that reads nobody else's rows. */
  static UnitEffect truncated(PrivacyUnit.Person unit, BigInteger rows) {
    return new UnitEffect(unit, rows, BigInteger.ZERO, rows, rows);
  }

  Stability signed(BoundArithmetic terms, String place) {
    return terms.signed(
        place,
        BoundOrReason.of(Bound.constant(added)),
        BoundOrReason.of(Bound.constant(removed)),
        BoundOrReason.of(Bound.constant(both)));
  }
}
