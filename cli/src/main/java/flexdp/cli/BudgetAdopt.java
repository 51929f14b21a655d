package flexdp.cli;

import flexdp.budget.Allowances;
import flexdp.failure.ConfigurationError;
import flexdp.failure.DatabaseError;
import flexdp.gateway.catalog.Identities;
import flexdp.gateway.database.Databases;
import flexdp.gateway.database.Vendors;
import flexdp.gateway.ledger.Adoption;
import flexdp.gateway.ledger.Adoption.OwnerAdoption;
import flexdp.gateway.ledger.LedgerPlace;
import flexdp.policy.Policy;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

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
final class BudgetAdopt implements Runnable {
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
    Optional<Identities> tables = database.or(policy::database).map(url -> identities(policy, url));
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

  private static Identities identities(Policy policy, String url) {
    try (Connection connection = Databases.readOnly(url)) {
      return Identities.of(policy, Vendors.of(connection), connection);
    } catch (SQLException e) {
      throw DatabaseError.of("The database could not say which tables it has.", "Try again.");
    }
  }
}
