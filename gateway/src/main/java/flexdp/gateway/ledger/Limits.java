package flexdp.gateway.ledger;

import flexdp.budget.Allowance;
import flexdp.budget.Allowances;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a policy allows, as text for the record: by account, or {@code tables} for each table, the
 * composition, ε, δ and the window.
 */
public record Limits(SortedMap<String, String> texts) {
  private static final String TABLES = "tables";

  public Limits {
    texts = Collections.unmodifiableSortedMap(new TreeMap<>(texts));
  }

  static Limits of(Allowances allowances) {
    SortedMap<String, String> texts = new TreeMap<>();
    allowances.tables().ifPresent(a -> texts.put(TABLES, text(a)));
    allowances.accounts().forEach((account, a) -> texts.put(account.toString(), text(a)));
    return new Limits(texts);
  }

  private static String text(Allowance allowance) {
    return allowance.composition().name().toLowerCase(Locale.ROOT)
        + " "
        + allowance.epsilon()
        + " "
        + allowance.delta()
        + allowance.window().map(w -> " " + w).orElse("");
  }

  /**
   * Whether an account would be counted by another filter than before. A filter's promise holds
   * when it was chosen before the first answer.
   */
  boolean changesComposition(Limits before) {
    for (Map.Entry<String, String> text : texts.entrySet()) {
      String old = before.texts.get(text.getKey());
      if (old != null && !word(old).equals(word(text.getValue()))) {
        return true;
      }
    }
    return false;
  }

  private static String word(String text) {
    return text.substring(0, Math.max(0, text.indexOf(' ')));
  }
}
