package flexdp.wasm;

import com.dylibso.chicory.runtime.ExecutionListener;
import com.dylibso.chicory.runtime.MStack;
import com.dylibso.chicory.wasm.types.Instruction;
import com.dylibso.chicory.wasm.types.OpCode;
import com.dylibso.chicory.wasm.types.Value;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.IntSupplier;

/**
 * Counts instructions, and ends a run that takes too many of them. Those that work on much memory
 * count for as many as that is worth. NaN has one form: which bits a sum of two has depends on how
 * Java compiled the addition.
 */
final class Meter implements ExecutionListener {
  /** Values that a run may have on its stack. */
  private static final int MOST_VALUES = 200_000;

  private static final int BYTES_PER_INSTRUCTION = 256;
  private static final int PAGE = 65_536;
  private static final long NAN64 = Double.doubleToLongBits(Double.NaN);
  private static final long NAN32 = Value.floatToLong(Float.NaN);

  private static final Set<OpCode> DOUBLES =
      EnumSet.of(
          OpCode.F64_ADD,
          OpCode.F64_SUB,
          OpCode.F64_MUL,
          OpCode.F64_DIV,
          OpCode.F64_SQRT,
          OpCode.F64_MIN,
          OpCode.F64_MAX,
          OpCode.F64_CEIL,
          OpCode.F64_FLOOR,
          OpCode.F64_TRUNC,
          OpCode.F64_NEAREST,
          OpCode.F64_PROMOTE_F32);
  private static final Set<OpCode> FLOATS =
      EnumSet.of(
          OpCode.F32_ADD,
          OpCode.F32_SUB,
          OpCode.F32_MUL,
          OpCode.F32_DIV,
          OpCode.F32_SQRT,
          OpCode.F32_MIN,
          OpCode.F32_MAX,
          OpCode.F32_CEIL,
          OpCode.F32_FLOOR,
          OpCode.F32_TRUNC,
          OpCode.F32_NEAREST,
          OpCode.F32_DEMOTE_F64);

  private long left;
  private OpCode before = OpCode.NOP;

  private final int most;
  private IntSupplier pages = () -> 0;

  /**
   * @param most pages that the memory can have
   */
  Meter(long instructions, int most) {
    this.left = instructions;
    this.most = most;
  }

  /** How large the memory is: to make it larger is to copy it. */
  void watch(IntSupplier size) {
    this.pages = size;
  }

  @Override
  public void onExecution(Instruction instruction, MStack stack) {
    if (DOUBLES.contains(before)) {
      if (Double.isNaN(Value.longToDouble(stack.peek()))) {
        stack.pop();
        stack.push(NAN64);
      }
    } else if (FLOATS.contains(before)) {
      if (Float.isNaN(Value.longToFloat(stack.peek()))) {
        stack.pop();
        stack.push(NAN32);
      }
    }
    before = instruction.opcode();
    left -= 1 + work(stack);
    if (left < 0 || stack.size() > MOST_VALUES) {
      throw new Ended();
    }
  }

  /** What the instruction is worth beyond itself. */
  private long work(MStack stack) {
    return switch (before) {
      case MEMORY_FILL, MEMORY_COPY ->
          Integer.toUnsignedLong((int) stack.peek()) / BYTES_PER_INSTRUCTION;
      case MEMORY_GROW ->
          (pages.getAsInt() + Math.min(most, Integer.toUnsignedLong((int) stack.peek())))
              * (PAGE / BYTES_PER_INSTRUCTION);
      default -> 0;
    };
  }
}
