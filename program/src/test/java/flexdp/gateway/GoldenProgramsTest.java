package flexdp.gateway;

import flexdp.gateway.ask.Ask;
import flexdp.gateway.ask.AskOptions;
import flexdp.gateway.ask.ProgramAsk;
import flexdp.gateway.ask.ProgramAsk.ProgramModule;
import flexdp.gateway.ask.ProgramOutput;
import flexdp.gateway.database.CancellationToken;
import flexdp.gateway.lines.AnswerJson;
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

  private static ProgramAsk asked(
      ProgramModule module, ProgramAsk.Shape shape, String over, String output) {
    AskOptions options =
        new AskOptions(
            MechanismChoice.AUTO, Optional.of(BigDecimal.TWO), Optional.empty(), Optional.empty());
    return new ProgramAsk(
        module,
        over,
        shape,
        List.of(ProgramOutput.parse(output)),
        new Ask("", options, "ann", Set.of(), true, true, Optional.empty()));
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
      List<ProgramAsk.Shape> shapes =
          List.of(
              new ProgramAsk.Blocks(4, List.of("id"), false),
              new ProgramAsk.Blocks(4, List.of("id"), true),
              new ProgramAsk.Rows(1));
      for (ProgramAsk.Shape shape : shapes) {
        String over =
            shape instanceof ProgramAsk.Rows
                ? "SELECT distance, fare FROM trips"
                : "SELECT id, distance, fare FROM trips";
        lines.add("# " + shape);
        ProgramAsk asked = asked(module, shape, over, "slope:0:10:3");
        lines.add(AnswerJson.of(rides.gateway.ask(asked, new CancellationToken()), true));
      }
    }
    Golden.check("golden/programs", lines);
  }
}
