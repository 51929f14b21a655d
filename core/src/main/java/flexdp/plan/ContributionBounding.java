package flexdp.plan;

import flexdp.algebra.Column;
import flexdp.algebra.Relation;
import flexdp.ownership.MultiOwnerRelation;
import flexdp.policy.PrivacyUnit;
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
public sealed interface ContributionBounding {
  /** The rows that the database is to read, if they are not those of the release point itself. */
  Optional<Relation> rewritten();

  /** Whether noise follows from what people own, and not from rows. */
  default boolean isByPeople() {
    return false;
  }

  /** Whether keys of people are counted, not people alone. */
  default boolean countsKeys() {
    return false;
  }

  /** Whether labels that come from the data are shown by people, whatever is asked of these. */
  default boolean showsLabelsByPeople() {
    return false;
  }

  /** Whether somebody owns rows, so that others are read than those that are asked for. */
  default boolean readsOtherRows() {
    return rewritten().isPresent();
  }

  /** Nobody owns any of the rows: each of them stands for itself. */
  record None() implements ContributionBounding {
    @Override
    public Optional<Relation> rewritten() {
      return Optional.empty();
    }
  }

  /**
   * Every row is one person's: her contributions are clipped.
   *
   * @param owner a column of the input, never NULL
   * @param keys the outputs of measurements that count each person's keys, not people
   * @param rows how many rows one person has at most, where the structure says it
   * @param otherUnits what one step of each other unit changes at most, all of it public
   */
  record Clipped(
      PrivacyUnit.Person kind,
      Relation input,
      Column owner,
      Set<Integer> keys,
      Optional<BigInteger> rows,
      List<PublicBound> otherUnits)
      implements ContributionBounding {
    public Clipped {
      keys = Set.copyOf(keys);
      otherUnits = List.copyOf(otherUnits);
    }

    @Override
    public Optional<Relation> rewritten() {
      return Optional.of(input);
    }

    @Override
    public boolean isByPeople() {
      return true;
    }

    @Override
    public boolean countsKeys() {
      return !keys.isEmpty();
    }

    @Override
    public boolean showsLabelsByPeople() {
      return true;
    }
  }

  /** Rows may have several owners. */
  record Packed(Relation input, List<MultiOwnerRelation.Owner> owners)
      implements ContributionBounding {
    public Packed {
      owners = List.copyOf(owners);
    }

    @Override
    public Optional<Relation> rewritten() {
      return Optional.of(input);
    }

    @Override
    public boolean isByPeople() {
      return true;
    }
  }

  /**
   * No more than so many rows of each person are read; the sensitivity is that of the release point
   * itself, whose tables count as cut.
   */
  record Truncated(Relation input) implements ContributionBounding {
    @Override
    public Optional<Relation> rewritten() {
      return Optional.of(input);
    }
  }
}
