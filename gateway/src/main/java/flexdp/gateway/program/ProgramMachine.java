package flexdp.gateway.program;

import flexdp.policy.Policy.RegisteredProgram;
import java.util.List;

/** What runs programs. It is found on the class path, so that nothing here knows how it does so. */
public interface ProgramMachine {
  /**
   * How many numbers a row has for a module.
   *
   * @throws flexdp.failure.Rejection when it may not run
   */
  int columns(byte[] module, RegisteredProgram limits);

  /**
   * A module, ready to run.
   *
   * @param columns how many numbers a row has
   * @param outputs the functions that are asked for their results
   * @throws flexdp.failure.Rejection when it may not run, or lacks what is called; this follows
   *     from the module alone
   */
  RunnableProgram load(byte[] module, int columns, List<String> outputs, RegisteredProgram limits);
}
