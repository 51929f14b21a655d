package flexdp.cli;

import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.failure.Rejection;
import flexdp.gateway.FlexDp;
import flexdp.gateway.Setup;
import flexdp.gateway.api.FoundRange;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.collect.ColumnNames;
import flexdp.gateway.collect.RangeAdvice;
import flexdp.metrics.Metrics;
import flexdp.plan.MechanismChoice;
import flexdp.policy.Policy;
import java.io.IOException;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Option;

/** Ranges of columns, found by private questions: as advice, or released for clamping. */
final class RangeOptions {
  /** Keeps a range that was found; when it returns, it is kept. */
  interface Keeper {
    void keep(Map<String, Map<String, Metrics.FoundRange>> found) throws IOException;
  }

  @Option(
      names = "--advise-ranges",
      description =
          "Also propose ranges of columns that have none, found in noisy counts. Private, and"
              + " charged to the budget of the tables.")
  boolean advise;

  @Option(
      names = "--ranges",
      paramLabel = "LIST",
      description =
          "With --release: find ranges of these columns and keep them for clamping; with"
              + " --advise-ranges: of these alone.")
  List<String> ranges = List.of();

  void check(ReleaseOptions release) {
    if (!ranges.isEmpty() && !advise && !release.release) {
      throw ConfigurationError.of(
          Code.BAD_USAGE,
          "--ranges says which ranges are found, and nothing finds some",
          "Add --advise-ranges or --release.");
    }
    if (advise && release.release && !ranges.isEmpty()) {
      throw ConfigurationError.of(
          Code.BAD_USAGE, "ranges are advised or released, not both", "Leave one of them out.");
    }
  }

  /** Whether ranges are released, and kept. */
  boolean isRelease(ReleaseOptions release) {
    return release.release && !ranges.isEmpty();
  }

  private List<ColumnNames> named(Policy policy) {
    return ranges.stream().flatMap(list -> ColumnNames.parse(list, policy).stream()).toList();
  }

  /** What could be found, and what of it costs what; refused before anything is measured. */
  List<RangeAdvice> all(Policy policy, BigDecimal epsilon) {
    List<ColumnNames> named = named(policy);
    return RangeAdvice.of(policy, named, epsilon);
  }

  /** Proposes what the policy could say. */
  void advise(Setup setup, Policy policy, BigDecimal epsilon, PrintWriter out, PrintWriter err) {
    List<RangeAdvice> all = all(policy, epsilon);
    if (all.isEmpty()) {
      err.println("collect: every column of numbers has a range, or needs none");
      return;
    }
    try (FlexDp flexdp = setup.open()) {
      for (RangeAdvice one : all) {
        Optional<FoundRange> found = find(flexdp, one, err);
        out.println("advice: " + one.line(found.map(FoundRange::range)));
        out.flush();
      }
    }
  }

  /**
   * Finds the ranges that are named, and keeps each as soon as it is paid for.
   *
   * @param kept those that were found earlier, by table and column
   */
  void release(
      Setup setup,
      Policy policy,
      BigDecimal epsilon,
      Map<String, Map<String, Metrics.FoundRange>> kept,
      Keeper keeper,
      PrintWriter out,
      PrintWriter err)
      throws IOException {
    Map<String, Map<String, Metrics.FoundRange>> all = new HashMap<>();
    kept.forEach((table, columns) -> all.put(table, new HashMap<>(columns)));
    try (FlexDp flexdp = setup.open()) {
      for (RangeAdvice one : all(policy, epsilon)) {
        Optional<FoundRange> found = find(flexdp, one, err);
        if (found.isPresent()) {
          all.computeIfAbsent(one.table().name(), t -> new HashMap<>())
              .put(
                  one.column(),
                  new Metrics.FoundRange(
                      found.get().range(), one.epsilon(), Instant.now().toString()));
          keeper.keep(all);
        }
        out.println(
            one.table().name()
                + "."
                + one.column()
                + ": "
                + found
                    .map(f -> "values are clamped to " + RangeAdvice.words(f.range()))
                    .orElse("no values stand out of the noise"));
        out.flush();
      }
    }
  }

  private static Optional<FoundRange> find(FlexDp flexdp, RangeAdvice one, PrintWriter err) {
    String cost = one.epsilon().stripTrailingZeros().toPlainString();
    try {
      Optional<FoundRange> found = flexdp.findRange(ask(one), one.table(), one.column());
      err.println("collect: that cost " + one.table().name() + " epsilon " + cost);
      return found;
    } catch (Rejection e) {
      err.println("collect: " + e.message());
      return Optional.empty();
    }
  }

  private static QueryRequest ask(RangeAdvice one) {
    QueryOptions options =
        new QueryOptions(
            MechanismChoice.AUTO, Optional.of(one.epsilon()), Optional.empty(), Optional.empty());
    return new QueryRequest("", options, LedgerOptions.owner(), Set.of(), true);
  }
}
