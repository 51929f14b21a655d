package flexdp.gateway.json;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import flexdp.budget.Cost;
import flexdp.gateway.ledger.Balance;
import flexdp.policy.Policy.BudgetWindow;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;

/** Accounts as JSON: {@code {"accounts": [{"account": "table:trips", "epsilon": {...}, ...}]}}. */
public final class BalanceJson {
  private static final JsonNodeFactory JSON = JsonNodeFactory.withExactBigDecimals(true);

  private BalanceJson() {}

  /**
   * @param usual what one answer costs, to say how many are left
   */
  public static ObjectNode of(List<Balance> standings, Cost usual) {
    ObjectNode root = JSON.objectNode();
    var accounts = root.putArray("accounts");
    for (Balance balance : standings) {
      ObjectNode one = accounts.addObject();
      one.put("account", balance.account().toString());
      one.put("charges", balance.charges());
      ObjectNode epsilon = one.putObject("epsilon");
      epsilon.put("spent", plain(balance.epsilonSpent()));
      ObjectNode delta = one.putObject("delta");
      delta.put("spent", plain(balance.deltaSpent()));
      balance
          .allowance()
          .ifPresent(
              allowance -> {
                epsilon.put("budget", plain(allowance.epsilon()));
                epsilon.put("largestNext", plain(balance.largestNext().orElseThrow()));
                delta.put("budget", plain(allowance.delta()));
                delta.put("left", plain(balance.deltaLeft().orElseThrow()));
                one.put("composition", allowance.composition().name().toLowerCase(Locale.ROOT));
                allowance.window().ifPresent(w -> window(one, w));
                balance.comesBack().ifPresent(at -> one.put("comesBack", at.toString()));
                one.put("answersLeft", balance.answersLeft(usual).orElse(0));
              });
      parts(one, balance);
    }
    return root;
  }

  private static void window(ObjectNode one, BudgetWindow window) {
    switch (window) {
      case BudgetWindow.Rolling rolling -> one.put("windowDays", rolling.length().toDays());
      case BudgetWindow.CalendarMonth ignored -> one.put("window", "month");
    }
  }

  /** What was charged to single parts of a table, beside what all of it was. */
  private static void parts(ObjectNode one, Balance balance) {
    if (!balance.parts().isEmpty()) {
      var parts = one.putArray("parts");
      balance
          .parts()
          .forEach(
              (by, own) ->
                  own.forEach(
                      (name, spent) ->
                          parts
                              .addObject()
                              .put("by", by)
                              .put("part", name)
                              .put("charges", spent.answers())
                              .put("epsilon", plain(spent.epsilon()))
                              .put("delta", plain(spent.delta()))));
    }
  }

  private static BigDecimal plain(BigDecimal value) {
    return value.signum() == 0 ? BigDecimal.ZERO : value.stripTrailingZeros();
  }
}
