package flexdp.people.packing;

/**
 * Results of a query as weights and sets of owners, as far as values ask for them; private. What
 * the results were is forgotten.
 */
public abstract sealed class OwnedWeights permits OwnerSets, OwnerDegrees, OwnerBuckets {
  /** The largest level. */
  abstract long most();

  /** What the results of whoever has most weigh; where that passes 2⁶², some number beyond it. */
  abstract long heaviest();

  /** What is left of them at a level. */
  abstract ResidualPacking touched(long level);
}
