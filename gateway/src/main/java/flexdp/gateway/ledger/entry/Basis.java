package flexdp.gateway.ledger.entry;

import flexdp.policy.Neighbors;
import flexdp.policy.Policy;
import java.util.Locale;

/**
 * What the loss of a charge means.
 *
 * @param neighbors which databases were not to be told apart
 * @param composition by which the tables' charges were added up
 * @param unit what neighbours differ by: a row, or people; see {@link flexdp.budget.Whose}
 */
public record Basis(Neighbors neighbors, Policy.Composition composition, String unit) {
  /** What the terms of a policy are stated in. */
  public static final String ROW = "row";

  /** How entries spell a choice. */
  public static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
