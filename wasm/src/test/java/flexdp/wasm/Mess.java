package flexdp.wasm;

import flexdp.gateway.api.ProgramRequest.ProgramModule;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A program whose results jump about with every row it sees: a mess of all numbers of all rows,
 * from −13 to 13 in steps of a thousandth. It has the outputs a, b and c; now and then they trap,
 * and c is now and then NaN.
 */
public final class Mess {
  /** The most numbers that a row may have. */
  public static final int MOST = 4;

  private Mess() {}

  /** For rows of so many numbers. */
  public static ProgramModule module(int columns) {
    return new ProgramModule(bytes(columns));
  }

  static byte[] bytes(int columns) {
    String mixing =
        IntStream.range(0, columns)
            .mapToObj(i -> "(call $mix (i64.reinterpret_f64 (local.get %d)))".formatted(i))
            .collect(Collectors.joining("\n    "));
    return Wat.bytes(
        """
        (module
          (global $h (mut i64) (i64.const 88172645463325252))
          (func $mix (param $v i64)
            (global.set $h (i64.mul (i64.xor (global.get $h) (local.get $v)) (i64.const 1099511628211)))
            (global.set $h (i64.xor (global.get $h) (i64.shr_u (global.get $h) (i64.const 29)))))
          (func (export "row") (param%s)
            %s)
          (func $out (result f64)
            (call $mix (i64.const 77))
            (if (i64.eqz (i64.rem_u (global.get $h) (i64.const 7))) (then unreachable))
            (f64.sub (f64.div (f64.convert_i64_u (i64.rem_u (global.get $h) (i64.const 26001)))
              (f64.const 1000)) (f64.const 13)))
          (func (export "a") (result f64) (call $out))
          (func (export "b") (result f64) (call $out))
          (func (export "c") (result f64)
            (call $mix (i64.const 78))
            (if (result f64) (i64.eqz (i64.rem_u (global.get $h) (i64.const 3)))
              (then (f64.const nan)) (else (call $out)))))
        """
            .formatted(" f64".repeat(columns), mixing));
  }
}
