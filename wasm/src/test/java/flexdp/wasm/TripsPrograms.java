package flexdp.wasm;

import flexdp.gateway.FlexDp;
import flexdp.gateway.Setup;
import flexdp.gateway.api.ProgramOutput;
import flexdp.gateway.api.ProgramRequest;
import flexdp.gateway.api.ProgramRequest.ProgramModule;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.plan.MechanismChoice;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Trips and their drivers, and programs that are registered for them. */
final class TripsPrograms {
  private final Path folder;
  private final ProgramModule module;

  TripsPrograms(Path folder, byte[] module, String... statements) throws IOException, SQLException {
    this.folder = folder;
    this.module = new ProgramModule(module);
    try (Connection c = DriverManager.getConnection("jdbc:duckdb:" + folder.resolve("rides.db"));
        Statement s = c.createStatement()) {
      s.execute(
          "CREATE TABLE trips (id BIGINT, driver_id BIGINT NOT NULL, km DOUBLE, fare DECIMAL(9,2),"
              + " status VARCHAR, day DATE)");
      s.execute("CREATE TABLE drivers (id BIGINT, rating DOUBLE)");
      for (String statement : statements) {
        s.execute(statement);
      }
    }
    policy(this.module.digest());
  }

  void policy(String registered) throws IOException {
    Files.writeString(
        folder.resolve("rides.yaml"),
        """
        flexdp: 1
        database: jdbc:duckdb:%s
        privacy:
          neighbors: add-remove-one
          epsilon: 1
          budget: {epsilon: 1000000000, delta: 0}
        programs:
          it: {sha256: "%s", instructions: 100000, memory: 1}
        tables:
          trips:
            columns:
              id: {type: bigint, unique: true, trusted: true}
              driver_id: {type: bigint, nullable: false}
              km: {type: double}
              fare: {type: "decimal(9,2)", range: [0, 500]}
              status: {type: varchar}
              day: {type: date}
          drivers:
            columns:
              id: {type: bigint, unique: true, trusted: true}
              rating: {type: double}
        """
            .formatted(folder.resolve("rides.db"), registered));
  }

  Connection connection() throws SQLException {
    return DriverManager.getConnection("jdbc:duckdb:" + folder.resolve("rides.db"));
  }

  Path place() {
    return folder.resolve("rides.yaml");
  }

  FlexDp open() {
    return Setup.of(place()).open();
  }

  ProgramRequest blocks(
      String over, int count, String by, boolean mean, double epsilon, String... outputs) {
    return asked(over, new ProgramRequest.Blocks(count, List.of(by), mean), epsilon, outputs);
  }

  ProgramRequest rows(String over, int emits, double epsilon, String... outputs) {
    return asked(over, new ProgramRequest.Rows(emits), epsilon, outputs);
  }

  private ProgramRequest asked(
      String over, ProgramRequest.Shape shape, double epsilon, String... outputs) {
    QueryOptions options =
        new QueryOptions(
            MechanismChoice.AUTO,
            Optional.of(BigDecimal.valueOf(epsilon)),
            Optional.empty(),
            Optional.empty());
    return new ProgramRequest(
        module,
        over,
        shape,
        Arrays.stream(outputs).map(ProgramOutput::parse).toList(),
        new QueryRequest("", options, "ann", Set.of(), true, true, Optional.empty()));
  }
}
