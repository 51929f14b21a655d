package flexdp.hash;

import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.Function;
import flexdp.policy.Type;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The hash of some values, a whole number from 0 to 2⁶⁰ − 1: the first sixty bits of the SHA-256 of
 * how they are written, in UTF-8. Every database has SHA-256, and none refuses it.
 *
 * <p>Values are written as text, one after the other with a comma between them: NULL as {@code -},
 * every other value as {@code +} and then
 *
 * <ul>
 *   <li>text as its own hash, in digits, so that what is put together stays short;
 *   <li>whole numbers, decimals, truth values, dates, timestamps and UUIDs as CAST writes them;
 *   <li>floats as their whole part and the 2³⁰ths above it, as CAST writes whole numbers; those
 *       from 10¹⁵ on as {@code <} or {@code >} alone;
 *   <li>times of day, intervals and values without operators as nothing.
 * </ul>
 *
 * Different values may be written alike, so whoever needs a total order sorts by the values next.
 * What was measured by this hash says so by {@link #NAME}; another way of writing needs another
 * name.
 */
public final class PortableHash {
  /** Names the hash and how values are written in it. */
  public static final String NAME = "sha256/1";

  /** How many bits a hash has. */
  public static final int BITS = 60;

  private static final double LARGE = 1e15;
  private static final double PARTS = 1L << 30;

  private PortableHash() {}

  /** The hash of one text. */
  public static long of(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      long first = 0;
      for (int i = 0; i < Long.BYTES; i++) {
        first = first << Byte.SIZE | digest[i] & 0xff;
      }
      return first >>> (Long.SIZE - BITS);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** The hash of values in this order, as an expression of type BIGINT that is never NULL. */
  public static Expr of(List<Expr> values) {
    List<Expr> parts = new ArrayList<>();
    for (Expr value : values) {
      if (!parts.isEmpty()) {
        parts.add(Exprs.text(","));
      }
      parts.add(written(value));
    }
    return hash(together(parts));
  }

  /** Which of so many blocks, from 0 on, values belong to: of type BIGINT and never NULL. */
  public static Expr block(List<Expr> values, int count) {
    Expr rest = Exprs.call(Function.MOD, Type.BIGINT, of(values), whole(count));
    // The rest of a hash is never NULL, but of divisions that is not known.
    return Exprs.call(Function.COALESCE, Type.BIGINT, rest, whole(0));
  }

  private static Expr whole(int number) {
    return Exprs.as(Exprs.integer(number), Type.BIGINT);
  }

  private static Expr written(Expr value) {
    return switch (value.type().kind()) {
      case VARCHAR -> there(digits(hash(value)));
      case BOOLEAN, SMALLINT, INTEGER, BIGINT, DECIMAL, DATE, TIMESTAMP, UUID ->
          there(Exprs.as(value, Type.VARCHAR));
      case DOUBLE -> real(value);
      case TIME, INTERVAL_MONTHS, INTERVAL_MICROS, OPAQUE ->
          new Expr.Case(
              List.of(new Expr.Case.Branch(Exprs.test(Function.IS_NULL, value), Exprs.text("-"))),
              Optional.of(Exprs.text("+")),
              Type.VARCHAR);
      case NULL -> Exprs.text("-");
    };
  }

  private static Expr real(Expr value) {
    Expr whole = Exprs.call(Function.FLOOR, Type.DOUBLE, value);
    Expr part =
        Exprs.call(
            Function.TIMES,
            Type.DOUBLE,
            Exprs.call(Function.MINUS, Type.DOUBLE, value, whole),
            number(PARTS));
    // Products that underflow have no value on some databases.
    Expr below = Exprs.call(Function.FLOOR, Type.DOUBLE, part);
    Expr written =
        together(
            List.of(
                Exprs.text("+"),
                digits(Exprs.as(whole, Type.BIGINT)),
                Exprs.text("/"),
                digits(
                    Exprs.call(
                        Function.COALESCE,
                        Type.BIGINT,
                        Exprs.as(below, Type.BIGINT),
                        Exprs.as(Exprs.integer(0), Type.BIGINT)))));
    return new Expr.Case(
        List.of(
            new Expr.Case.Branch(Exprs.test(Function.IS_NULL, value), Exprs.text("-")),
            new Expr.Case.Branch(Exprs.test(Function.GE, value, number(LARGE)), Exprs.text("+>")),
            new Expr.Case.Branch(Exprs.test(Function.LE, value, number(-LARGE)), Exprs.text("+<"))),
        Optional.of(written),
        Type.VARCHAR);
  }

  private static Expr there(Expr text) {
    return Exprs.call(
        Function.COALESCE, Type.VARCHAR, together(List.of(Exprs.text("+"), text)), Exprs.text("-"));
  }

  private static Expr number(double value) {
    return new Expr.Literal(value, Type.DOUBLE);
  }

  private static Expr digits(Expr whole) {
    return Exprs.as(whole, Type.VARCHAR);
  }

  private static Expr together(List<Expr> parts) {
    return parts.size() == 1
        ? parts.getFirst()
        : new Expr.Call(Function.CONCAT, parts, Type.VARCHAR);
  }

  private static Expr hash(Expr text) {
    return Exprs.call(Function.HASH, Type.BIGINT, text);
  }
}
