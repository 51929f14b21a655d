package flexdp.release;

import flexdp.algebra.Column;
import flexdp.people.clipping.ClipLevels;
import flexdp.plan.ClippingPlan;
import flexdp.query.NoisyAggregate;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;

/** What a release asks the database for, in algebra; whoever has the database writes its SQL. */
public sealed interface Reading {
  /** A number for every group and measurement. */
  record Cells(NoisyAggregate point, Use use) implements Reading {
    /** What they are for. */
    public enum Use {
      /** A planned aggregate: asked again whenever its question is. */
      AGGREGATE,
      /** Cuboids of one answer. */
      CUBOIDS,
      /** How many people each label has. */
      LABELS,
      /** What each set of owners has: as many groups as there are sets. */
      OWNERS
    }
  }

  /**
   * What people contribute to each bin, by bucket of their sizes.
   *
   * @param point whose rows have their owner beside them
   * @param labels that are looked at, where these are known; others may be left out
   */
  record People(
      NoisyAggregate point,
      Column owner,
      ClippingPlan clipping,
      Optional<List<List<Object>>> labels)
      implements Reading {}

  /**
   * How many owners have how much.
   *
   * @param each by grouping sets of keys and one owner, with one measurement
   */
  record Degrees(NoisyAggregate each, List<Column> keys, List<Column> owners, ClipLevels levels)
      implements Reading {
    /** Beyond this a database without wide numbers may have cut a number. */
    public static final int MOST_BITS = 61;

    public Degrees {
      keys = List.copyOf(keys);
      owners = List.copyOf(owners);
    }

    /**
     * Owners of one kind in one bin.
     *
     * @param labels none where one of them cannot be read
     * @param bucket of what each has; −1 for rows that nobody of this kind owns
     * @param weight of all that they have
     * @param most that one of them has
     * @param readable whether all numbers could be read
     */
    public record Row(
        int kind,
        Optional<List<Object>> labels,
        int bucket,
        BigInteger people,
        BigInteger weight,
        BigInteger most,
        boolean readable) {}
  }
}
