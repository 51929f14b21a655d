package flexdp.wasm;

import com.dylibso.chicory.wasm.WasmModule;
import flexdp.gateway.program.ProgramMachine;
import flexdp.gateway.program.RunnableProgram;
import flexdp.policy.Policy.RegisteredProgram;
import java.util.List;

/** Runs modules in an interpreter that is written in Java. */
public final class ChicoryMachine implements ProgramMachine {
  @Override
  public int columns(byte[] module, RegisteredProgram limits) {
    return ModuleCheck.of(module, limits).columns();
  }

  @Override
  public RunnableProgram load(
      byte[] module, int columns, List<String> outputs, RegisteredProgram limits) {
    ModuleCheck checked = ModuleCheck.of(module, limits);
    checked.require(columns, outputs);
    WasmModule parsed = checked.module();
    LoadedProgram program = new LoadedProgram(parsed, columns, outputs, limits);
    program.requireStart();
    return program;
  }
}
