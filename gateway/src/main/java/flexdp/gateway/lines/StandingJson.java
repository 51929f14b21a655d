package flexdp.gateway.lines;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import flexdp.budget.Cost;
import flexdp.gateway.ledger.Standing;
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
      one.put("charges", standing.spent().answers());
      ObjectNode epsilon = one.putObject("epsilon");
      epsilon.put("spent", plain(standing.epsilonSpent()));
      ObjectNode delta = one.putObject("delta");
      delta.put("spent", plain(standing.deltaSpent()));
      standing
          .allowance()
          .ifPresent(
              allowance -> {
                epsilon.put("budget", plain(allowance.epsilon()));
                epsilon.put("largestNext", plain(standing.epsilonLeft().orElseThrow()));
                delta.put("budget", plain(allowance.delta()));
                delta.put("left", plain(standing.deltaLeft().orElseThrow()));
                one.put("composition", allowance.composition().name().toLowerCase(Locale.ROOT));
                allowance.window().ifPresent(w -> one.put("windowDays", w.toDays()));
                one.put("answersLeft", standing.answersLeft(usual).orElse(0));
              });
    }
    return root;
  }

  private static BigDecimal plain(BigDecimal value) {
    return value.signum() == 0 ? BigDecimal.ZERO : value.stripTrailingZeros();
  }
}
