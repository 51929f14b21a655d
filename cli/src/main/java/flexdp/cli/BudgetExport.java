package flexdp.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import flexdp.budget.Allowances;
import flexdp.gateway.ledger.Ledger;
import flexdp.gateway.ledger.entry.Entry;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Writes every entry, for archives and other people's checks. */
@Command(
    name = "export",
    description = "Writes every entry of the ledger as a line of JSON.",
    mixinStandardHelpOptions = true,
    footer = {"", "Example: flexdp budget export --policy rides.yaml > ledger.jsonl"})
final class BudgetExport implements Runnable {
  @Mixin LedgerOptions options;
  @Spec CommandSpec spec;

  @Override
  public void run() {
    if (options.isNew()) {
      return;
    }
    PrintWriter out = spec.commandLine().getOut();
    try (Ledger ledger = options.open(Allowances.of(options.policy()))) {
      ledger.read(entry -> out.println(json(entry)));
    }
    out.flush();
  }

  /** Numbers stay text, exactly as they were hashed. */
  private static ObjectNode json(Entry entry) {
    ObjectNode line = JsonNodeFactory.instance.objectNode();
    line.put("seq", entry.seq());
    line.put("at", entry.at().toString());
    entry.fields().forEach(line::put);
    line.put("previous", entry.previous());
    line.put("hash", entry.hash());
    return line;
  }
}
