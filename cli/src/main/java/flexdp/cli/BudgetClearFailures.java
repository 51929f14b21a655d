package flexdp.cli;

import flexdp.gateway.ledger.FailedQuestion;
import flexdp.gateway.ledger.Ledger;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The owner has looked at questions that failed; the ledger records that. */
@Command(
    name = "clear-failures",
    description =
        "Shows the questions that failed in the database and lets them, and those who asked them,"
            + " go on. For the owner.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Whether a question fails can depend on a single row. Look in the log beside the policy for",
      "the cause, and mend it or talk to the analyst, before you clear anything.",
      "Example: flexdp budget clear-failures --analyst ann --policy rides.yaml"
    })
final class BudgetClearFailures implements Runnable {
  @Option(names = "--analyst", paramLabel = "NAME", description = "those of this analyst only")
  Optional<String> analyst = Optional.empty();

  @Option(names = "--dry-run", description = "show them and clear nothing")
  boolean dry;

  @Option(names = "--note", paramLabel = "TEXT", description = "why, for the record")
  String note = "";

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
      List<FailedQuestion> failed =
          FailedQuestion.of(ledger).stream()
              .filter(f -> analyst.map(f.analyst()::equals).orElse(true))
              .toList();
      for (FailedQuestion one : failed) {
        out.println(
            one.at()
                + "  "
                + one.analyst()
                + "  "
                + one.outcome().word().replace('_', ' ')
                + "  "
                + one.query().replaceAll("\\s+", " "));
      }
      if (!dry) {
        ledger.clearFailures(analyst, LedgerOptions.owner(), note);
      }
      out.println(
          failed.size()
              + (failed.size() == 1 ? " failure" : " failures")
              + (dry ? "; nothing was cleared." : " cleared."));
      out.flush();
    }
  }
}
