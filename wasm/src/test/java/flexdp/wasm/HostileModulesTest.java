package flexdp.wasm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.gateway.pause.Pause;
import flexdp.gateway.program.RunnableProgram;
import flexdp.policy.Policy.RegisteredProgram;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Modules that try to be more than a function of their rows. */
class HostileModulesTest {
  private static final List<OptionalDouble> NOTHING = List.of(OptionalDouble.empty());
  private static final double[] ONE_ROW = {1};

  private static List<OptionalDouble> said(String definitions, String body) {
    return Wat.program(Wat.saying(definitions, body), "f").run(ONE_ROW);
  }

  private static void refused(RejectionCode code, String text) {
    Rejection refusal = assertThrows(Rejection.class, () -> Wat.program(text, "f"), text);
    assertEquals(code, refusal.code(), text);
  }

  @Test
  void whatImportsAnythingIsRefused() {
    for (String kind :
        List.of(
            "(func)",
            "(memory 1)",
            "(table 1 funcref)",
            "(global i32)",
            "(func (param i32 i32) (result i32))")) {
      refused(
          RejectionCode.PROGRAM_IMPORTS,
          Wat.saying("(import \"env\" \"it\" " + kind + ")", "(f64.const 1)"));
    }
  }

  @Test
  void whatNeverEndsSaysNothing() {
    assertEquals(NOTHING, said("", "(loop (br 0)) (f64.const 1)"));
    String rows =
        "(module (func (export \"row\") (param f64) (loop (br 0)))"
            + " (func (export \"f\") (result f64) (f64.const 1)))";
    assertEquals(NOTHING, Wat.program(rows, "f").run(ONE_ROW));
    assertEquals(List.of(OptionalDouble.of(1)), Wat.program(rows, "f").run(new double[0]));
  }

  @Test
  void aTrapSaysNothing() {
    for (String trap :
        List.of(
            "unreachable",
            "(drop (i32.div_s (i32.const 1) (i32.const 0))) (f64.const 1)",
            "(drop (i32.trunc_f64_s (f64.const 1e300))) (f64.const 1)",
            "(f64.load (i32.const -8))",
            "(f64.load (i32.const 65529))",
            "(call_indirect (result f64) (i32.const 3))")) {
      assertEquals(NOTHING, said("(memory 1) (table 2 funcref)", trap), trap);
    }
  }

  @Test
  void whatWasSaidBeforeATrapStands() {
    String text =
        "(module (func (export \"row\") (param f64))"
            + " (func (export \"a\") (result f64) (f64.const 2))"
            + " (func (export \"b\") (result f64) unreachable)"
            + " (func (export \"c\") (result f64) (f64.const 3)))";
    assertEquals(
        List.of(OptionalDouble.of(2), OptionalDouble.empty(), OptionalDouble.empty()),
        Wat.program(text, "a", "b", "c").run(ONE_ROW));
  }

  @Test
  void notANumberSaysNothingAndInfinitySomething() {
    assertEquals(NOTHING, said("", "(f64.div (f64.const 0) (f64.const 0))"));
    assertEquals(NOTHING, said("", "(f64.const nan:0x123)"));
    assertEquals(
        List.of(OptionalDouble.of(Double.NEGATIVE_INFINITY)), said("", "(f64.const -inf)"));
  }

  @Test
  void everyNotANumberHasTheSameBits() {
    String bits =
        "(f64.convert_i64_u (i64.shr_u (i64.reinterpret_f64 (f64.add (f64.const nan:0x%s)"
            + " (f64.const nan:0x%s))) (i64.const 1)))";
    List<OptionalDouble> one = said("", bits.formatted("123", "456"));
    List<OptionalDouble> two = said("", bits.formatted("456", "123"));
    assertEquals(one, two);
    assertEquals(
        List.of(OptionalDouble.of((double) (Double.doubleToLongBits(Double.NaN) >>> 1))), one);
    String small =
        "(f64.convert_i32_u (i32.reinterpret_f32 (f32.mul (f32.const nan:0x%s)"
            + " (f32.const nan:0x%s))))";
    assertEquals(said("", small.formatted("12", "34")), said("", small.formatted("34", "12")));
    assertEquals(
        List.of(OptionalDouble.of(Float.floatToIntBits(Float.NaN))),
        said("", small.formatted("12", "34")));
  }

  @Test
  void memoryGrowsNoFurtherThanItMay() {
    assertEquals(
        List.of(OptionalDouble.of(-1)),
        said("(memory 1)", "(f64.convert_i32_s (memory.grow (i32.const 16)))"));
    assertEquals(
        List.of(OptionalDouble.of(16)),
        said(
            "(memory 1)", "(drop (memory.grow (i32.const 15))) (f64.convert_i32_s (memory.size))"));
    assertEquals(
        List.of(OptionalDouble.of(-1)),
        said("(memory 1)", "(f64.convert_i32_s (memory.grow (i32.const -1)))"));
    refused(RejectionCode.PROGRAM_INVALID, Wat.saying("(memory 17)", "(f64.const 1)"));
    refused(RejectionCode.PROGRAM_INVALID, Wat.saying("(memory 65536)", "(f64.const 1)"));
  }

  /**
   * What fills the heap are the rows of other blocks, so that a run which said nothing for want of
   * room would follow them: the question fails instead.
   */
  @Test
  void aFullHeapIsNoTrapOfTheProgram() {
    String text =
        Wat.saying(
            "(memory 1)",
            "(drop (memory.grow (i32.const 32000))) (f64.convert_i32_s (memory.size))");
    RegisteredProgram large = new RegisteredProgram("0".repeat(64), 1_000_000_000L, 2_047);
    RunnableProgram program = new ChicoryMachine().load(Wat.bytes(text), 1, List.of("f"), large);
    assertThrows(OutOfMemoryError.class, () -> program.run(ONE_ROW));
  }

  @Test
  void workOnMuchMemoryCounts() {
    String state = "(memory 16) (global $n (mut i32) (i32.const 0))";
    String fill =
        "(loop (memory.fill (i32.const 0) (i32.const 7) (i32.const %d))"
            + " (global.set $n (i32.add (global.get $n) (i32.const 1)))"
            + " (br_if 0 (i32.lt_u (global.get $n) (i32.const 1000)))) (f64.const 1)";
    assertEquals(List.of(OptionalDouble.of(1)), said(state, fill.formatted(1)));
    assertEquals(NOTHING, said(state, fill.formatted(1 << 20)));
    String grow = "(loop (drop (memory.grow (i32.const 0))) (br 0)) (f64.const 1)";
    assertEquals(NOTHING, said("(memory 16)", grow));
  }

  /** Whatever could hold a bit from one run to the next. */
  @Test
  void nothingIsLeftOfTheRunBefore() {
    for (String keeper :
        List.of(
            "(global $g (mut f64) (f64.const 0))|(global.set $g (f64.add (global.get $g)"
                + " (f64.const 1))) (global.get $g)",
            "(memory 1)|(f64.store (i32.const 0) (f64.add (f64.load (i32.const 0))"
                + " (f64.const 1))) (f64.load (i32.const 0))",
            "(memory 1) (data (i32.const 8) \"\\01\")|(i32.store8 (i32.const 8) (i32.add"
                + " (i32.load8_u (i32.const 8)) (i32.const 1))) (f64.convert_i32_s (i32.load8_u"
                + " (i32.const 8)))",
            "(memory 1)|(drop (memory.grow (i32.const 1))) (f64.convert_i32_s (memory.size))")) {
      String[] parts = keeper.split("\\|");
      RunnableProgram program = Wat.program(Wat.saying(parts[0], parts[1]), "f");
      List<OptionalDouble> first = program.run(ONE_ROW);
      assertTrue(first.getFirst().isPresent(), keeper);
      for (int i = 0; i < 3; i++) {
        assertEquals(first, program.run(ONE_ROW), keeper);
      }
    }
  }

  @Test
  void stateIsNotLeftByARunThatFailed() {
    String text =
        "(module (memory 1) (global $g (mut f64) (f64.const 0))"
            + " (func (export \"row\") (param f64) (global.set $g (local.get 0))"
            + " (f64.store (i32.const 0) (local.get 0))"
            + " (if (f64.eq (local.get 0) (f64.const 5)) (then unreachable)))"
            + " (func (export \"f\") (result f64) (f64.add (global.get $g) (f64.load (i32.const"
            + " 0)))))";
    RunnableProgram program = Wat.program(text, "f");
    assertEquals(NOTHING, program.run(new double[] {5}));
    assertEquals(List.of(OptionalDouble.of(0)), program.run(new double[0]));
    assertEquals(List.of(OptionalDouble.of(4)), program.run(new double[] {2}));
  }

  @Test
  void callsGoOnlySoDeepWhereverTheyAreMade() throws InterruptedException {
    String text =
        "(module (func (export \"row\") (param f64))"
            + " (func $down (param i32) (result f64) (if (result f64) (i32.eqz (local.get 0))"
            + " (then (f64.const 1)) (else (call $down (i32.sub (local.get 0) (i32.const 1))))))"
            + " (func (export \"f\") (result f64) (call $down (i32.const %d))))";
    // The output itself and the last call are two of them.
    int most = ShallowMachine.DEEPEST - 2;
    RunnableProgram deepest = Wat.program(text.formatted(most), "f");
    RunnableProgram deeper = Wat.program(text.formatted(most + 1), "f");
    assertEquals(NOTHING, deeper.run(ONE_ROW));
    AtomicReference<List<OptionalDouble>> said = new AtomicReference<>();
    Thread small = new Thread(null, () -> said.set(deepest.run(ONE_ROW)), "small", 512 << 10);
    small.start();
    small.join();
    assertEquals(List.of(OptionalDouble.of(1)), said.get());
    RunnableProgram endless =
        Wat.program(Wat.saying("(func $g (call $g))", "(call $g) (f64.const 1)"), "f");
    assertEquals(NOTHING, endless.run(ONE_ROW));
  }

  /** Who interrupts a thread at the right moment would see by the answer how far it was. */
  @Test
  void whatAProgramSaysDoesNotDependOnWhetherItsThreadIsInterrupted() throws Exception {
    String text =
        Wat.saying(
            "(global $n (mut i32) (i32.const 0)) (func $g (global.set $n (i32.add (global.get $n)"
                + " (i32.const 1))))",
            "(loop (call $g) (br_if 0 (i32.lt_u (global.get $n) (i32.const 9000)))) (f64.const 1)");
    RunnableProgram program = Wat.program(text, "f");
    assertEquals(List.of(OptionalDouble.of(1)), program.run(ONE_ROW));
    Thread.currentThread().interrupt();
    List<OptionalDouble> interrupted = program.run(ONE_ROW);
    assertTrue(Thread.interrupted(), "it is still known");
    assertEquals(List.of(OptionalDouble.of(1)), interrupted);
    Thread here = Thread.currentThread();
    Thread other =
        new Thread(
            () -> {
              for (int i = 0; i < 300; i++) {
                here.interrupt();
                Pause.briefly(Duration.ofNanos(100_000));
              }
            });
    other.start();
    while (other.isAlive()) {
      assertEquals(List.of(OptionalDouble.of(1)), program.run(ONE_ROW));
    }
    Thread.interrupted();
    other.join();
  }

  @Test
  void theStackOfValuesIsLimited() {
    StringBuilder many = new StringBuilder();
    for (int i = 0; i < 3_000; i++) {
      many.append("(i32.const 1)");
    }
    String text =
        "(func $deep (result i32) " + many + "(call $deep)" + "(i32.add)".repeat(3_000) + ")";
    assertEquals(NOTHING, said(text, "(drop (call $deep)) (f64.const 1)"));
  }

  @Test
  void wrongFunctionsAreRefused() {
    refused(RejectionCode.PROGRAM_INVALID, "(module)");
    refused(
        RejectionCode.PROGRAM_INVALID, "(module (func (export \"f\") (result f64) (f64.const 1)))");
    refused(RejectionCode.PROGRAM_INVALID, "(module (func (export \"row\") (param f64)))");
    for (String row : List.of("", "(param f64 f64)", "(param i32)", "(param f32)", "(param i64)")) {
      refused(
          RejectionCode.PROGRAM_INVALID,
          "(module (func (export \"row\") "
              + row
              + ") (func (export \"f\") (result f64) (f64.const 1)))");
    }
    refused(
        RejectionCode.PROGRAM_INVALID,
        "(module (func (export \"row\") (param f64) (result f64) (f64.const 1))"
            + " (func (export \"f\") (result f64) (f64.const 1)))");
    for (String output :
        List.of(
            "(result i32) (i32.const 1)",
            "",
            "(param i32) (result f64) (f64.const 1)",
            "(result f64 f64) (f64.const 1) (f64.const 1)")) {
      refused(
          RejectionCode.PROGRAM_INVALID,
          "(module (func (export \"row\") (param f64)) (func (export \"f\") " + output + "))");
    }
    refused(
        RejectionCode.PROGRAM_INVALID,
        "(module (func (export \"row\") (param f64)) (memory (export \"f\") 1))");
  }

  @Test
  void startFunctionsAndLargeTablesAreRefused() {
    refused(RejectionCode.PROGRAM_INVALID, Wat.saying("(func $s) (start $s)", "(f64.const 1)"));
    refused(
        RejectionCode.PROGRAM_INVALID,
        Wat.saying("(func $s (loop (br 0))) (start $s)", "(f64.const 1)"));
    refused(RejectionCode.PROGRAM_INVALID, Wat.saying("(table 10001 funcref)", "(f64.const 1)"));
    refused(
        RejectionCode.PROGRAM_INVALID, Wat.saying("(table 4000000000 funcref)", "(f64.const 1)"));
  }

  @Test
  void whatCannotBeginIsRefused() {
    refused(
        RejectionCode.PROGRAM_INVALID,
        Wat.saying("(memory 1) (data (i32.const 65536) \"x\")", "(f64.const 1)"));
    refused(
        RejectionCode.PROGRAM_INVALID,
        Wat.saying("(func $g) (table 1 funcref) (elem (i32.const 1) $g)", "(f64.const 1)"));
  }

  /** Instructions that keep things, wait for a clock, or take memory that nobody counts. */
  @Test
  void instructionsThatAreNotListedAreRefused() {
    String passive = "(memory 1) (data $d \"x\")";
    refused(RejectionCode.PROGRAM_INVALID, Wat.saying(passive, "(data.drop $d) (f64.const 1)"));
    refused(
        RejectionCode.PROGRAM_INVALID,
        Wat.saying(
            passive, "(memory.init $d (i32.const 0) (i32.const 0) (i32.const 1)) (f64.const 1)"));
    String table = "(func $g) (table $t 1 funcref) (elem $e func $g)";
    for (String instruction :
        List.of(
            "(elem.drop $e)",
            "(drop (table.grow $t (ref.null func) (i32.const 100000)))",
            "(table.set $t (i32.const 0) (ref.null func))",
            "(table.fill $t (i32.const 0) (ref.null func) (i32.const 1))",
            "(drop (table.get $t (i32.const 0)))",
            "(drop (ref.is_null (ref.func $g)))",
            "(drop (i32x4.splat (i32.const 1)))",
            "(drop (v128.const i32x4 1 2 3 4))")) {
      refused(RejectionCode.PROGRAM_INVALID, Wat.saying(table, instruction + " (f64.const 1)"));
    }
  }

  @Test
  void manyLocalsAndLongModulesAreRefused() {
    refused(
        RejectionCode.PROGRAM_INVALID,
        Wat.saying("(func $l " + "(local i64)".repeat(1_001) + ")", "(f64.const 1)"));
    ChicoryMachine machine = new ChicoryMachine();
    byte[] module = Wat.bytes(Wat.saying("", "(f64.const 1)"));
    byte[] padded = java.util.Arrays.copyOf(module, (4 << 20) + 1);
    assertThrows(Rejection.class, () -> machine.load(padded, 1, List.of("f"), Wat.SMALL));
  }

  @Test
  void whatIsNoModuleIsRefused() {
    ChicoryMachine machine = new ChicoryMachine();
    byte[] module = Wat.bytes(Wat.saying("(memory 1)", "(f64.load (i32.const 0))"));
    for (int length = 0; length < module.length; length++) {
      byte[] cut = java.util.Arrays.copyOf(module, length);
      assertThrows(Rejection.class, () -> machine.load(cut, 1, List.of("f"), Wat.SMALL));
    }
    java.util.Random random = new java.util.Random(18);
    for (int i = 0; i < 3_000; i++) {
      byte[] changed = module.clone();
      for (int j = 0; j <= random.nextInt(3); j++) {
        changed[random.nextInt(changed.length)] = (byte) random.nextInt(256);
      }
      try {
        RunnableProgram program = machine.load(changed, 1, List.of("f"), Wat.SMALL);
        assertEquals(program.run(ONE_ROW), program.run(ONE_ROW));
      } catch (Rejection expected) {
        assertTrue(expected.code().name().startsWith("PROGRAM_"));
      }
    }
  }
}
