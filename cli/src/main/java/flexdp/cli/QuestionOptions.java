package flexdp.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import flexdp.document.DocumentNode;
import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.FlexDp;
import flexdp.gateway.Setup;
import flexdp.gateway.api.ErrorTarget;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryOptions.NoiseLimit;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.files.TextFiles;
import flexdp.gateway.json.AnalyzeRequest;
import flexdp.gateway.json.AskRequest;
import flexdp.gateway.json.BinsCsv;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Option;

/** What a question needs besides its text. */
final class QuestionOptions extends PlaceOptions {
  @Option(names = "--epsilon", description = "The epsilon of the question.")
  String epsilon;

  @Option(
      names = "--within",
      paramLabel = "ERROR",
      description = {
        "Instead of an epsilon: the least one that keeps the error of every noisy cell within",
        "this, with probability 95 %%. As in 100, 5%% or trips=100 for one column."
      })
  String within;

  @Option(
      names = "--noise-limit",
      paramLabel = "SHARE",
      description = {
        "Refuse, and charge nothing, where released numbers foretell that the noise will be more than",
        "this share of the answer, as in 100%%."
      })
  String noiseLimit;

  @Option(names = "--delta", description = "The delta of the question.")
  String delta;

  @Option(
      names = "--mechanism",
      description = "auto (default), laplace, lomax, flex, released, gaussian.")
  String mechanism = "auto";

  @Option(
      names = "--propose",
      paramLabel = "COLUMN=N",
      description = {
        "Max frequencies that you guess, as in trips.driver_id=300. They are tested privately with",
        "0.3 of epsilon and with delta; confirmed, they stand for released metrics."
      })
  String propose;

  @Option(
      names = "--strategy",
      paramLabel = "WORD",
      description = {
        "How questions asked together are measured: auto (default), even, or mwem for counts below",
        "the noise, which has no error bars."
      })
  String strategy = "auto";

  @Option(
      names = "--ranges",
      paramLabel = "WORD",
      description = {
        "Where the range of a sum, average, extreme or quantile comes from: auto (default) finds",
        "one that is neither declared nor released, and pays for it; declared never does; find",
        "does so even where one was released."
      })
  String ranges = "auto";

  @Option(names = "--bins", paramLabel = "FILE", description = "Labels, as CSV with a header.")
  Path bins;

  @Option(
      names = "--param",
      paramLabel = "NAME=VALUE",
      description = {
        "The value of a parameter, :NAME or $1 in the question; NAME alone is NULL. It is read as",
        "the type that is wanted where the parameter stands, and never as SQL."
      })
  List<String> parameters = List.of();

  @Option(
      names = "--sql-dialect",
      paramLabel = "NAME",
      description = {
        "Whose SQL the question is written in: postgresql, duckdb, trino, mysql, sqlite,"
            + " snowflake,",
        "tsql, bigquery or general. Otherwise what the policy says, or the database's own."
      })
  String sqlDialect;

  @Option(
      names = "--fresh",
      description = "Pay for a new answer even if the same question was answered before.")
  boolean fresh;

  /** Says on stderr what should be known beside answers; a refusal says it itself. */
  static void note(FlexDp flexdp, PrintWriter err) {
    if (!flexdp.note().isEmpty()) {
      err.println("note: " + flexdp.note());
      err.flush();
    }
  }

  /** The question as a server takes it. */
  ObjectNode request(String sql) {
    ask(sql); // what is wrong with the options is said here
    ObjectNode request = JsonNodeFactory.instance.objectNode().put("sql", sql);
    Optional.ofNullable(epsilon).ifPresent(e -> request.put("epsilon", new BigDecimal(e)));
    Optional.ofNullable(delta).ifPresent(d -> request.put("delta", new BigDecimal(d)));
    Optional.ofNullable(within).ifPresent(w -> request.put("within", w));
    Optional.ofNullable(propose).ifPresent(p -> request.put("propose", p));
    Optional.ofNullable(noiseLimit).ifPresent(n -> request.put("noiseLimit", n));
    Optional.ofNullable(database).ifPresent(d -> request.put("database", d));
    request.put("mechanism", mechanism);
    if (!ranges.equals("auto")) {
      request.put("ranges", ranges);
    }
    if (!parameters.isEmpty()) {
      ObjectNode values = request.putObject("parameters");
      values().forEach(values::put);
    }
    if (sqlDialect != null) {
      throw ConfigurationError.of(
          Code.BAD_USAGE,
          "--sql-dialect is for owners, who open the files themselves",
          "A server reads questions as its policy says (sqlDialect).");
    }
    if (policy != null || metrics != null || ledger.isPresent() || bins != null) {
      throw ConfigurationError.of(
          Code.BAD_USAGE,
          "--policy, --metrics, --ledger and --bins are for owners, who open the files themselves",
          "The server has its own; give --server alone.");
    }
    return request;
  }

  Policy readPolicy() {
    requirePolicy();
    return PolicyReader.read(TextFiles.tree(policy, Code.BAD_POLICY));
  }

  FlexDp open() {
    Setup setup = setup();
    return (sqlDialect == null ? setup : setup.sqlDialect(SqlDialectOption.read(sqlDialect)))
        .open();
  }

  /** The question as the gateway takes it. */
  QueryRequest ask(String sql) {
    QueryOptions options =
        new QueryOptions(
            AnalyzeRequest.choice(option("--mechanism", mechanism)),
            Optional.ofNullable(epsilon).map(e -> number("--epsilon", e).epsilon()),
            Optional.ofNullable(delta).map(d -> number("--delta", d).delta()),
            Optional.ofNullable(bins).map(f -> BinsCsv.read(TextFiles.read(f, Code.BAD_REQUEST))),
            Optional.ofNullable(propose),
            AskRequest.strategy(option("--strategy", strategy)),
            Optional.ofNullable(noiseLimit).map(NoiseLimit::parse),
            AskRequest.ranges(option("--ranges", ranges)));
    QueryRequest ask = new QueryRequest(sql, options, analyst, Set.of(), fresh);
    return within == null ? ask : ask.within(ErrorTarget.parse(within));
  }

  /** The question with the values of its parameters. */
  QueryRequest ask(String sql, FlexDp flexdp) {
    QueryRequest ask = ask(sql);
    return parameters.isEmpty() ? ask : flexdp.parse(ask, values());
  }

  private Map<String, String> values() {
    Map<String, String> values = new HashMap<>();
    for (String parameter : parameters) {
      int equals = parameter.indexOf('=');
      String written = equals < 0 ? parameter : parameter.substring(0, equals);
      String name =
          written.startsWith(":") || written.startsWith("$") ? written.substring(1) : written;
      if (values.containsKey(name)) {
        throw ConfigurationError.of(Code.BAD_USAGE, "--param: two values for " + written);
      }
      values.put(name, equals < 0 ? null : parameter.substring(equals + 1));
    }
    return values;
  }

  /** The text of a question, from the arguments or a file. */
  static String text(String sql, Path file) throws IOException {
    if (sql != null && file != null) {
      throw ConfigurationError.of(
          Code.BAD_USAGE, "give the question or the file that holds it, not both");
    }
    return file == null ? text(sql) : TextFiles.read(file, Code.BAD_USAGE);
  }

  /** The text of a question; a dash reads it from stdin. */
  static String text(String sql) throws IOException {
    if (sql == null) {
      throw ConfigurationError.of(
          Code.BAD_USAGE, "no question; give it as the last argument, in quotes");
    }
    if (!sql.equals("-")) {
      return sql;
    }
    try (InputStream in = System.in) {
      return TextFiles.decode(in.readAllBytes());
    } catch (CharacterCodingException e) {
      throw ConfigurationError.of(Code.BAD_USAGE, "the question is not UTF-8 text");
    }
  }

  private static DocumentNode number(String option, String text) {
    try {
      return option(option, text.length() > 1000 ? text : new BigDecimal(text));
    } catch (NumberFormatException e) {
      return option(option, text);
    }
  }

  private static DocumentNode option(String name, Object value) {
    return DocumentNode.root(Map.of(name, value), Code.BAD_USAGE).entries().get(name);
  }
}
