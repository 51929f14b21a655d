package flexdp.gateway.ledger;

import flexdp.budget.ChargedPartitions;
import flexdp.budget.PartitionSpending;
import flexdp.budget.TotalCost;
import flexdp.policy.Policy;
import flexdp.policy.Policy.BudgetWindow;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** What one account has paid; charges are kept one by one only for a window. */
final class AccountTally {
  private record Dated(Instant at, TotalCost spent, Optional<ChargedPartitions> parts) {}

  /** Every charge, those to parts included. */
  private TotalCost spent = TotalCost.NOTHING;

  private PartitionSpending parts = new PartitionSpending();
  private BigDecimal grantedEpsilon = BigDecimal.ZERO;
  private BigDecimal grantedDelta = BigDecimal.ZERO;
  private Deque<Dated> dated = new ArrayDeque<>();

  /** By which charges were added up; nothing as long as none was limited. */
  private Optional<Policy.Composition> composition = Optional.empty();

  /**
   * @param some the parts of the table that are charged; absent: all of it
   */
  void charge(TotalCost one, Instant at, boolean windowed, Optional<ChargedPartitions> some) {
    spent = spent.plus(one);
    some.ifPresent(p -> parts.add(p, one));
    if (windowed) {
      dated.add(new Dated(at, one, some));
    }
  }

  /** What was charged without a date leaves its window from now on like others. */
  void date(TotalCost one, Instant at) {
    dated.add(new Dated(at, one, Optional.empty()));
  }

  /**
   * The owner may have seen answers before granting, so that a filter of a larger budget begins
   * where the one before ends: the slack of that one stays spent.
   */
  void grant(BigDecimal epsilon, BigDecimal delta, BigDecimal slack) {
    if (spent.answers() > 0) {
      spent = spent.plus(TotalCost.slack(slack));
    }
    grantedEpsilon = grantedEpsilon.add(epsilon);
    grantedDelta = grantedDelta.add(delta);
  }

  void addedUpBy(Policy.Composition how) {
    composition = Optional.of(how);
  }

  /**
   * Another filter takes over, and counts everything from the first entry on. The promise of the
   * one before may have failed for the answers given until now: its slack stays spent.
   */
  void switchTo(Policy.Composition how, BigDecimal slack) {
    spent = spent.plus(TotalCost.slack(slack));
    composition = Optional.of(how);
  }

  /**
   * Takes over all of another account.
   *
   * @param same whether both were one account under two words, so that both were granted; of two
   *     tables the larger grant counts
   */
  void absorb(AccountTally other, boolean same) {
    spent = spent.plus(other.spent);
    parts.absorb(other.parts);
    grantedEpsilon =
        same ? grantedEpsilon.add(other.grantedEpsilon) : grantedEpsilon.max(other.grantedEpsilon);
    grantedDelta =
        same ? grantedDelta.add(other.grantedDelta) : grantedDelta.max(other.grantedDelta);
    composition = composition.or(() -> other.composition);
    List<Dated> both = new ArrayList<>(dated);
    both.addAll(other.dated);
    both.sort(Comparator.comparing(Dated::at));
    dated = new ArrayDeque<>(both);
  }

  /**
   * Counts what another account has spent, by its own grants and limits; all of it, since whoever
   * it counts for may have rows in every part.
   */
  void carry(AccountTally other) {
    BigDecimal epsilonBefore = grantedEpsilon;
    BigDecimal deltaBefore = grantedDelta;
    absorb(other.undivided(), false);
    grantedEpsilon = epsilonBefore;
    grantedDelta = deltaBefore;
  }

  AccountTally copy() {
    AccountTally copy = new AccountTally();
    copy.absorb(this, true);
    return copy;
  }

  /** These sums with their parts told apart from those of a table that has others. */
  AccountTally under(String table) {
    UnaryOperator<String> name = by -> by + " of " + table;
    AccountTally named = copy();
    named.parts = parts.under(name);
    named.dated.clear();
    for (Dated d : dated) {
      named.dated.add(
          new Dated(
              d.at(),
              d.spent(),
              d.parts().map(p -> new ChargedPartitions(name.apply(p.by()), p.names()))));
    }
    return named;
  }

  /** These sums as if everything had been charged to all rows. */
  AccountTally undivided() {
    AccountTally all = copy();
    all.parts = new PartitionSpending();
    all.dated.clear();
    dated.forEach(d -> all.dated.add(new Dated(d.at(), d.spent(), Optional.empty())));
    return all;
  }

  /** Something was spent that no window forgets. */
  void spend(TotalCost more, Optional<Policy.Composition> how) {
    spent = spent.plus(more);
    composition = composition.or(() -> how);
  }

  /**
   * What was spent within the window. Charges are forgotten for good only by the time of the last
   * entry, which is on record: a clock that runs ahead for a while takes nothing away. After an
   * accepted clock, later entries may hide behind earlier ones and count for longer, which errs on
   * the safe side.
   */
  PaidSums within(BudgetWindow window, Instant last, Instant now) {
    Instant recorded = window.until(last);
    while (!dated.isEmpty() && !dated.peek().at().isAfter(recorded)) {
      Dated gone = dated.poll();
      spent = spent.minus(gone.spent());
      gone.parts().ifPresent(p -> parts.remove(p, gone.spent()));
    }
    TotalCost rest = spent;
    PartitionSpending restOfParts = parts.copy();
    for (Dated charge : dated) {
      if (charge.at().isAfter(window.until(now))) {
        break;
      }
      rest = rest.minus(charge.spent());
      charge.parts().ifPresent(p -> restOfParts.remove(p, charge.spent()));
    }
    return new PaidSums(rest, restOfParts);
  }

  /** When the next charge leaves its window. */
  Optional<Instant> comesBack(BudgetWindow window, Instant now) {
    return dated.stream()
        .map(charge -> window.leaves(charge.at()))
        .filter(end -> end.isAfter(now))
        .findFirst();
  }

  PaidSums sums() {
    return new PaidSums(spent, parts);
  }

  TotalCost spent() {
    return spent;
  }

  BigDecimal grantedEpsilon() {
    return grantedEpsilon;
  }

  BigDecimal grantedDelta() {
    return grantedDelta;
  }

  Optional<Policy.Composition> composition() {
    return composition;
  }

  /**
   * What counts of an account's charges: of those to all of a table everything, of those to parts
   * what a row can have lost by the part that it is in.
   *
   * @param spent every charge, those to parts included
   */
  record PaidSums(TotalCost spent, PartitionSpending parts) {
    /** What was charged to all rows. */
    private TotalCost whole() {
      return spent.minus(parts.charged());
    }

    /** What a row can have lost at most, or more. */
    TotalCost most() {
      return parts.isEmpty() ? spent : whole().plus(parts.most());
    }

    /** What the rows that a question reads can have lost, each by the name of its part. */
    Map<String, TotalCost> of(ChargedPartitions some) {
      Map<String, TotalCost> all = new LinkedHashMap<>();
      parts.of(some).forEach((name, own) -> all.put(name, whole().plus(own)));
      return all;
    }

    /** Whether every row can afford what a question costs. */
    boolean admits(Predicate<TotalCost> filter) {
      return parts.isEmpty()
          ? filter.test(spent)
          : parts.everywhere().stream().allMatch(own -> filter.test(whole().plus(own)));
    }
  }
}
