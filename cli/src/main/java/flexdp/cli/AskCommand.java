package flexdp.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.FlexDp;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.ThresholdQuery;
import flexdp.gateway.api.Workload;
import flexdp.gateway.api.Workload.WorkloadView;
import flexdp.gateway.json.AnswerJson;
import flexdp.gateway.json.AskLines;
import flexdp.gateway.json.WatchJson;
import java.io.IOException;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** One private answer, or many. */
@Command(
    name = "ask",
    description = "Ask a question and get one private answer.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExample:%n",
    footer = {
      "  flexdp ask --policy rides.yaml \\",
      "    \"SELECT status, COUNT(*) FROM trips GROUP BY status ORDER BY 2 DESC\"",
      "  flexdp ask --policy rides.yaml --param city=3 \\",
      "    \"SELECT COUNT(*) FROM trips WHERE city_id = :city\"",
      "  FLEXDP_TOKEN=... flexdp ask --server https://rides.example:8433 \\",
      "    \"SELECT COUNT(*) FROM trips\""
    })
final class AskCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Mixin QuestionOptions options;

  @Mixin ServerOptions server;

  /** How an answer is printed. */
  enum Format {
    table,
    csv,
    json
  }

  @Option(names = "--format", description = "${COMPLETION-CANDIDATES} (default: table).")
  Format format = Format.table;

  @Option(
      names = "--intervals",
      negatable = true,
      description =
          "Show 95 %% error bars where the noise is public (default: in tables, not in csv and"
              + " json).")
  Optional<Boolean> intervals = Optional.empty();

  @Option(
      names = "--jsonl",
      description = "Read one JSON request per line from stdin, answer each with one line.")
  boolean jsonl;

  @Option(
      names = "--workload",
      paramLabel = "FILE",
      description =
          "Answer all statements of a file, each ended by a semicolon; epsilon is for all of them.")
  Optional<Path> workload = Optional.empty();

  @Option(
      names = "--above",
      paramLabel = "N",
      description =
          "With --workload: only which of the numbers are above N, at one price for all of them.")
  Optional<BigDecimal> above = Optional.empty();

  @Option(
      names = "--hits",
      paramLabel = "C",
      description = "With --above: after how many it stops; more need more noise (default: 1).")
  Optional<Integer> hits = Optional.empty();

  @Mixin QuestionText text;

  @Override
  public Integer call() throws IOException {
    if (jsonl && text.isGiven()) {
      throw ConfigurationError.of(
          Code.BAD_USAGE, "--jsonl reads its questions from stdin, not from the arguments");
    }
    if (jsonl && !options.parameters.isEmpty()) {
      throw ConfigurationError.of(
          Code.BAD_USAGE,
          "--param is for one question; requests of --jsonl carry their own values");
    }
    if (above.isPresent() && workload.isEmpty() || hits.isPresent() && above.isEmpty()) {
      throw ConfigurationError.of(
          Code.BAD_USAGE, "--above is for --workload FILE, and --hits for --above N");
    }
    if (server.isGiven()) {
      return above.isPresent() ? remoteAbove() : remote();
    }
    if (workload.isPresent()) {
      return together();
    }
    String question = jsonl ? "" : text.read();
    try (FlexDp flexdp = options.open()) {
      if (jsonl) {
        QuestionOptions.note(flexdp, spec.commandLine().getErr());
        new AskLines(
                flexdp::ask,
                flexdp::parse,
                flexdp::ask,
                flexdp::ask,
                options.ask(""),
                intervals.orElse(false))
            .run(System.in, System.out);
        return 0;
      }
      print(flexdp.ask(options.ask(question, flexdp).withIntervals(bars())));
      QuestionOptions.note(flexdp, spec.commandLine().getErr());
      return 0;
    }
  }

  private int remote() throws IOException {
    if (jsonl || workload.isPresent()) {
      throw ConfigurationError.of(Code.BAD_USAGE, "--server takes one question at a time");
    }
    ObjectNode request = options.request(text.read());
    request.put("fresh", options.fresh).put("intervals", bars());
    request.put("format", format == Format.csv ? "csv" : "json");
    HttpResponse<String> response = server.open().send("/v1/ask", request);
    String body = response.body();
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    switch (format) {
      case csv -> {
        out.print(body);
        err.println(RemoteText.spent(response.headers()).words());
        response
            .headers()
            .firstValue("FlexDP-Notes")
            .map(RemoteServer::read)
            .ifPresent(notes -> RemoteText.notes(notes).forEach(err::println));
      }
      case json -> out.println(body.strip());
      case table -> {
        JsonNode answer = RemoteServer.read(body);
        out.print(RemoteText.table(answer));
        err.println(RemoteText.cost(answer));
        RemoteText.notes(answer.path("notes")).forEach(err::println);
      }
    }
    out.flush();
    err.flush();
    return 0;
  }

  private int together() throws IOException {
    if (jsonl || text.isGiven() || !options.parameters.isEmpty()) {
      throw ConfigurationError.of(
          Code.BAD_USAGE, "--workload reads its statements from the file, and nowhere else");
    }
    Workload statements = WorkloadText.read(workload.get());
    try (FlexDp flexdp = options.open()) {
      if (above.isPresent()) {
        ThresholdQuery what = new ThresholdQuery(above.get(), hits.orElse(1));
        compared(WatchJson.of(flexdp.ask(statements, options.ask(""), what)));
        QuestionOptions.note(flexdp, spec.commandLine().getErr());
        return 0;
      }
      WorkloadView view = flexdp.ask(statements, options.ask("").withIntervals(bars()));
      PrintWriter out = spec.commandLine().getOut();
      switch (format) {
        case table -> out.print(WorkloadText.of(view, answer -> AnswerText.table(answer, bars())));
        case csv -> out.print(WorkloadText.of(view, answer -> AnswerText.csv(answer, bars())));
        case json -> out.println(AnswerJson.of(view, bars()));
      }
      out.flush();
      PrintWriter err = spec.commandLine().getErr();
      if (format != Format.json) {
        err.println(WorkloadText.cost(view));
        WorkloadText.notes(view).forEach(err::println);
      }
      QuestionOptions.note(flexdp, err);
      err.flush();
      return 0;
    }
  }

  private int remoteAbove() {
    ObjectNode request = options.request("");
    request.remove(List.of("sql", "mechanism"));
    Workload statements = WorkloadText.read(workload.get());
    statements.statements().forEach(s -> request.withArray("workload").add(s.sql()));
    request.put("above", above.get()).put("hits", hits.orElse(1));
    compared(server.open().send("/v1/workload/above", request).body());
    return 0;
  }

  /** What was found above a threshold. */
  private void compared(String json) {
    PrintWriter out = spec.commandLine().getOut();
    switch (format) {
      case table, csv -> out.print(WatchText.above(RemoteServer.read(json)));
      case json -> out.println(json.strip());
    }
    out.flush();
  }

  private boolean bars() {
    return intervals.orElse(format == Format.table);
  }

  private void print(AnalystView view) {
    PrintWriter out = spec.commandLine().getOut();
    switch (format) {
      case table -> out.print(AnswerText.table(view, bars()));
      case csv -> out.print(AnswerText.csv(view, bars()));
      case json -> out.println(AnswerJson.of(view, bars()));
    }
    out.flush();
    PrintWriter err = spec.commandLine().getErr();
    if (format != Format.json) {
      err.println(AnswerText.cost(view));
      AnswerText.notes(view).forEach(err::println);
    }
    err.flush();
  }
}
