package flexdp.cli;

import flexdp.ConfigurationError;
import flexdp.ConfigurationError.Code;
import flexdp.gateway.catalog.Databases;
import flexdp.gateway.text.TextFiles;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.nio.file.Path;
import java.sql.Connection;
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
    return Databases.readOnly(url(read));
  }
}
