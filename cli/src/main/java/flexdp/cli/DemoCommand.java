package flexdp.cli;

import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.failure.Failure;
import flexdp.gateway.FlexDp;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.demo.RideSharing;
import java.io.IOException;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The main job from nothing: a database, its metrics, questions, answers, what is left. */
@Command(
    name = "demo",
    description = "Make a database, measure it, ask a few questions: of rides, or of patients.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  flexdp demo --trips 200000 --folder rides-demo",
      "  flexdp demo --people --folder hospital-demo"
    })
final class DemoCommand implements Callable<Integer> {
  static final int PATIENTS = 20_000;

  @Spec CommandSpec spec;

  @Option(names = "--trips", description = "How many trips (default: ${DEFAULT-VALUE}).")
  int trips = RideSharing.DEFAULT_TRIPS;

  @Option(names = "--seed", description = "Another database of the same kind.")
  long seed = RideSharing.DEFAULT_SEED;

  @Option(
      names = "--people",
      description =
          "A hospital instead, whose patients are protected with everything they own in all tables.")
  boolean people;

  @Option(names = "--patients", description = "How many patients (default: ${DEFAULT-VALUE}).")
  int patients = PATIENTS;

  @Option(
      names = "--folder",
      paramLabel = "DIR",
      description = "Where to put it (default: a new folder among the temporary files).")
  Path folder;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    if (trips < 1 || patients < 1) {
      throw ConfigurationError.of(Code.BAD_USAGE, "--trips, --patients: at least one");
    }
    Path place = folder == null ? Files.createTempDirectory("flexdp-demo-") : folder;
    DemoDatabase demo = people ? DemoDatabase.hospital(patients) : DemoDatabase.rides(trips, seed);
    demo.create(out, place);
    demo.measure(out, place);
    QuestionOptions options = asked(demo.policy(place));
    try (FlexDp flexdp = options.open()) {
      for (DemoDatabase.DemoQuestion question : demo.questions()) {
        ask(out, flexdp, options, question);
      }
      out.println("-- What is left of the budget");
      BalanceText.print(
          out,
          flexdp.ledger().standings(),
          flexdp.policy().privacy().epsilon().orElse(BigDecimal.ONE));
    }
    out.println();
    if (!people) {
      byPeople(out, demo.file(place), place.resolve("drivers.yaml"));
    }
    out.println("Go on with questions of your own:");
    out.println(
        "  ./flexdp ask --policy "
            + options.policy
            + " \"SELECT COUNT(*) FROM "
            + (people ? "patient" : "users")
            + "\"");
    out.flush();
    return 0;
  }

  private static QuestionOptions asked(Path policy) {
    QuestionOptions options = new QuestionOptions();
    options.policy = policy;
    options.analyst = "demo";
    return options;
  }

  /** The demo's rows under a policy that protects each person who owns many of them. */
  private void byPeople(PrintWriter out, Path file, Path policy) throws IOException {
    Files.writeString(policy, RideSharing.policyByDrivers("jdbc:duckdb:" + file));
    QuestionOptions options = asked(policy);
    try (FlexDp flexdp = options.open()) {
      ask(out, flexdp, options, DemoDatabase.DemoQuestion.BY_PEOPLE);
    }
  }

  private void ask(
      PrintWriter out, FlexDp flexdp, QuestionOptions options, DemoDatabase.DemoQuestion question) {
    out.println("-- " + question.title());
    question.sql().lines().forEach(line -> out.println("   " + line));
    try {
      AnalystView view = flexdp.ask(options.ask(question.sql()).withIntervals(true));
      AnswerText.table(view, true).lines().forEach(line -> out.println("     " + line));
      out.println("   " + AnswerText.cost(view));
      AnswerText.notes(view).forEach(note -> out.println("   " + note));
    } catch (Failure e) {
      FailureText.of(e).lines().forEach(line -> out.println("   " + line));
    }
    out.println();
    out.flush();
  }
}
