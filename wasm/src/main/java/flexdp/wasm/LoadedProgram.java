package flexdp.wasm;

import com.dylibso.chicory.runtime.ByteArrayMemory;
import com.dylibso.chicory.runtime.ChicoryInterruptedException;
import com.dylibso.chicory.runtime.ExportFunction;
import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.runtime.alloc.ExactMemAllocStrategy;
import com.dylibso.chicory.wasm.WasmModule;
import com.dylibso.chicory.wasm.types.MemoryLimits;
import com.dylibso.chicory.wasm.types.Value;
import flexdp.gateway.program.RunnableProgram;
import flexdp.policy.Policy.RegisteredProgram;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalDouble;

/**
 * A module that was checked. Every run has an instance of its own, so that nothing is left of the
 * one before: the rows are given one after the other, then each output is asked for. Whatever goes
 * wrong ends the run, and what was not said by then is not said at all.
 */
final class LoadedProgram implements RunnableProgram {
  /** Held by runs for which there was no room beside others. */
  private static final Object ALONE = new Object();

  private final WasmModule module;
  private final int columns;
  private final List<String> outputs;
  private final RegisteredProgram limits;

  LoadedProgram(WasmModule module, int columns, List<String> outputs, RegisteredProgram limits) {
    this.module = module;
    this.columns = columns;
    this.outputs = List.copyOf(outputs);
    this.limits = limits;
  }

  /** Refuses what cannot even begin: that follows from the module alone. */
  void requireStart() {
    try {
      instance();
    } catch (RuntimeException | StackOverflowError e) {
      throw ModuleCheck.invalid("The module cannot be started.");
    }
  }

  /**
   * The interpreter ends when its thread is interrupted. That is no trap of the program: taken for
   * one, answers would follow the moment of it. So it is run again, and the thread told after.
   *
   * <p>Neither is a full heap: a run's own memory is counted, and what else is there are others'
   * rows. It is run again alone; where there is no room even then, the question fails.
   */
  @Override
  public List<OptionalDouble> run(double[] rows) {
    boolean interrupted = false;
    boolean crowded = false;
    try {
      while (true) {
        interrupted |= Thread.interrupted();
        try {
          return crowded ? alone(rows) : undisturbed(rows);
        } catch (ChicoryInterruptedException e) {
          interrupted = true;
        } catch (OutOfMemoryError e) {
          if (crowded) {
            throw e;
          }
          crowded = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private List<OptionalDouble> alone(double[] rows) {
    synchronized (ALONE) {
      return undisturbed(rows);
    }
  }

  private List<OptionalDouble> undisturbed(double[] rows) {
    List<OptionalDouble> said =
        new ArrayList<>(Collections.nCopies(outputs.size(), OptionalDouble.empty()));
    try {
      Instance instance = instance();
      ExportFunction row = instance.export(ModuleCheck.ROW);
      for (int at = 0; at + columns <= rows.length; at += Math.max(1, columns)) {
        long[] arguments = new long[columns];
        for (int i = 0; i < columns; i++) {
          arguments[i] = Value.doubleToLong(rows[at + i]);
        }
        row.apply(arguments);
      }
      for (int i = 0; i < outputs.size(); i++) {
        double value = Value.longToDouble(instance.export(outputs.get(i)).apply()[0]);
        said.set(i, Double.isNaN(value) ? OptionalDouble.empty() : OptionalDouble.of(value));
      }
    } catch (ChicoryInterruptedException e) {
      throw e;
    } catch (RuntimeException | StackOverflowError e) {
      // A trap, or too many instructions: that there was one must not be seen from outside.
      return said;
    }
    return said;
  }

  private Instance instance() {
    Meter meter = new Meter(limits.instructions(), ModuleCheck.pages(limits));
    Instance.Builder builder =
        Instance.builder(module)
            .withStart(false)
            .withUnsafeExecutionListener(meter)
            .withMachineFactory(ShallowMachine::new)
            .withMemoryFactory(memory -> new ByteArrayMemory(memory, new ExactMemAllocStrategy()));
    module
        .memorySection()
        .ifPresent(
            section -> {
              MemoryLimits wanted = section.getMemory(0).limits();
              int most = Math.min(wanted.maximumPages(), ModuleCheck.pages(limits));
              builder.withMemoryLimits(new MemoryLimits(wanted.initialPages(), most));
            });
    Instance instance = builder.build();
    if (module.memorySection().isPresent()) {
      meter.watch(instance.memory()::pages);
    }
    return instance;
  }
}
