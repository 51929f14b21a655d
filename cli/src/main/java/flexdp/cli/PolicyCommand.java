package flexdp.cli;

import flexdp.document.NearestName;
import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.failure.Failure;
import flexdp.failure.LedgerError;
import flexdp.gateway.FlexDp;
import flexdp.gateway.Setup;
import flexdp.gateway.collect.MetricsFile;
import flexdp.gateway.collect.PolicyCheck;
import flexdp.gateway.collect.PolicyCheck.Finding;
import flexdp.gateway.database.Connectors;
import flexdp.gateway.database.Databases;
import flexdp.gateway.files.TableClosing;
import flexdp.gateway.files.TextFiles;
import flexdp.gateway.ledger.KnownLedger;
import flexdp.gateway.ledger.LedgerCopies;
import flexdp.gateway.ledger.LedgerPlace;
import flexdp.gateway.policydraft.OwnersText;
import flexdp.gateway.policydraft.PolicyDraft;
import flexdp.gateway.policydraft.PolicyText;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.server.Service;
import flexdp.server.ServiceOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
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
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The owner's declarations: proposed, shown, checked, and closed. */
@Command(
    name = "policy",
    description = "Propose, check or show a policy, or close a table of it (owner).",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      PolicyCommand.Init.class,
      PolicyCommand.Check.class,
      PolicyCommand.Show.class,
      PolicyCommand.Close.class
    },
    footerHeading = "%nExample:%n",
    footer = "  flexdp policy init --database jdbc:duckdb:rides.duckdb > rides.yaml")
final class PolicyCommand implements Runnable {
  @Spec CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "Which of init, check, show and close? Try: flexdp policy --help");
  }

  /** Writes a first policy from the constraints of a database. */
  @Command(
      name = "init",
      description = "Propose a policy from the constraints that a database enforces.",
      mixinStandardHelpOptions = true,
      footerHeading = "%nExample:%n",
      footer = {
        "  flexdp policy init --database jdbc:duckdb:rides.duckdb --output rides.yaml",
        "  flexdp policy init --database jdbc:duckdb:hospital.duckdb --people patient",
        "",
        "No value that was seen in the data enters the policy. Review every line."
      })
  static final class Init implements Callable<Integer> {
    @Spec CommandSpec spec;

    @Option(
        names = "--database",
        paramLabel = "URL",
        required = true,
        description = "The database.")
    String database;

    @Option(
        names = "--output",
        paramLabel = "FILE",
        description = "Write to a new file instead of stdout; an existing one is never replaced.")
    Path output;

    @Option(
        names = "--people",
        paramLabel = "TABLE",
        split = ",",
        description =
            "The tables whose rows are people: each is protected with all that she owns, over every"
                + " foreign key that leads to her. Where no table has a row for each of them, the"
                + " column whose values they are, such as user_id.")
    List<String> people = List.of();

    @Override
    public Integer call() {
      String text;
      try (Connection connection = Databases.readOnly(database)) {
        text = PolicyDraft.of(database, Connectors.of(connection).tables(connection), people);
      } catch (SQLException e) {
        throw Databases.failed("its catalog was read", e, "Try again.");
      }
      if (output == null) {
        spec.commandLine().getOut().print(text);
        return 0;
      }
      try {
        Files.writeString(output, text, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      } catch (FileAlreadyExistsException e) {
        throw ConfigurationError.of(
            ConfigurationError.Code.BAD_USAGE,
            "the file " + output + " exists",
            "Give another name, or move it away first.");
      } catch (IOException e) {
        throw ConfigurationError.of(
            ConfigurationError.Code.BAD_USAGE, "the file " + output + " cannot be written");
      }
      return 0;
    }
  }

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
  static final class Check implements Callable<Integer> {
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

  /** Prints a policy as it is understood. */
  @Command(
      name = "show",
      description = "Print a policy as it is understood, defaults included.",
      mixinStandardHelpOptions = true,
      footerHeading = "%nExample:%n",
      footer = "  flexdp policy show --policy rides.yaml")
  static final class Show implements Callable<Integer> {
    @Spec CommandSpec spec;

    @Option(names = "--policy", paramLabel = "FILE", required = true, description = "The policy.")
    Path policy;

    @Override
    public Integer call() {
      var tree = TextFiles.tree(policy, Code.BAD_POLICY);
      spec.commandLine().getOut().print(PolicyText.of(PolicyReader.read(tree)));
      return 0;
    }
  }

  /** Writes into a policy that a table is closed. */
  @Command(
      name = "close",
      description = "Close a table: no question that reads it is answered (owner).",
      mixinStandardHelpOptions = true,
      footerHeading = "%nExample:%n",
      footer = {
        "  flexdp policy close --policy rides.yaml trips",
        "",
        "Writes closed: true under the table; take the line away to open it again.",
        "A server that runs takes the new policy up by itself."
      })
  static final class Close implements Callable<Integer> {
    @Spec CommandSpec spec;

    @Option(names = "--policy", paramLabel = "FILE", required = true, description = "The policy.")
    Path policy;

    @Parameters(paramLabel = "TABLE", description = "The table, as the policy names it.")
    String table;

    @Override
    public Integer call() {
      Policy before = PolicyReader.read(TextFiles.tree(policy, Code.BAD_POLICY));
      if (before.table(table).isEmpty()) {
        throw ConfigurationError.of(
            Code.BAD_USAGE,
            "the policy has no table '"
                + table
                + "'."
                + NearestName.question(table, before.tables().keySet()));
      }
      if (!before.table(table).orElseThrow().isClosed()) {
        write(TableClosing.in(TextFiles.read(policy, Code.BAD_POLICY), table));
      }
      spec.commandLine().getOut().println(table + " is closed: " + policy);
      return 0;
    }

    private void write(String text) {
      Path beside = policy.resolveSibling(policy.getFileName() + ".closing");
      try {
        Files.copy(
            policy,
            beside,
            StandardCopyOption.COPY_ATTRIBUTES,
            StandardCopyOption.REPLACE_EXISTING);
        Files.writeString(beside, text);
        Files.move(
            beside, policy, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      } catch (IOException e) {
        throw ConfigurationError.of(Code.BAD_USAGE, "the file " + policy + " cannot be written");
      }
    }
  }
}
