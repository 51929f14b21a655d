package flexdp.cli;

import flexdp.failure.Failure;
import flexdp.failure.LedgerError;
import flexdp.gateway.FlexDp;
import flexdp.gateway.Setup;
import flexdp.gateway.collect.MetricsFile;
import flexdp.gateway.collect.PolicyCheck;
import flexdp.gateway.collect.PolicyCheck.Finding;
import flexdp.gateway.ledger.KnownLedger;
import flexdp.gateway.ledger.LedgerCopies;
import flexdp.gateway.ledger.LedgerPlace;
import flexdp.gateway.propose.OwnersText;
import flexdp.policy.Policy;
import flexdp.server.Service;
import flexdp.server.ServiceOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
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
      "What a start of the server, or a reload, would refuse is marked START: of the ledger,",
      "the users and the certificate, if they are named as for serve.",
      "Exits with 2 then, and when a declaration that privacy rests on does not hold."
    })
final class PolicyCheckCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Mixin DatabaseOptions options;

  @Option(
      names = "--ledger",
      paramLabel = "FILE|URL",
      description = "The ledger, when it is not NAME.ledger beside the policy.")
  Optional<String> ledger = Optional.empty();

  @Option(
      names = "--users",
      paramLabel = "FILE",
      description =
          "The users' file (default: flexdp-users.json beside the policy, if it is there).")
  Optional<Path> users = Optional.empty();

  @Option(names = "--tls-cert", paramLabel = "FILE", description = "A certificate, as PEM.")
  Path certificate;

  @Option(names = "--tls-key", paramLabel = "FILE", description = "Its key, as PEM (PKCS #8).")
  Path key;

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

  /** What a start and a reload would refuse. */
  private boolean starts(PrintWriter out) {
    Path file = users.orElseGet(() -> ServiceOptions.usersBeside(options.policy));
    boolean served = users.isPresent() || Files.exists(file);
    return starts(out, this::ledger)
        & (!served || starts(out, () -> Service.users(file)))
        & starts(out, () -> certificate(out));
  }

  private static boolean starts(PrintWriter out, Runnable part) {
    try {
      part.run();
      return true;
    } catch (Failure e) {
      out.println("START: " + e.codeName() + ": " + e.message());
      out.println("       " + e.hint());
      return false;
    }
  }

  private void certificate(PrintWriter out) {
    ServeCommand.given(certificate, key)
        .flatMap(tls -> tls.warning(Instant.now()))
        .ifPresent(warning -> out.println("note:  " + warning));
  }

  /** Tried on a copy. */
  private void ledger() {
    Optional<String> known =
        MetricsFile.ledger(MetricsFile.beside(options.policy)).map(KnownLedger::id);
    LedgerPlace place = LedgerPlace.used(options.policy, ledger, known);
    try (TemporaryFolder folder = TemporaryFolder.of("flexdp-check-")) {
      Path copy = LedgerCopies.trial(place, folder.path());
      Setup setup = Setup.of(options.policy).ledger(copy.toString());
      try (FlexDp tried =
          Optional.ofNullable(options.database).map(setup::database).orElse(setup).open()) {
        Optional<LedgerError> fault = tried.ledger().fault();
        if (fault.isPresent()) {
          throw fault.get();
        }
      } catch (LedgerError e) {
        // Nobody knows the copy, and it is gone.
        String meant = place.file().map(Path::toString).or(place::url).orElseThrow();
        throw LedgerError.of(e.code(), e.message().replace(copy.toString(), meant), e.hint());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
