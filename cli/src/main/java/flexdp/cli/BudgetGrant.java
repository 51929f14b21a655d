package flexdp.cli;

import flexdp.budget.Account;
import flexdp.budget.Allowances;
import flexdp.failure.ConfigurationError;
import flexdp.gateway.ledger.Ledger;
import flexdp.gateway.ledger.Standing;
import flexdp.policy.Policy;
import flexdp.tree.Nearest;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The owner adds to a budget; the ledger records it. */
@Command(
    name = "grant",
    description = "Adds to the budget of a table, an analyst or a role.",
    mixinStandardHelpOptions = true,
    footer = {"", "Example: flexdp budget grant table:trips --epsilon 2 --policy rides.yaml"})
final class BudgetGrant implements Runnable {
  @Parameters(paramLabel = "ACCOUNT", description = "table:NAME, analyst:NAME or role:NAME")
  String account;

  @Option(names = "--epsilon", paramLabel = "E", description = "ε to add (default: 0)")
  BigDecimal epsilon = BigDecimal.ZERO;

  @Option(names = "--delta", paramLabel = "D", description = "δ to add (default: 0)")
  BigDecimal delta = BigDecimal.ZERO;

  @Option(names = "--note", paramLabel = "TEXT", description = "why, for the record")
  String note = "";

  @Mixin LedgerOptions options;
  @Spec CommandSpec spec;

  @Override
  public void run() {
    Policy policy = options.policy();
    if (epsilon.signum() < 0 || delta.signum() < 0 || epsilon.signum() + delta.signum() == 0) {
      throw usage("a grant adds something: give --epsilon, --delta or both, above 0");
    }
    try (Ledger ledger = options.open(Allowances.of(policy))) {
      Account whom = Account.parse(account);
      if (whom instanceof Account.Table table && policy.table(table.name()).isEmpty()) {
        throw unknown("table", table.name(), policy.tables().keySet());
      }
      if (whom instanceof Account.People people && !policy.people().containsKey(people.name())) {
        throw unknown("people", people.name(), policy.people().keySet());
      }
      ledger.grant(whom, epsilon, delta, LedgerOptions.owner(), note);
      PrintWriter out = spec.commandLine().getOut();
      Standing standing = ledger.standing(whom);
      StandingText.print(
          out, List.of(standing), policy.privacy().epsilon().orElse(new BigDecimal("0.1")));
      out.flush();
    } catch (IllegalArgumentException e) {
      throw usage(e.getMessage());
    }
  }

  private static ConfigurationError unknown(String what, String name, Set<String> known) {
    return usage("the policy has no " + what + " '" + name + "'." + Nearest.question(name, known));
  }

  private static ConfigurationError usage(String message) {
    return ConfigurationError.of(ConfigurationError.Code.BAD_USAGE, message);
  }
}
