package flexdp.cli;

import flexdp.gateway.ledger.Adoption;
import flexdp.gateway.ledger.Standing;
import java.io.PrintWriter;
import java.math.BigDecimal;

/** What adopting a policy changes, for the owner to read before it is done. */
final class AdoptionText {
  private AdoptionText() {}

  static void print(PrintWriter out, Adoption adoption) {
    if (!adoption.isNeeded()) {
      out.println("There is nothing to adopt: the policy counts as the ledger does.");
      return;
    }
    out.println("The policy differs from what the ledger was spent under:");
    adoption.differences().forEach(difference -> out.println("  " + difference));
    adoption
        .event()
        .merged()
        .forEach(
            (word, accounts) ->
                out.println("  table:" + word + " goes on with " + String.join(" and ", accounts)));
    out.println("So the accounts count, before and after:");
    for (Adoption.Change change : adoption.accounts()) {
      out.println(
          "  "
              + change.after().account()
              + "  "
              + spent(change.before())
              + " -> "
              + spent(change.after())
              + left(change.after()));
    }
  }

  private static String spent(Standing standing) {
    BigDecimal delta = standing.spent().delta();
    return "ε "
        + StandingText.number(standing.spent().epsilon())
        + (delta.signum() == 0 ? "" : ", δ " + StandingText.number(delta));
  }

  private static String left(Standing standing) {
    return standing
        .epsilonLeft()
        .map(left -> "; left for one answer: ε " + StandingText.number(left))
        .orElse("");
  }
}
