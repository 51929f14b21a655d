package flexdp.ownership;

/**
 * What the rules of ownership ask for. Every condition has a name, so that a test can show for each
 * of them that a rule without it would be noticed. Production code knows {@link #EXACT} only.
 */
public interface OwnershipConditions {
  OwnershipConditions EXACT = new OwnershipConditions() {};

  /** Whether a condition holds. */
  default boolean require(String name, boolean holds) {
    return holds;
  }
}
