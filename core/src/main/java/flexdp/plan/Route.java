package flexdp.plan;

import flexdp.algebra.Column;
import flexdp.algebra.Relation;
import flexdp.owned.SetOwned;
import flexdp.policy.Unit;
import flexdp.sensitivity.PublicBound;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * How a release point is answered when people own rows that it reads (guarantee §10). It depends on
 * the question and the policy only. Inputs are what the database is to compute in place of the
 * release point's own: the same columns under the same ids, and the owners beside them.
 */
public sealed interface Route {
  /** Nobody owns any of the rows: each of them stands for itself. */
  record Rows() implements Route {}

  /**
   * Every row is one person's: her contributions are clipped.
   *
   * @param owner a column of the input, never NULL
   * @param keys the outputs of measurements that count each person's keys, not people
   * @param rows how many rows one person has at most, where the structure says it
   * @param besides what one step of each other unit changes at most, all of it public
   */
  record Owned(
      Unit.Person kind,
      Relation input,
      Column owner,
      Set<Integer> keys,
      Optional<BigInteger> rows,
      List<PublicBound> besides)
      implements Route {
    public Owned {
      keys = Set.copyOf(keys);
      besides = List.copyOf(besides);
    }
  }

  /** Rows may have several owners. */
  record Shared(Relation input, List<SetOwned.Owner> owners) implements Route {
    public Shared {
      owners = List.copyOf(owners);
    }
  }

  /**
   * No more than so many rows of each person are read; the sensitivity is that of the release point
   * itself, whose tables count as cut.
   */
  record Truncated(Relation input) implements Route {}
}
