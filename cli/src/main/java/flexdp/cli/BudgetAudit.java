package flexdp.cli;

import flexdp.gateway.ledger.Audit;
import flexdp.gateway.ledger.Ledger;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Verifies the ledger's chain from its first entry to its last. */
@Command(
    name = "audit",
    description = "Verifies that no entry of the ledger was changed, dropped or moved.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Write the last hash down elsewhere: it vouches for everything before it.",
      "Example: flexdp budget audit --policy rides.yaml"
    })
final class BudgetAudit implements Runnable {
  @Mixin LedgerOptions options;
  @Spec CommandSpec spec;

  @Override
  public void run() {
    PrintWriter out = spec.commandLine().getOut();
    Optional<Ledger> opened = options.opened(out);
    if (opened.isEmpty()) {
      return;
    }
    try (Ledger ledger = opened.get()) {
      Audit audit = Audit.of(ledger);
      out.println("The chain of " + audit.entries() + " entries is whole.");
      out.println("ledger     " + ledger.id());
      out.println("from       " + audit.first());
      out.println("to         " + audit.last());
      out.println("charges    " + audit.charges() + " (" + outcomes(audit) + ")");
      if (audit.parted() > 0) {
        out.println("to parts   " + audit.parted() + " of the charges");
      }
      out.println("grants     " + audit.grants());
      FailureCountText.print(out, ledger.failures());
      if (audit.adoptions() > 0) {
        out.println("adoptions  " + audit.adoptions());
      }
      out.println("last hash  " + audit.head());
      out.flush();
    }
  }

  private static String outcomes(Audit audit) {
    String settled =
        audit.outcomes().entrySet().stream()
            .map(e -> e.getValue() + " " + e.getKey().word().replace('_', ' '))
            .collect(Collectors.joining(", "));
    String open = audit.unsettled() + " never settled";
    return settled.isEmpty() ? open : settled + ", " + open;
  }
}
