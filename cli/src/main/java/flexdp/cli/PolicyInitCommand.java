package flexdp.cli;

import flexdp.failure.ConfigurationError;
import flexdp.gateway.database.Databases;
import flexdp.gateway.database.Vendors;
import flexdp.gateway.propose.PolicyDraft;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

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
final class PolicyInitCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Option(names = "--database", paramLabel = "URL", required = true, description = "The database.")
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
      text = PolicyDraft.of(database, Vendors.of(connection).tables(connection), people);
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
