package flexdp.gateway.ledger;

import flexdp.budget.Account;
import flexdp.failure.LedgerError;
import flexdp.gateway.ledger.entry.Basis;
import flexdp.gateway.ledger.entry.CountingTerms;
import flexdp.gateway.ledger.entry.Repairs;
import flexdp.policy.Neighbors;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** Whether a policy counts as the entries of a ledger were made, and in what it differs. */
final class Agreement {
  private Agreement() {}

  /** What the owner has to decide before anything is answered under these terms; one per line. */
  static List<String> differences(Books books, CountingTerms mine) {
    List<String> all = new ArrayList<>();
    if (books.charges() == 0) {
      return all;
    }
    Neighbors now = mine.neighbors().orElseThrow();
    String before =
        books
            .terms()
            .flatMap(CountingTerms::neighbors)
            .map(Neighbors::word)
            .orElse(now == Neighbors.REPLACE_ONE ? "neighbours that are not recorded" : now.word());
    if (!before.equals(now.word())) {
      all.add("neighbors: " + now.word() + " instead of " + before);
    }
    String unit = books.terms().flatMap(CountingTerms::unit).orElse(Basis.ROW);
    if (!unit.equals(mine.unit().orElseThrow())) {
      all.add("unit: " + mine.unit().orElseThrow() + " instead of " + unit);
    }
    TreeSet<String> compositions = new TreeSet<>();
    books
        .tallies()
        .forEach(
            (account, tally) ->
                mine.limits()
                    .composition(account)
                    .filter(c -> tally.composition().filter(t -> t != c).isPresent())
                    .ifPresent(
                        c ->
                            compositions.add(
                                (account instanceof Account.Table ? "tables" : account)
                                    + ": composition "
                                    + Basis.word(c)
                                    + " instead of "
                                    + Basis.word(tally.composition().get()))));
    all.addAll(compositions);
    return all;
  }

  /** Refuses terms under which the entries would mean something else. */
  static void require(Books books, CountingTerms mine) {
    List<String> differences = differences(books, mine);
    if (!differences.isEmpty()) {
      throw LedgerError.of(
          LedgerError.Code.LEDGER_POLICY,
          "The policy counts otherwise than the ledger "
              + books.place()
              + " was spent under ("
              + String.join("; ", differences)
              + ").",
          Repairs.POLICY);
    }
  }
}
