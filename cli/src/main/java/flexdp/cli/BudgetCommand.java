package flexdp.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import flexdp.budget.Account;
import flexdp.budget.Allowances;
import flexdp.budget.Cost;
import flexdp.budget.TotalCost;
import flexdp.document.NearestName;
import flexdp.failure.ConfigurationError;
import flexdp.failure.DatabaseError;
import flexdp.gateway.catalog.TableIdentities;
import flexdp.gateway.database.Connectors;
import flexdp.gateway.database.Databases;
import flexdp.gateway.json.BalanceJson;
import flexdp.gateway.ledger.Adoption;
import flexdp.gateway.ledger.Adoption.OwnerAdoption;
import flexdp.gateway.ledger.Audit;
import flexdp.gateway.ledger.Balance;
import flexdp.gateway.ledger.CoveringCharge;
import flexdp.gateway.ledger.FailedQuestion;
import flexdp.gateway.ledger.Ledger;
import flexdp.gateway.ledger.Ledger.FailureCount;
import flexdp.gateway.ledger.LedgerPlace;
import flexdp.gateway.ledger.LedgerRepair;
import flexdp.gateway.ledger.entry.LedgerEntry;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What is left, and the owner's acts on it. */
@Command(
    name = "budget",
    description = "What is left of the privacy budget, and the record of what was spent.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    footer = {"", "Example: flexdp budget show --policy rides.yaml"},
    subcommands = {
      BudgetCommand.Show.class,
      BudgetCommand.Grant.class,
      BudgetCommand.Adopt.class,
      BudgetCommand.ClearFailures.class,
      BudgetCommand.Verify.class,
      BudgetCommand.Export.class,
      BudgetCommand.Mend.class
    })
final class BudgetCommand implements Runnable {
  @Spec CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "Which one: show, grant, adopt, clear-failures, audit, export or repair?");
  }

  /** Prints how every account stands. */
  @Command(
      name = "show",
      description = "What is left, with about how many more answers that is.",
      mixinStandardHelpOptions = true,
      footer = {"", "Example: flexdp budget show --policy rides.yaml --format json"})
  static final class Show implements Runnable {
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
                .map(a -> new Balance(a, allowances.of(a), TotalCost.NOTHING))
                .toList(),
            Map.of(),
            epsilon);
        return;
      }
      try (Ledger ledger = options.open(allowances)) {
        List<Balance> standings =
            ledger.standings(accounts(policy, allowances)).stream()
                .filter(balance -> !isOwned(policy, balance.account()))
                .toList();
        print(standings, ledger.failures(), epsilon);
      }
    }

    private void print(
        List<Balance> standings, Map<String, FailureCount> failures, BigDecimal epsilon) {
      PrintWriter out = spec.commandLine().getOut();
      switch (format) {
        case table -> {
          BalanceText.print(out, standings, epsilon);
          FailureCountText.print(out, failures);
        }
        case json -> {
          ObjectNode root = BalanceJson.of(standings, Cost.pure(epsilon));
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

  /** The owner adds to a budget; the ledger records it. */
  @Command(
      name = "grant",
      description = "Adds to the budget of a table, an analyst or a role.",
      mixinStandardHelpOptions = true,
      footer = {"", "Example: flexdp budget grant table:trips --epsilon 2 --policy rides.yaml"})
  static final class Grant implements Runnable {
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
        Balance balance = ledger.standing(whom);
        BalanceText.print(
            out, List.of(balance), policy.privacy().epsilon().orElse(new BigDecimal("0.1")));
        out.flush();
      } catch (IllegalArgumentException e) {
        throw usage(e.getMessage());
      }
    }

    private static ConfigurationError unknown(String what, String name, Set<String> known) {
      return usage(
          "the policy has no " + what + " '" + name + "'." + NearestName.question(name, known));
    }

    private static ConfigurationError usage(String message) {
      return ConfigurationError.of(ConfigurationError.Code.BAD_USAGE, message);
    }
  }

  /** The owner says how the entries made before count under the policy as it is now. */
  @Command(
      name = "adopt",
      description =
          "Lets what was spent before count under a policy that has changed. For the owner.",
      mixinStandardHelpOptions = true,
      footer = {
        "",
        "Shows first how every account stands before and after. The larger loss counts: answers made",
        "under add-remove-one count twice under replace-one, another composition keeps the delta of",
        "the one before as spent, and a table that may be one that is gone goes on with its account.",
        "Where rows became people's, or other people's, whoever owns them now counts what was spent",
        "before; those answers protect whom the policy named when they were given, and nobody else.",
        "Example: flexdp budget adopt --dry-run --policy rides.yaml",
        "         flexdp budget adopt --table visits=encounters --note 'renamed' --policy rides.yaml"
      })
  static final class Adopt implements Runnable {
    @Option(names = "--dry-run", description = "show it and write nothing")
    boolean dry;

    @Option(
        names = "--table",
        paramLabel = "NAME=OLD",
        description = "the table NAME of the policy goes on with the account of OLD")
    Map<String, String> same = Map.of();

    @Option(
        names = "--new",
        paramLabel = "NAME",
        description = "you vouch that the table NAME holds nothing of a table that was charged")
    Set<String> fresh = Set.of();

    @Option(names = "--note", paramLabel = "TEXT", description = "why, for the record")
    String note = "";

    @Option(
        names = "--database",
        paramLabel = "URL",
        description = "The database; otherwise the one that the policy names.")
    Optional<String> database = Optional.empty();

    @Mixin LedgerOptions options;
    @Spec CommandSpec spec;

    @Override
    public void run() {
      Policy policy = options.policy();
      LedgerPlace place = options.place();
      PrintWriter out = spec.commandLine().getOut();
      if (place.isNew()) {
        out.println("There is no ledger yet: nothing was ever charged.");
        out.flush();
        return;
      }
      Optional<TableIdentities> tables =
          database.or(policy::database).map(url -> identities(policy, url));
      try {
        Adoption.Choice choice = new Adoption.Choice(same, fresh);
        Allowances allowances = Allowances.of(policy);
        Adoption shown =
            place.repair().adopt(allowances, tables, choice, LedgerOptions.owner(), note, false);
        OwnerAdoption owners =
            place.repair().adoptOwners(policy, tables, LedgerOptions.owner(), note, false);
        if (shown.isNeeded() || !owners.isNeeded()) {
          AdoptionText.print(out, shown);
        }
        if (shown.isNeeded() && !dry) {
          place.repair().adopt(allowances, tables, choice, LedgerOptions.owner(), note, true);
          owners = place.repair().adoptOwners(policy, tables, LedgerOptions.owner(), note, false);
        }
        if (owners.isNeeded()) {
          AdoptionText.print(out, owners);
        }
        if (owners.isNeeded() && !dry) {
          place.repair().adoptOwners(policy, tables, LedgerOptions.owner(), note, true);
        }
        if (shown.isNeeded() || owners.isNeeded()) {
          out.println(dry ? "Nothing was written." : "Written into the ledger.");
        }
      } catch (IllegalArgumentException e) {
        throw ConfigurationError.of(ConfigurationError.Code.BAD_USAGE, e.getMessage());
      } finally {
        out.flush();
      }
    }

    private static TableIdentities identities(Policy policy, String url) {
      try (Connection connection = Databases.readOnly(url)) {
        return TableIdentities.of(policy, Connectors.of(connection), connection);
      } catch (SQLException e) {
        throw DatabaseError.of("The database could not say which tables it has.", "Try again.");
      }
    }
  }

  /** What adopting a policy changes, for the owner to read before it is done. */
  static final class AdoptionText {
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
                  out.println(
                      "  table:" + word + " goes on with " + String.join(" and ", accounts)));
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

    private static String spent(Balance balance) {
      BigDecimal delta = balance.spent().delta();
      return "ε "
          + BalanceText.number(balance.spent().epsilon())
          + (delta.signum() == 0 ? "" : ", δ " + BalanceText.number(delta));
    }

    private static String left(Balance balance) {
      return balance
          .largestNext()
          .map(left -> "; left for one answer: ε " + BalanceText.number(left))
          .orElse("");
    }
  }

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
  static final class ClearFailures implements Runnable {
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
  static final class Verify implements Runnable {
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

  /** Writes every entry, for archives and other people's checks. */
  @Command(
      name = "export",
      description = "Writes every entry of the ledger as a line of JSON.",
      mixinStandardHelpOptions = true,
      footer = {"", "Example: flexdp budget export --policy rides.yaml > ledger.jsonl"})
  static final class Export implements Runnable {
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
    private static ObjectNode json(LedgerEntry entry) {
      ObjectNode line = JsonNodeFactory.instance.objectNode();
      line.put("seq", entry.seq());
      line.put("at", entry.at().toString());
      entry.fields().forEach(line::put);
      line.put("previous", entry.previous());
      line.put("hash", entry.hash());
      return line;
    }
  }

  /** The owner takes responsibility for a ledger that is refused; the ledger records that too. */
  @Command(
      name = "repair",
      description = "Lets answers go on after a ledger was lost or damaged. For the owner.",
      mixinStandardHelpOptions = true,
      footer = {
        "",
        "First try to put the ledger back from a backup. What was charged in lost entries can be",
        "spent again afterwards, so accepting a loss weakens the guarantee by as much.",
        "Example: flexdp budget repair --accept-loss --policy rides.yaml --note 'disk failure'"
      })
  static final class Mend implements Runnable {
    /** What is accepted. */
    static final class What {
      @Option(
          names = "--accept-loss",
          description = "go on with the entries that are intact; a damaged file is kept aside")
      boolean loss;

      @Option(
          names = "--accept-clock",
          description = "go on although the clock stands before the last entry")
      boolean clock;

      @Option(
          names = "--accept-policy",
          description = "go on with the composition that the policy chooses now")
      boolean policy;
    }

    @ArgGroup(multiplicity = "1")
    What what;

    @Option(
        names = "--charge",
        paramLabel = "EPSILON",
        description =
            "with --accept-loss: a charge that stands for what was lost, paid by every protected"
                + " table and kind of people")
    Optional<BigDecimal> charge = Optional.empty();

    @Option(names = "--note", paramLabel = "TEXT", description = "why, for the record")
    String note = "";

    @Mixin LedgerOptions options;
    @Spec CommandSpec spec;

    @Override
    public void run() {
      PrintWriter out = spec.commandLine().getOut();
      Policy policy = options.policy();
      LedgerPlace place = options.place();
      if (what.loss) {
        Optional<CoveringCharge> cover =
            charge.map(e -> new CoveringCharge(policy, e, BigDecimal.ZERO, LedgerOptions.owner()));
        LedgerRepair.Saved saved =
            place
                .repair()
                .acceptLoss(
                    LedgerOptions.owner(),
                    note,
                    options.known(),
                    ledger -> cover.ifPresent(c -> c.charge(ledger)));
        out.println("The ledger goes on with " + saved.saved() + " entries that are intact.");
        out.println(
            saved.lost().map(lost -> "Of what is known " + lost + ".").orElse("")
                + (saved.lost().isPresent() && cover.isEmpty()
                    ? " What they spent can be spent again; --charge EPSILON would have covered it."
                    : ""));
      } else if (what.policy) {
        place.repair().acceptPolicy(Allowances.of(policy), LedgerOptions.owner());
        out.println("The ledger goes on under the policy as it is now.");
      } else {
        place.repair().acceptClock(LedgerOptions.owner(), note);
        out.println("The ledger goes on from the clock's time.");
      }
      out.flush();
    }
  }

  /** Analysts of whose questions some failed in the database. */
  static final class FailureCountText {
    private FailureCountText() {}

    static void print(PrintWriter out, Map<String, FailureCount> failures) {
      failures.forEach(
          (analyst, count) ->
              out.println(
                  "failures   analyst "
                      + analyst
                      + ": "
                      + count.recent()
                      + " lately, "
                      + (count.stopped()
                          ? "stopped until ./flexdp budget clear-failures --analyst " + analyst
                          : "stopped at " + count.atMost())));
    }

    static void json(ObjectNode root, Map<String, FailureCount> failures) {
      ObjectNode all = root.putObject("failures");
      failures.forEach(
          (analyst, count) ->
              all.putObject(analyst)
                  .put("recent", count.recent())
                  .put("atMost", count.atMost())
                  .put("stopped", count.stopped()));
    }
  }
}
