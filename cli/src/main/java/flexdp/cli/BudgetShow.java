package flexdp.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import flexdp.budget.Account;
import flexdp.budget.Allowances;
import flexdp.budget.Cost;
import flexdp.budget.Spent;
import flexdp.gateway.ledger.Ledger;
import flexdp.gateway.ledger.Ledger.FailureCount;
import flexdp.gateway.ledger.Standing;
import flexdp.gateway.lines.StandingJson;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints how every account stands. */
@Command(
    name = "show",
    description = "What is left, with about how many more answers that is.",
    mixinStandardHelpOptions = true,
    footer = {"", "Example: flexdp budget show --policy rides.yaml --format json"})
final class BudgetShow implements Runnable {
  /** How it is printed. */
  enum Format {
    table,
    json
  }

  private static final BigDecimal DEFAULT_EPSILON = new BigDecimal("0.1");

  @Mixin LedgerOptions options;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
  Format format = Format.table;

  @Spec CommandSpec spec;

  @Override
  public void run() {
    Policy policy = options.policy();
    BigDecimal epsilon = policy.privacy().epsilon().orElse(DEFAULT_EPSILON);
    Allowances allowances = Allowances.of(policy);
    if (options.isNew()) {
      print(
          accounts(policy, allowances).stream()
              .map(a -> new Standing(a, allowances.of(a), Spent.NOTHING))
              .toList(),
          Map.of(),
          epsilon);
      return;
    }
    try (Ledger ledger = options.open(allowances)) {
      List<Standing> standings =
          ledger.standings(accounts(policy, allowances)).stream()
              .filter(standing -> !isOwned(policy, standing.account()))
              .toList();
      print(standings, ledger.failures(), epsilon);
    }
  }

  private void print(
      List<Standing> standings, Map<String, FailureCount> failures, BigDecimal epsilon) {
    PrintWriter out = spec.commandLine().getOut();
    switch (format) {
      case table -> {
        StandingText.print(out, standings, epsilon);
        FailureCountText.print(out, failures);
      }
      case json -> {
        ObjectNode root = StandingJson.of(standings, Cost.pure(epsilon));
        FailureCountText.json(root, failures);
        out.println(root);
      }
    }
    out.flush();
  }

  /** Tables whose rows people own have no account; a ledger that charged one is not opened. */
  static boolean isOwned(Policy policy, Account account) {
    return account instanceof Account.Table table
        && policy.tables().containsKey(table.name())
        && !policy.tables().get(table.name()).ownership().owners().isEmpty();
  }

  /** Tables and limited people of the policy. */
  static Set<Account> accounts(Policy policy, Allowances allowances) {
    Set<Account> accounts = new TreeSet<>(allowances.accounts().keySet());
    accounts.remove(Allowances.ANYBODY);
    policy.tables().values().stream()
        .filter(Table::isProtected)
        .forEach(t -> t.units().forEach(unit -> accounts.add(Account.of(unit))));
    return accounts;
  }
}
