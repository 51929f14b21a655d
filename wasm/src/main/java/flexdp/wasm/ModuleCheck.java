package flexdp.wasm;

import com.dylibso.chicory.wasm.Parser;
import com.dylibso.chicory.wasm.WasmModule;
import com.dylibso.chicory.wasm.types.AnnotatedInstruction;
import com.dylibso.chicory.wasm.types.ExternalType;
import com.dylibso.chicory.wasm.types.FunctionBody;
import com.dylibso.chicory.wasm.types.FunctionType;
import com.dylibso.chicory.wasm.types.OpCode;
import com.dylibso.chicory.wasm.types.ValType;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.policy.Policy.RegisteredProgram;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What may run: numbers, calls and one memory of bounded size. Everything else is refused, whatever
 * it does: imports, threads and their clocks, exceptions, references, tables that change, vectors.
 */
final class ModuleCheck {
  /** The function that takes the rows, one after the other. */
  static final String ROW = "row";

  private static final int LONGEST = 4 << 20;
  private static final int MOST_LOCALS = 1_000;
  private static final int MOST_TABLE = 10_000;
  private static final int MOST_TABLES = 4;
  private static final int PAGES_PER_MEGABYTE = 16;

  private static final Set<String> NUMBERS = Set.of("I32_", "I64_", "F32_", "F64_");
  private static final Set<OpCode> OTHERS =
      Set.of(
          OpCode.UNREACHABLE,
          OpCode.NOP,
          OpCode.BLOCK,
          OpCode.LOOP,
          OpCode.IF,
          OpCode.ELSE,
          OpCode.END,
          OpCode.BR,
          OpCode.BR_IF,
          OpCode.BR_TABLE,
          OpCode.RETURN,
          OpCode.CALL,
          OpCode.CALL_INDIRECT,
          OpCode.DROP,
          OpCode.SELECT,
          OpCode.LOCAL_GET,
          OpCode.LOCAL_SET,
          OpCode.LOCAL_TEE,
          OpCode.GLOBAL_GET,
          OpCode.GLOBAL_SET,
          OpCode.MEMORY_SIZE,
          OpCode.MEMORY_GROW,
          OpCode.MEMORY_COPY,
          OpCode.MEMORY_FILL);

  private final WasmModule module;

  private ModuleCheck(WasmModule module) {
    this.module = module;
  }

  static ModuleCheck of(byte[] bytes, RegisteredProgram limits) {
    if (bytes.length > LONGEST) {
      throw invalid("The module has more than " + (LONGEST >> 20) + " MB.");
    }
    try {
      ModuleCheck check = new ModuleCheck(Parser.parse(bytes));
      check.imports();
      check.memory(limits);
      check.tables();
      check.code();
      check.columns();
      return check;
    } catch (Rejection e) {
      throw e;
    } catch (RuntimeException | StackOverflowError e) {
      throw invalid("The file is not a valid WebAssembly module.");
    }
  }

  WasmModule module() {
    return module;
  }

  private void imports() {
    if (module.importSection().importCount() > 0) {
      throw Rejection.of(
          RejectionCode.PROGRAM_IMPORTS,
          "The module imports something: a program has nothing but its rows.",
          "Build it without imports: no clock, files, output or random numbers (for Rust the"
              + " target wasm32-unknown-unknown).");
    }
  }

  private void memory(RegisteredProgram limits) {
    int most = pages(limits);
    module
        .memorySection()
        .ifPresent(
            section -> {
              for (int i = 0; i < section.memoryCount(); i++) {
                var memory = section.getMemory(i).limits();
                if (i > 0 || memory.shared() || memory.initialPages() > most) {
                  throw invalid(
                      "The module wants more than one memory of "
                          + limits.megabytes()
                          + " MB, or shares it.");
                }
              }
            });
  }

  /** The most pages that a run may have. */
  static int pages(RegisteredProgram limits) {
    return limits.megabytes() * PAGES_PER_MEGABYTE;
  }

  private void tables() {
    var section = module.tableSection();
    if (section.tableCount() > MOST_TABLES) {
      throw invalid("The module has more than " + MOST_TABLES + " tables.");
    }
    for (int i = 0; i < section.tableCount(); i++) {
      if (section.getTable(i).limits().min() > MOST_TABLE) {
        throw invalid("A table of the module has more than " + MOST_TABLE + " entries.");
      }
    }
  }

  private void code() {
    if (module.startSection().isPresent()) {
      throw invalid("The module has a start function, which is never called.");
    }
    for (int i = 0; i < module.codeSection().functionBodyCount(); i++) {
      FunctionBody body = module.codeSection().getFunctionBody(i);
      if (body.localTypes().size() > MOST_LOCALS) {
        throw invalid("A function of the module has more than " + MOST_LOCALS + " locals.");
      }
      for (AnnotatedInstruction instruction : body.instructions()) {
        if (!isAllowed(instruction.opcode())) {
          throw invalid(
              "The module has an instruction that programs may not have: "
                  + instruction.opcode().name().toLowerCase(java.util.Locale.ROOT)
                  + ".");
        }
      }
    }
  }

  private static boolean isAllowed(OpCode code) {
    String name = code.name();
    return OTHERS.contains(code)
        || NUMBERS.stream().anyMatch(name::startsWith) && !name.contains("ATOMIC");
  }

  /** How many numbers a row has. */
  int columns() {
    FunctionType row =
        function(ROW).orElseThrow(() -> invalid("The module exports no function 'row'."));
    if (!row.returns().isEmpty() || !row.params().stream().allMatch(ValType.F64::equals)) {
      throw invalid("The function 'row' has to take f64 numbers and to return nothing.");
    }
    return row.params().size();
  }

  void require(int columns, List<String> outputs) {
    if (columns() != columns) {
      throw invalid(
          "The function 'row' takes "
              + columns()
              + " numbers, but the rows have "
              + columns
              + " columns beside those of --by.");
    }
    for (String output : outputs) {
      FunctionType type =
          function(output)
              .orElseThrow(() -> invalid("The module exports no function '" + output + "'."));
      if (!type.params().isEmpty()
          || !type.returns().equals(Collections.singletonList(ValType.F64))) {
        throw invalid("The function '" + output + "' has to take nothing and to return an f64.");
      }
    }
  }

  private Optional<FunctionType> function(String name) {
    for (int i = 0; i < module.exportSection().exportCount(); i++) {
      var export = module.exportSection().getExport(i);
      if (export.name().equals(name)
          && export.exportType() == ExternalType.FUNCTION
          && export.index() >= 0
          && export.index() < module.functionSection().functionCount()) {
        return Optional.of(
            module.functionSection().getFunctionType(export.index(), module.typeSection()));
      }
    }
    return Optional.empty();
  }

  static Rejection invalid(String message) {
    return Rejection.of(
        RejectionCode.PROGRAM_INVALID,
        message,
        "A module exports row(f64, …) and a function () -> f64 for each output, and uses plain"
            + " numbers and one memory.");
  }
}
