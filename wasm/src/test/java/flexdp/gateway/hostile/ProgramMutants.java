package flexdp.gateway.hostile;

import flexdp.gateway.program.ProgramMachine;
import flexdp.gateway.program.RunnableProgram;
import flexdp.policy.Policy.RegisteredProgram;
import flexdp.wasm.ChicoryMachine;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.UnaryOperator;

/** Ways to read and run programs that would give rows away. */
final class ProgramMutants {
  static final List<Mutant> READINGS =
      List.of(
          new Mutant(
              "blocks are numbered by the order of rows",
              List.of(
                  new Mutant.Edit(
                      "ProgramReading",
                      "SortedMap<BigInteger, BlockRows> blocks = new TreeMap<>();",
                      "SortedMap<BigInteger, BlockRows> blocks = new TreeMap<>(); var seen = new"
                          + " java.util.concurrent.atomic.AtomicInteger();"),
                  new Mutant.Edit(
                      "ProgramReading",
                      "block.toBigInteger(),",
                      "BigInteger.valueOf(block.signum() * 0 + seen.getAndIncrement() %"
                          + " shape.count()),")),
              List.of()),
          Mutant.of(
              "a failure of the program is told",
              "ProgramReading",
              ".map(v -> within(v, of)).orElse(of.fallback())",
              ".map(v -> within(v, of)).orElseThrow()"),
          Mutant.of(
              "a row emits to every output",
              "ProgramReading",
              "i < asked.outputs().size() && emitted < shape.emits()",
              "i < asked.outputs().size()"));

  private ProgramMutants() {}

  /** Results follow from the blocks before, too. */
  static ProgramMachine remembering() {
    double[] seen = new double[1];
    return changed(
        program ->
            rows -> {
              seen[0] = (31 * seen[0] + Arrays.hashCode(rows)) % 1_000_003;
              return program.run(rows).stream()
                  .map(said -> OptionalDouble.of(seen[0] % 2 == 0 ? 1e15 : -1e15))
                  .toList();
            });
  }

  /** What is infinite stops everything. */
  static ProgramMachine failing() {
    return changed(
        program ->
            rows -> {
              if (Arrays.stream(rows).anyMatch(n -> Double.isNaN(n) || n > 1e9)) {
                throw new ArithmeticException("too large");
              }
              return program.run(rows);
            });
  }

  private static ProgramMachine changed(UnaryOperator<RunnableProgram> change) {
    ProgramMachine whole = new ChicoryMachine();
    return new ProgramMachine() {
      @Override
      public int columns(byte[] module, RegisteredProgram limits) {
        return whole.columns(module, limits);
      }

      @Override
      public RunnableProgram load(
          byte[] module, int columns, List<String> outputs, RegisteredProgram limits) {
        return change.apply(whole.load(module, columns, outputs, limits));
      }
    };
  }
}
