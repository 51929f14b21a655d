package flexdp.gateway.ledger;

import flexdp.budget.Account;
import flexdp.budget.Allowances;
import flexdp.failure.LedgerError;
import flexdp.gateway.catalog.TableIdentities;
import flexdp.gateway.catalog.TableIdentities.TableIdentity;
import flexdp.gateway.ledger.LedgerOpening.PolicyAgreement;
import flexdp.gateway.ledger.entry.ChargeRequest.PrivacyBasis;
import flexdp.gateway.ledger.entry.CountingTerms;
import flexdp.gateway.ledger.entry.LedgerEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How the entries of a ledger count under a policy that differs from the one they were made under;
 * see docs/adr/0012.
 *
 * @param differences what differs, in words
 * @param accounts how every account stood and would stand
 */
public record Adoption(
    List<String> differences, LedgerEvent.Adopted event, List<Change> accounts, boolean isNeeded) {
  /** How an account stood under the terms before, and stands under the new ones. */
  public record Change(Balance before, Balance after) {}

  /**
   * What the owner knows better than the larger loss.
   *
   * @param same by the policy's word, the account that its table goes on with
   * @param fresh words whose tables hold nothing that was charged
   */
  public record Choice(Map<String, String> same, Set<String> fresh) {
    public static final Choice NONE = new Choice(Map.of(), Set.of());
  }

  static Adoption of(
      LedgerState old,
      LedgerState state,
      Allowances allowances,
      Optional<TableIdentities> tables,
      Choice choice,
      String owner,
      String note) {
    CountingTerms terms = CountingTerms.of(allowances);
    List<String> differences = new ArrayList<>(PolicyAgreement.differences(old, terms));
    requireCountable(old, terms);
    SortedMap<String, TableIdentity> bound = new TreeMap<>();
    SortedMap<String, List<String>> merged = new TreeMap<>();
    if (tables.isPresent()) {
      AccountMatching matching = AccountMatching.of(state, tables.get());
      bound.putAll(matching.all());
      for (String word : matching.isDoubtful() ? matching.unknown() : Set.<String>of()) {
        boolean chosen = choice.fresh().contains(word) || choice.same().containsKey(word);
        differences.add(
            "table "
                + word
                + " is new to the ledger, and these are gone: "
                + String.join(", ", matching.missing()));
        if (!chosen) {
          merged.put(word, List.copyOf(matching.missing()));
        }
      }
    }
    choose(state, choice, bound, merged, differences);
    LedgerEvent.Adopted event = new LedgerEvent.Adopted(terms, bound, merged, owner, note);
    return new Adoption(List.copyOf(differences), event, List.of(), !differences.isEmpty());
  }

  private static void choose(
      LedgerState state,
      Choice choice,
      SortedMap<String, TableIdentity> bound,
      SortedMap<String, List<String>> merged,
      List<String> differences) {
    for (String word : choice.fresh()) {
      requireWord(bound, word);
    }
    choice
        .same()
        .forEach(
            (word, account) -> {
              requireWord(bound, word);
              String found = account(state, account);
              merged.put(word, List.of(found));
              differences.add("table " + word + " goes on with the account of " + account);
            });
  }

  private static void requireWord(Map<String, TableIdentity> bound, String word) {
    if (!bound.containsKey(word)) {
      throw new IllegalArgumentException("the policy has no protected table '" + word + "'");
    }
  }

  /** The account that somebody calls so: by any name that it has had. */
  private static String account(LedgerState state, String called) {
    String plain = called.startsWith("table:") ? called.substring("table:".length()) : called;
    List<String> found =
        state.tables().stream()
            .filter(
                account ->
                    state.names().names(account).stream()
                        .anyMatch(n -> TableNames.isLike(plain, n.replace("\"", ""))))
            .toList();
    if (found.size() != 1) {
      throw new IllegalArgumentException(
          "the ledger has "
              + (found.isEmpty() ? "no account" : "several accounts")
              + " '"
              + called
              + "'; it has "
              + String.join(", ", state.tables()));
    }
    return found.getFirst();
  }

  /** Of a row's ε nothing follows for anything that owns several. */
  private static void requireCountable(LedgerState old, CountingTerms terms) {
    String unit = old.terms().flatMap(CountingTerms::unit).orElse(PrivacyBasis.ROW);
    if (old.charges() > 0 && !unit.equals(terms.unit().orElseThrow())) {
      throw LedgerError.of(
          LedgerError.Code.LEDGER_POLICY,
          "The entries of the ledger "
              + old.place()
              + " protect a "
              + unit
              + ", and nothing follows from them for a "
              + terms.unit().orElseThrow()
              + ".",
          "Begin another ledger for the data that come from now on, or undo the change.");
    }
  }

  /** With how the accounts stand. */
  Adoption counted(LedgerState old, LedgerState state, Instant now) {
    List<Change> changes = new ArrayList<>();
    for (Account account : state.accounts(Set.of())) {
      changes.add(new Change(old.standing(account, now), state.standing(account, now)));
    }
    return new Adoption(differences, event, List.copyOf(changes), isNeeded);
  }

  /**
   * How what was spent counts under a policy that says otherwise whose rows are whose.
   *
   * @param differences what changed, in words; none when nothing has to be adopted
   * @param carried by account, the accounts whose spending counts there as well
   * @param accounts how every account stood and would stand
   */
  public record OwnerAdoption(
      List<String> differences,
      SortedMap<String, List<String>> carried,
      List<Adoption.Change> accounts) {

    static OwnerAdoption of(OwnerMoves moves, LedgerState before, LedgerState after, Instant now) {
      List<Adoption.Change> changes = new ArrayList<>();
      for (Account account : after.accounts(Set.of())) {
        changes.add(
            new Adoption.Change(before.standing(account, now), after.standing(account, now)));
      }
      return new OwnerAdoption(moves.differences(), moves.carried(), List.copyOf(changes));
    }

    public boolean isNeeded() {
      return !differences.isEmpty();
    }
  }
}
