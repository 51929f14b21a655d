package flexdp.gateway.render;

import java.math.BigInteger;

/** A cell of a release statement in whole steps of its grid, for what people contribute. */
final class WholeCell {
  private WholeCell() {}

  /**
   * @param bits a database without wide numbers may keep it below 2^bits
   */
  static String sql(TargetDialect dialect, ReleaseStatement.Cell cell, int bits) {
    BigInteger perUnit =
        cell.clamped()
            .map(c -> c.step().divide(cell.grid()).toBigIntegerExact())
            .orElse(BigInteger.ONE);
    String sum = of(dialect, "a" + cell.measurement(), perUnit, bits);
    if (cell.shift().isEmpty()) {
      return sum;
    }
    // A person's rows times the middle of a range outgrow 64 bits where both are large.
    String rows = dialect.wide("COALESCE(b" + cell.measurement() + ", 0)");
    return "(" + sum + " - " + dialect.whole(rows, cell.shift().get(), bits) + ")";
  }

  static String of(TargetDialect dialect, String column, BigInteger times, int bits) {
    return dialect.whole("COALESCE(" + column + ", 0)", times, bits);
  }
}
