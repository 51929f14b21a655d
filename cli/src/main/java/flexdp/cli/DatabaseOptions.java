package flexdp.cli;

import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.failure.DatabaseError;
import flexdp.gateway.database.Databases;
import flexdp.gateway.database.ErrorLog;
import flexdp.gateway.files.TextFiles;
import flexdp.gateway.files.TextFiles.PolicyFiles;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The policy and the database it speaks of. */
final class DatabaseOptions {
  @Option(
      names = "--policy",
      paramLabel = "FILE",
      required = true,
      description = "The policy (YAML or JSON).")
  Path policy;

  @Option(
      names = "--database",
      paramLabel = "URL",
      description = "The database; otherwise the one that the policy names.")
  String database;

  Policy read() {
    return PolicyReader.read(TextFiles.tree(policy, Code.BAD_POLICY));
  }

  /** Where the database is. */
  String url(Policy read) {
    return Optional.ofNullable(database)
        .or(read::database)
        .orElseThrow(
            () ->
                ConfigurationError.of(
                    Code.BAD_USAGE,
                    "the policy names no database",
                    "Give one: --database jdbc:duckdb:FILE"));
  }

  /** A read-only connection. */
  Connection open(Policy read) {
    try {
      return Databases.readOnly(url(read));
    } catch (DatabaseError e) {
      throw logged(e);
    }
  }

  /** The error for the user; its cause goes to the owner's log. */
  DatabaseError logged(DatabaseError e) {
    Optional.ofNullable(e.getCause()).ifPresent(cause -> log(e.message(), cause));
    return e;
  }

  /** What the database said is kept in the log; it may hold values of the data. */
  DatabaseError failed(String during, SQLException e) {
    log("while " + during, e);
    return Databases.failed(during, e, "See " + new PolicyFiles(policy).log() + ", and try again.");
  }

  private void log(String what, Throwable cause) {
    ErrorLog.file(new PolicyFiles(policy).log()).failure(what, cause);
  }
}
