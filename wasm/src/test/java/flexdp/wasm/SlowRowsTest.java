package flexdp.wasm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import flexdp.gateway.FlexDp;
import flexdp.gateway.Setup;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.ProgramOutput;
import flexdp.gateway.api.ProgramRequest;
import flexdp.gateway.api.ProgramRequest.ProgramModule;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.plan.MechanismChoice;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How long a program takes on some row never ends a question: that would tell of the row. */
class SlowRowsTest {
  @TempDir Path folder;

  @Test
  void aProgramThatIsSlowOnSomeRowsIsNotEndedByTheTimeoutOfTheDatabase() throws Exception {
    String text =
        "(module (global $n (mut f64) (f64.const 0))"
            + " (func (export \"row\") (param f64) (global.set $n (f64.const 1))"
            + " (if (f64.eq (local.get 0) (f64.const 13)) (then (loop (br 0)))))"
            + " (func (export \"f\") (result f64) (global.get $n)))";
    Path database = folder.resolve("rides.sqlite");
    try (Connection c = DriverManager.getConnection("jdbc:sqlite:" + database);
        Statement s = c.createStatement()) {
      s.execute("CREATE TABLE trips (id BIGINT PRIMARY KEY, km DOUBLE)");
      s.execute(
          "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000) INSERT"
              + " INTO trips SELECT i, CASE WHEN i <= 300 THEN 13 ELSE 1 END FROM n");
    }
    ProgramModule module = new ProgramModule(Wat.bytes(text));
    Path policy =
        Files.writeString(
            folder.resolve("rides.yaml"),
            """
            flexdp: 1
            database: jdbc:sqlite:%s
            privacy: {neighbors: add-remove-one, epsilon: 1, budget: {epsilon: 10000, delta: 0}}
            programs:
              it: {sha256: "%s", instructions: 100000, memory: 1}
            tables:
              trips:
                columns:
                  id: {type: bigint, unique: true}
                  km: {type: double}
            """
                .formatted(database, module.digest()));
    QueryOptions options =
        new QueryOptions(
            MechanismChoice.AUTO,
            Optional.of(new BigDecimal(5_000)),
            Optional.empty(),
            Optional.empty());
    ProgramRequest asked =
        new ProgramRequest(
            module,
            "SELECT km FROM trips",
            new ProgramRequest.Rows(1),
            List.of(ProgramOutput.parse("f:0:1")),
            new QueryRequest("", options, "ann", Set.of(), true));
    long begun = System.nanoTime();
    assertEquals(5_700, answer(policy, asked, Duration.ofMinutes(10)), 1);
    // Far less than it takes, wherever that is more than the shortest.
    long seconds = Duration.ofNanos(System.nanoTime() - begun).toSeconds();
    assertEquals(5_700, answer(policy, asked, Duration.ofSeconds(Math.max(1, seconds / 4))), 1);
  }

  private static double answer(Path policy, ProgramRequest asked, Duration timeout) {
    try (FlexDp flexdp = Setup.of(policy).timeout(timeout).open()) {
      AnalystView view = flexdp.ask(asked);
      return ((Number) view.rows().getFirst().getFirst()).doubleValue();
    }
  }
}
