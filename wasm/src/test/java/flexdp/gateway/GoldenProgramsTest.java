package flexdp.gateway;

import flexdp.gateway.api.ProgramOutput;
import flexdp.gateway.api.ProgramRequest;
import flexdp.gateway.api.ProgramRequest.ProgramModule;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.database.CancellationToken;
import flexdp.gateway.json.AnswerJson;
import flexdp.plan.MechanismChoice;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Answers of programs, drawn with the same bits in every run. */
class GoldenProgramsTest {
  @TempDir Path folder;

  private static ProgramRequest asked(
      ProgramModule module, ProgramRequest.Shape shape, String over, String output) {
    QueryOptions options =
        new QueryOptions(
            MechanismChoice.AUTO, Optional.of(BigDecimal.TWO), Optional.empty(), Optional.empty());
    return new ProgramRequest(
        module,
        over,
        shape,
        List.of(ProgramOutput.parse(output)),
        new QueryRequest("", options, "ann", Set.of(), true, true, Optional.empty()));
  }

  @Test
  void programsByBlocksAndByRows() throws Exception {
    ProgramModule module = new ProgramModule(Files.readAllBytes(Path.of("../docs/slope.wasm")));
    String policy =
        SmallRides.POLICY.replace(
            "tables:\n",
            "programs:\n  it: {sha256: \""
                + module.digest()
                + "\", instructions: 100000, memory: 1}\ntables:\n");
    List<String> lines = new ArrayList<>();
    try (SmallRides rides = new SmallRides(folder, SmallRides.noise(5), policy)) {
      List<ProgramRequest.Shape> shapes =
          List.of(
              new ProgramRequest.Blocks(4, List.of("id"), false),
              new ProgramRequest.Blocks(4, List.of("id"), true),
              new ProgramRequest.Rows(1));
      for (ProgramRequest.Shape shape : shapes) {
        String over =
            shape instanceof ProgramRequest.Rows
                ? "SELECT distance, fare FROM trips"
                : "SELECT id, distance, fare FROM trips";
        lines.add("# " + shape);
        ProgramRequest asked = asked(module, shape, over, "slope:0:10:3");
        lines.add(AnswerJson.of(rides.gateway.ask(asked, new CancellationToken()), true));
      }
    }
    Golden.check("golden/programs", lines);
  }
}
