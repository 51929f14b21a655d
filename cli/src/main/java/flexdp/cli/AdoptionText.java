package flexdp.cli;

import flexdp.gateway.ledger.Adoption;
import flexdp.gateway.ledger.Adoption.OwnerAdoption;
import flexdp.gateway.ledger.Standing;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.util.List;

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
    accounts(out, adoption.accounts());
  }

  /** Whom answers protect that were given before is said first: no number shows it. */
  static void print(PrintWriter out, OwnerAdoption adoption) {
    adoption.differences().forEach(out::println);
    out.println(
        "Answers given until now protect the rows or the people whom the policy named then, and"
            + " nobody else. So that what was spent is not forgotten:");
    adoption
        .carried()
        .forEach(
            (account, from) -> {
              if (!from.isEmpty()) {
                out.println("  " + account + " also counts what was spent by " + and(from));
              }
            });
    accounts(out, adoption.accounts());
  }

  private static String and(List<String> names) {
    return String.join(" and ", names);
  }

  private static void accounts(PrintWriter out, List<Adoption.Change> accounts) {
    out.println("So the accounts count, before and after:");
    for (Adoption.Change change : accounts) {
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
        .largestNext()
        .map(left -> "; left for one answer: ε " + StandingText.number(left))
        .orElse("");
  }
}
