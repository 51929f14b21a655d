package flexdp.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Says how to measure speed; the launcher of a source tree builds the benchmarks and runs them. */
@Command(
    name = "bench",
    description = "Measures speed, side by side in one run; writes dated files.",
    mixinStandardHelpOptions = true,
    footer = {"", "Example: flexdp bench ask --scale 0.1"})
final class BenchCommand implements Runnable {
  @Spec CommandSpec spec;

  @Parameters(
      paramLabel = "NAME",
      arity = "0..*",
      description = {
        "Which benchmarks (default: all): analysis, growth, start, ledger, repeat, windows,",
        "workloads, ask, types, http, page, wire, people, peers, questions."
      })
  String[] names;

  @Option(
      names = "--scale",
      paramLabel = "N",
      description = "Scale of TPC-H; from 1 on PostgreSQL takes part.")
  double scale = 0.1;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "The benchmarks run from a source tree: ./flexdp bench");
  }
}
