package flexdp.cli;

import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.FlexDp;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.ProgramOutput;
import flexdp.gateway.api.ProgramRequest;
import flexdp.gateway.api.ProgramRequest.ProgramModule;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.json.AnswerJson;
import flexdp.gateway.program.InstalledPrograms;
import flexdp.gateway.program.ProgramMachine;
import flexdp.plan.MechanismChoice;
import flexdp.policy.Policy.RegisteredProgram;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs a program of one's own over blocks of rows, or over single rows. */
@Command(
    name = "program",
    description = "Run a program (WebAssembly) over blocks of rows or over rows, privately.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExample:%n",
    footer = {
      "  flexdp program slope.wasm --check        # prints what the owner registers",
      "  flexdp program slope.wasm --policy rides.yaml --blocks 400 --by id \\",
      "    --over \"SELECT id, distance_km, fare FROM trips\" --output slope:0:10",
      "  flexdp program kinds.wasm --policy rides.yaml --per row --emits 1 \\",
      "    --over \"SELECT distance_km, fare FROM trips\" --output short:0:1 --output long:0:1"
    })
final class ProgramCommand extends PlaceOptions implements Callable<Integer> {
  /** More than any module may have; what is longer is not read. */
  private static final int LONGEST = 8 << 20;

  @Spec CommandSpec spec;

  @Parameters(index = "0", paramLabel = "FILE", description = "The module.")
  Path file;

  @Option(
      names = "--over",
      paramLabel = "SQL",
      description = "The rows: a SELECT whose columns, in order, are what the program reads.")
  String over;

  @Option(names = "--blocks", paramLabel = "N", description = "Into how many blocks rows fall.")
  Optional<Integer> blocks = Optional.empty();

  @Option(
      names = "--by",
      paramLabel = "COLUMN",
      split = ",",
      description = "By which columns of --over; the program does not see them.")
  List<String> by = List.of();

  @Option(
      names = "--output",
      paramLabel = "NAME:LOW:HIGH[:DEFAULT]",
      description = {
        "A function of the program, the range its results are clamped to, and what stands for a",
        "result where the program fails (default: the middle). May be given several times."
      })
  List<String> outputs = List.of();

  @Option(names = "--mean", description = "The mean of all blocks; otherwise their median.")
  boolean mean;

  /** What the program is run on. */
  enum Per {
    block,
    row
  }

  @Option(names = "--per", description = "${COMPLETION-CANDIDATES} (default: block).")
  Per per = Per.block;

  @Option(
      names = "--emits",
      paramLabel = "E",
      description = "With --per row: to how many outputs one row may add (default: 1).")
  Optional<Integer> emits = Optional.empty();

  @Option(names = "--explain", description = "Only what it would cost. Costs nothing.")
  boolean explain;

  @Option(names = "--check", description = "Only whether the module may run, and its digest.")
  boolean check;

  @Option(names = "--epsilon", description = "The epsilon of the question.")
  BigDecimal epsilon;

  @Option(
      names = "--fresh",
      description = "Pay for a new answer even if the same was answered before.")
  boolean fresh;

  @Option(names = "--format", description = "${COMPLETION-CANDIDATES} (default: table).")
  AskCommand.Format format = AskCommand.Format.table;

  @Override
  public Integer call() throws IOException {
    ProgramModule module = new ProgramModule(read());
    PrintWriter out = spec.commandLine().getOut();
    if (check) {
      return check(module, out);
    }
    if (over == null || outputs.isEmpty()) {
      throw ConfigurationError.of(
          Code.BAD_USAGE, "a program needs rows and outputs: --over SQL --output NAME:LOW:HIGH");
    }
    if (epsilon != null && (epsilon.signum() <= 0 || epsilon.precision() > 50)) {
      throw ConfigurationError.of(Code.BAD_USAGE, "--epsilon: a number above 0");
    }
    ProgramRequest asked = asked(module);
    try (FlexDp flexdp = setup().open()) {
      if (explain) {
        out.print(ExplanationText.of(flexdp.explain(asked)));
      } else {
        print(flexdp.ask(asked), out);
      }
      QuestionOptions.note(flexdp, spec.commandLine().getErr());
      out.flush();
      return 0;
    }
  }

  private byte[] read() throws IOException {
    if (!Files.isRegularFile(file)) {
      throw ConfigurationError.of(Code.BAD_USAGE, "there is no file " + file);
    }
    try (InputStream in = Files.newInputStream(file)) {
      return in.readNBytes(LONGEST);
    }
  }

  private int check(ProgramModule module, PrintWriter out) {
    RegisteredProgram limits = RegisteredProgram.of(module.digest());
    ProgramMachine machine = InstalledPrograms.find();
    int columns = machine.columns(module.bytes(), limits);
    List<String> names = outputs.stream().map(o -> ProgramOutput.parse(o).name()).toList();
    machine.load(module.bytes(), columns, names, limits);
    out.println("programs:");
    String name = file.getFileName().toString().replaceFirst("\\.wasm$", "");
    out.println("  " + name + ": \"" + module.digest() + "\"");
    out.flush();
    return 0;
  }

  private ProgramRequest asked(ProgramModule module) throws IOException {
    QueryOptions options =
        new QueryOptions(
            MechanismChoice.AUTO, Optional.ofNullable(epsilon), Optional.empty(), Optional.empty());
    boolean bars = format == AskCommand.Format.table;
    QueryRequest request =
        new QueryRequest("", options, analyst, Set.of(), fresh, bars, Optional.empty());
    List<ProgramOutput> parsed = new ArrayList<>();
    outputs.forEach(output -> parsed.add(ProgramOutput.parse(output)));
    return new ProgramRequest(module, QuestionOptions.text(over), shape(), parsed, request);
  }

  private ProgramRequest.Shape shape() {
    if (per == Per.row) {
      if (blocks.isPresent() || !by.isEmpty() || mean) {
        throw ConfigurationError.of(
            Code.BAD_USAGE, "--per row adds up what rows emit, without --blocks, --by and --mean");
      }
      return new ProgramRequest.Rows(emits.orElse(1));
    }
    if (blocks.isEmpty() || by.isEmpty() || emits.isPresent()) {
      throw ConfigurationError.of(
          Code.BAD_USAGE,
          "blocks need a number and columns: --blocks 400 --by id; --emits is for --per row");
    }
    return new ProgramRequest.Blocks(blocks.get(), by, mean);
  }

  private void print(AnalystView view, PrintWriter out) {
    boolean bars = format == AskCommand.Format.table;
    switch (format) {
      case table -> out.print(AnswerText.table(view, bars));
      case csv -> out.print(AnswerText.csv(view, bars));
      case json -> out.println(AnswerJson.of(view, bars));
    }
    out.flush();
    PrintWriter err = spec.commandLine().getErr();
    if (format != AskCommand.Format.json) {
      err.println(AnswerText.cost(view));
      AnswerText.notes(view).forEach(err::println);
    }
    err.flush();
  }
}
