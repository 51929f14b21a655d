package flexdp.cli;

import flexdp.failure.Failure;
import flexdp.gateway.Setup;
import flexdp.gateway.collect.MetricsFile;
import flexdp.gateway.collect.PolicyCheck;
import flexdp.gateway.collect.PolicyCheck.Finding;
import flexdp.gateway.ledger.LedgerCopies;
import flexdp.gateway.ledger.LedgerPlace;
import flexdp.gateway.propose.OwnersText;
import flexdp.policy.Policy;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Compares a policy with the data. What it prints is private. */
@Command(
    name = "check",
    description = "Check declared keys, owners, ranges and domains against the data (owner).",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExample:%n",
    footer = {
      "  flexdp policy check --policy rides.yaml",
      "",
      "With people, it also draws who owns what: private, as everything here.",
      "Exits with 2 when a declaration that privacy rests on does not hold."
    })
final class PolicyCheckCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Mixin DatabaseOptions options;

  @Option(
      names = "--ledger",
      paramLabel = "FILE|URL",
      description = "The ledger, when it is not NAME.ledger beside the policy.")
  Optional<String> ledger = Optional.empty();

  @Override
  public Integer call() {
    Policy policy = options.read();
    PolicyCheck.Found found;
    try (Connection connection = options.open(policy)) {
      found =
          PolicyCheck.whole(
              policy, connection, MetricsFile.enforced(MetricsFile.beside(options.policy)));
    } catch (SQLException e) {
      throw options.failed("it was being checked", e);
    }
    PrintWriter out = spec.commandLine().getOut();
    out.print(OwnersText.of(policy, found.owned()));
    List<Finding> findings = found.findings();
    for (Finding finding : findings) {
      out.println((finding.breaksGuarantee() ? "FALSE: " : "note:  ") + finding.text());
    }
    found.unenforced().forEach(line -> out.println("note:  " + line));
    if (findings.stream().anyMatch(Finding::breaksGuarantee)) {
      out.println(
          "Answers go on being given all the same, and are not private where a declaration is"
              + " FALSE: until it is mended, close the table by flexdp policy close --policy "
              + options.policy
              + " TABLE");
    }
    if (findings.isEmpty()) {
      out.println("The data agree with every declaration.");
    }
    boolean starts = starts(out);
    return findings.stream().anyMatch(Finding::breaksGuarantee) || !starts ? 2 : 0;
  }

  /** What a start and a reload would refuse, tried on a copy of the ledger. */
  private boolean starts(PrintWriter out) {
    LedgerPlace place = LedgerPlace.of(options.policy, ledger);
    if (place.isNew()) {
      return true;
    }
    try (TemporaryFolder folder = TemporaryFolder.of("flexdp-check-")) {
      Path copy = folder.path().resolve("ledger" + LedgerCopies.TRIAL);
      try {
        LedgerCopies.backup(place, copy);
        Setup setup = Setup.of(options.policy).ledger(copy.toString());
        Optional.ofNullable(options.database).map(setup::database).orElse(setup).open().close();
        return true;
      } catch (Failure e) {
        // Nobody knows the copy, and it is gone.
        String meant = place.file().map(Path::toString).or(place::url).orElseThrow();
        out.println("START: " + e.codeName() + ": " + e.message().replace(copy.toString(), meant));
        out.println("       " + e.hint());
        return false;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
