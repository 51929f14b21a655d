package flexdp.wasm;

import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.runtime.InterpreterMachine;
import com.dylibso.chicory.runtime.MStack;
import com.dylibso.chicory.runtime.StackFrame;
import java.util.Deque;

/**
 * An interpreter whose calls go only so deep. Where Java's own stack ends depends on what was
 * compiled by then, and so on time.
 */
final class ShallowMachine extends InterpreterMachine {
  static final int DEEPEST = 250;

  private int depth;

  ShallowMachine(Instance instance) {
    super(instance);
  }

  @Override
  protected void eval(MStack stack, Instance instance, Deque<StackFrame> calls) {
    if (++depth > DEEPEST) {
      throw new Ended();
    }
    super.eval(stack, instance, calls);
    depth--;
  }
}
