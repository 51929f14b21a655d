package flexdp.gateway.lines;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import flexdp.budget.Cost;
import flexdp.gateway.ledger.Standing;
import flexdp.policy.Policy.BudgetWindow;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;

/** Accounts as JSON: {@code {"accounts": [{"account": "table:trips", "epsilon": {...}, ...}]}}. */
public final class StandingJson {
  private static final JsonNodeFactory JSON = JsonNodeFactory.withExactBigDecimals(true);

  private StandingJson() {}

  /**
   * @param usual what one answer costs, to say how many are left
   */
  public static ObjectNode of(List<Standing> standings, Cost usual) {
    ObjectNode root = JSON.objectNode();
    var accounts = root.putArray("accounts");
    for (Standing standing : standings) {
      ObjectNode one = accounts.addObject();
      one.put("account", standing.account().toString());
      one.put("charges", standing.charges());
      ObjectNode epsilon = one.putObject("epsilon");
      epsilon.put("spent", plain(standing.epsilonSpent()));
      ObjectNode delta = one.putObject("delta");
      delta.put("spent", plain(standing.deltaSpent()));
      standing
          .allowance()
          .ifPresent(
              allowance -> {
                epsilon.put("budget", plain(allowance.epsilon()));
                epsilon.put("largestNext", plain(standing.largestNext().orElseThrow()));
                delta.put("budget", plain(allowance.delta()));
                delta.put("left", plain(standing.deltaLeft().orElseThrow()));
                one.put("composition", allowance.composition().name().toLowerCase(Locale.ROOT));
                allowance.window().ifPresent(w -> window(one, w));
                standing.comesBack().ifPresent(at -> one.put("comesBack", at.toString()));
                one.put("answersLeft", standing.answersLeft(usual).orElse(0));
              });
      parts(one, standing);
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
  private static void parts(ObjectNode one, Standing standing) {
    if (!standing.parts().isEmpty()) {
      var parts = one.putArray("parts");
      standing
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
