package flexdp.facts;

/**
 * How long a text can be, in bytes of UTF-8: at most {@code (stored + folded) · L + constant},
 * where L is the longest text that any table holds.
 *
 * <p>Other case makes a character up to three times as long (ΐ in capitals is three characters),
 * but only once: what it has become changes one for one. So {@code folded} counts what is left
 * after any such changes, and {@code stored} what they can still lengthen.
 */
record TextLength(long stored, long folded, long constant) {
  /** The most that a text may grow; from 15 MB, four bytes a byte, to the 1 GB of PostgreSQL. */
  static final TextLength MOST = new TextLength(16, 0, 1_000_000);

  /** The most for all computed texts of a row, which databases sort and compare in one piece. */
  static final TextLength WIDEST = new TextLength(256, 0, 16_000_000);

  static final TextLength NONE = new TextLength(0, 0, 0);

  /** A column of a table. */
  static final TextLength STORED = new TextLength(1, 0, 0);

  /** Any value but a text, as text; the longest is a double written without an exponent. */
  static final TextLength CONVERTED = constant(400);

  private static final long CASES = 3;

  static TextLength constant(long bytes) {
    return new TextLength(0, 0, bytes);
  }

  private long times() {
    return stored + folded;
  }

  boolean isConstant() {
    return times() == 0;
  }

  boolean isWithin(TextLength limit) {
    return times() <= limit.times() && constant <= limit.constant;
  }

  /** One after the other. */
  TextLength plus(TextLength other) {
    return new TextLength(stored + other.stored, folded + other.folded, constant + other.constant);
  }

  /** Either. */
  TextLength or(TextLength other) {
    return new TextLength(
        Math.max(stored, other.stored),
        Math.max(folded, other.folded),
        Math.max(constant, other.constant));
  }

  /** Of two bounds that both hold, the one that leaves more room. */
  TextLength and(TextLength other) {
    return share() <= other.share() ? this : other;
  }

  private double share() {
    return Math.max((double) times() / MOST.times(), (double) constant / MOST.constant);
  }

  TextLength inOtherCase() {
    return new TextLength(0, folded + CASES * stored, CASES * constant);
  }

  /** With as many bytes as {@code from}, wherever they stand, replaced by a constant length. */
  TextLength replaced(long from, long by) {
    if (by == 0) {
      return this;
    }
    long factor = Math.max(1, Math.ceilDiv(by, from));
    return new TextLength(factor * times(), 0, factor * constant);
  }

  /** So many times one after the other. */
  TextLength repeated(long count) {
    return new TextLength(count * stored, count * folded, count * constant);
  }
}
