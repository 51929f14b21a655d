package flexdp.sensitivity;

import flexdp.algebra.Column;
import flexdp.algebra.Relation;
import flexdp.metrics.Metrics;
import flexdp.ownership.OwnedRelations;
import flexdp.policy.PrivacyUnit;
import java.math.BigInteger;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * How much one step of a unit can change of relations whose rows are owned by people, from the
 * structure of the question alone.
 *
 * @param rows the most rows that change (T); absent when nothing public bounds them
 * @param people of how many people rows change at most (D of the owner)
 */
public record PublicBound(PrivacyUnit unit, Optional<BigInteger> rows, BigInteger people) {
  /**
   * @param rewritten by {@code owned}, and owned
   * @return nothing when the number of people is not bounded by anything public
   */
  public static Optional<PublicBound> of(
      OwnedRelations owned, Relation rewritten, PrivacyUnit unit) {
    Column owner = owned.owner(rewritten).orElseThrow();
    SensitivityAnalysis analysis = structural(Optional.of(owned));
    Optional<BigInteger> rows = analysis.stability(rewritten, unit).both().ceiling();
    return analysis
        .affectedGroups(Set.of(owner.id()), rewritten, unit)
        .ceiling()
        .map(people -> new PublicBound(unit, rows, people));
  }

  /** How many rows of an owned relation one person has at most, as far as that is public. */
  public static Optional<BigInteger> rowsOfOne(OwnedRelations owned, Relation rewritten) {
    return structural(Optional.of(owned)).stability(rewritten, owned.kind()).both().ceiling();
  }

  /**
   * Which rows come first must follow from their values.
   *
   * @throws flexdp.failure.Rejection if something else might decide it
   */
  public static void requireTotalOrders(Relation relation) {
    TotalOrder.requireTotal(structural(Optional.empty()), relation);
  }

  private static SensitivityAnalysis structural(Optional<OwnedRelations> owned) {
    ScanFrequencies scanFrequencies =
        new ScanFrequencies(
            new Metrics(Map.of(), Map.of()), ScanFrequencies.Source.SYMBOLIC, RuleSet.FLEXDP);
    return new SensitivityAnalysis(
        scanFrequencies, RuleSet.FLEXDP, BoundArithmetic.EXACT, AppliedRules.UNNOTED, owned);
  }
}
