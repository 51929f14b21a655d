package flexdp.gateway.ledger;

import flexdp.budget.ChargedParts;
import flexdp.budget.PartSums;
import flexdp.budget.Spent;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * What counts of an account's charges: of those to all of a table everything, of those to parts
 * what a row can have lost by the part that it is in.
 *
 * @param spent every charge, those to parts included
 */
record PaidSums(Spent spent, PartSums parts) {
  /** What was charged to all rows. */
  private Spent whole() {
    return spent.minus(parts.charged());
  }

  /** What a row can have lost at most, or more. */
  Spent most() {
    return parts.isEmpty() ? spent : whole().plus(parts.most());
  }

  /** What the rows that a question reads can have lost, each by the name of its part. */
  Map<String, Spent> of(ChargedParts some) {
    Map<String, Spent> all = new LinkedHashMap<>();
    parts.of(some).forEach((name, own) -> all.put(name, whole().plus(own)));
    return all;
  }

  /** Whether every row can afford what a question costs. */
  boolean admits(Predicate<Spent> filter) {
    return parts.isEmpty()
        ? filter.test(spent)
        : parts.everywhere().stream().allMatch(own -> filter.test(whole().plus(own)));
  }
}
