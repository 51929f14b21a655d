package flexdp.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import flexdp.Analyzer;
import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.FlexDp;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.api.Workload;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What an analyst may know before asking. */
@Command(
    name = "explain",
    description = "What a question would cost and how wrong its answer would be. Costs nothing.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExample:%n",
    footer = {
      "  flexdp explain --policy rides.yaml \\",
      "    \"SELECT COUNT(*) FROM trips t JOIN drivers d ON t.driver_id = d.id\""
    })
final class ExplainCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Mixin QuestionOptions options;

  @Mixin ServerOptions server;

  @Option(names = "--owner", description = "Show private values too.")
  boolean owner;

  @Option(
      names = "--workload",
      paramLabel = "FILE",
      description = "Explain all statements of a file, asked together.")
  Optional<Path> workload = Optional.empty();

  @Mixin QuestionText text;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    if (server.isGiven()) {
      out.print(remote());
      out.flush();
      return 0;
    }
    if (workload.isPresent()) {
      if (text.isGiven() || owner) {
        throw ConfigurationError.of(
            Code.BAD_USAGE, "--workload takes neither a question nor --owner beside it");
      }
      Workload statements = WorkloadText.read(workload.get());
      try (FlexDp flexdp = options.open()) {
        out.print(WorkloadText.of(flexdp.explain(statements, options.ask(""))));
        out.flush();
        return 0;
      }
    }
    String question = text.read();
    options.ask(question); // what is wrong with the options is said before anything is opened
    try (FlexDp flexdp = options.open()) {
      QueryRequest ask = options.ask(question, flexdp);
      QuestionOptions.note(flexdp, spec.commandLine().getErr());
      out.print(ExplanationText.of(flexdp.explain(ask)));
      if (owner) {
        out.println();
        out.println("for the owner only:");
        flexdp.unenforced().forEach(line -> out.println("  " + line));
        out.print(
            ReportText.of(
                new Analyzer(flexdp.policy(), flexdp.metrics(), LocalDateTime.now(ZoneOffset.UTC))
                    .analyze(ask.sql(), ask.options().analysis())));
      }
      out.flush();
      return 0;
    }
  }

  private String remote() throws IOException {
    if (owner || workload.isPresent()) {
      throw ConfigurationError.of(
          Code.BAD_USAGE, "--server takes one question, and shows what analysts may see");
    }
    ObjectNode request = options.request(text.read());
    JsonNode explanation = RemoteServer.read(server.open().send("/v1/explain", request).body());
    if (!explanation.path("status").asText().equals("accepted")) {
      throw RemoteServer.failure(200, explanation);
    }
    return RemoteText.explanation(explanation);
  }
}
