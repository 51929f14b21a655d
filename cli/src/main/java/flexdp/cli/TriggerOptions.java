package flexdp.cli;

import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.failure.DatabaseError;
import flexdp.gateway.catalog.ChangeLog;
import flexdp.gateway.catalog.PhysicalCatalog;
import flexdp.gateway.catalog.Vendor;
import flexdp.gateway.collect.Wanted;
import flexdp.gateway.collect.Watched;
import flexdp.gateway.database.Databases;
import flexdp.gateway.database.Vendors;
import flexdp.policy.Policy;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import picocli.CommandLine.Option;

/** Triggers that note changes, the one thing that is ever written to the owner's database. */
final class TriggerOptions {
  /** What becomes of them. */
  enum Action {
    install,
    remove
  }

  @Option(
      names = "--triggers",
      arity = "0..1",
      fallbackValue = "install",
      paramLabel = "install|remove",
      description =
          "Install triggers that keep the metrics current while others write, then measure;"
              + " or remove them and measure nothing.")
  Action action;

  boolean isRemoval() {
    return action == Action.remove;
  }

  /** Does what is asked for, if anything is. */
  void run(String url, Policy policy, Wanted wanted, PrintWriter err) {
    if (action == null) {
      return;
    }
    try (Connection connection = Databases.writing(url)) {
      Vendor vendor = Vendors.of(connection);
      ChangeLog log =
          vendor
              .changeLog()
              .orElseThrow(
                  () ->
                      ConfigurationError.of(
                          Code.BAD_USAGE,
                          vendor.title() + " has no triggers that flexdp could use",
                          "Leave --triggers out: what a question needs is measured when it is"
                              + " asked, or declare the table static in the policy."));
      PhysicalCatalog catalog =
          PhysicalCatalog.of(policy, vendor, vendor.tables(connection, policy));
      Watched watched = new Watched(vendor, catalog, log);
      switch (action) {
        case remove -> {
          watched.remove(policy, connection);
          err.println("collect: the triggers and what they noted are removed");
        }
        case install ->
            watched
                .install(policy, wanted, connection)
                .forEach(
                    (table, reason) ->
                        err.println("collect: no triggers on " + table + ": " + reason));
      }
    } catch (SQLException e) {
      throw DatabaseError.of(
          "The triggers could not be written: " + e.getMessage(),
          "It takes the right to create triggers and a schema, and a moment without other writers"
              + " of the table (five seconds are waited for). What was done before stays.");
    }
  }
}
