package flexdp.gateway.ledger.entry;

import flexdp.budget.Account;
import flexdp.budget.Allowance;
import flexdp.budget.Allowances;
import flexdp.gateway.ledger.entry.ChargeRequest.PrivacyBasis;
import flexdp.policy.Neighbors;
import flexdp.policy.Policy;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How a policy counts: its limits, and what an ε of it means.
 *
 * @param neighbors absent in entries of the first format, which did not record them
 * @param unit absent in the same
 */
public record CountingTerms(
    BudgetLimits limits, Optional<Neighbors> neighbors, Optional<String> unit) {
  public static CountingTerms of(Allowances allowances) {
    return new CountingTerms(
        BudgetLimits.of(allowances),
        Optional.of(allowances.neighbors()),
        Optional.of(PrivacyBasis.ROW));
  }

  /**
   * What a policy allows, as text for the record: by account, or {@code tables} for each table, the
   * composition, ε, δ and the window.
   */
  public record BudgetLimits(SortedMap<String, String> texts) {
    private static final String TABLES = "tables";
    private static final String FAILURES = "failures";

    public BudgetLimits {
      texts = Collections.unmodifiableSortedMap(new TreeMap<>(texts));
    }

    static BudgetLimits of(Allowances allowances) {
      SortedMap<String, String> texts = new TreeMap<>();
      allowances.tables().ifPresent(a -> texts.put(TABLES, text(a)));
      texts.put(FAILURES, allowances.failures().atMost() + " " + allowances.failures().window());
      allowances.accounts().forEach((account, a) -> texts.put(account.toString(), text(a)));
      return new BudgetLimits(texts);
    }

    private static String text(Allowance allowance) {
      return allowance.composition().name().toLowerCase(Locale.ROOT)
          + " "
          + allowance.epsilon()
          + " "
          + allowance.delta()
          + allowance.window().map(w -> " " + w).orElse("");
    }

    /** These, and of others what these say nothing about. */
    public BudgetLimits over(BudgetLimits before) {
      SortedMap<String, String> all = new TreeMap<>(before.texts);
      all.putAll(texts);
      return new BudgetLimits(all);
    }

    /** By which filter an account is judged; nothing for one without a limit. */
    public Optional<Policy.Composition> composition(Account account) {
      return text(account).map(t -> Policy.Composition.valueOf(t[0].toUpperCase(Locale.ROOT)));
    }

    /** The δ of an account's limit, 0 without one. */
    public BigDecimal delta(Account account) {
      return text(account).map(t -> new BigDecimal(t[2])).orElse(BigDecimal.ZERO);
    }

    private Optional<String[]> text(Account account) {
      String others =
          switch (account) {
            case Account.Table ignored -> TABLES;
            case Account.People ignored -> TABLES;
            case Account.Analyst ignored -> Allowances.ANYBODY.toString();
            case Account.Role role -> role.toString();
          };
      return Optional.ofNullable(texts.getOrDefault(account.toString(), texts.get(others)))
          .map(t -> t.split(" "));
    }
  }
}
