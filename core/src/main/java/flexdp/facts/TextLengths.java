package flexdp.facts;

import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.failure.Patience;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The lengths of the texts that expressions make, from those of the columns they read. */
final class TextLengths {
  private static final long BYTES_PER_CHARACTER = 4;

  private final Map<Integer, TextLength> columns = new HashMap<>();

  void put(Column column, TextLength length) {
    columns.put(column.id(), length);
  }

  /**
   * The length of an expression that is a text; of others nothing is kept.
   *
   * @throws flexdp.failure.Rejection when it, or any part of it, could grow too long
   */
  TextLength of(Expr expr) {
    Patience.step();
    TextLength length =
        switch (expr) {
          case Expr.Ref ref -> column(ref);
          case Expr.Literal l ->
              l.value() instanceof String s ? TextLength.constant(bytes(s)) : TextLength.NONE;
          case Expr.Cast cast -> asText(cast.operand());
          case Expr.Case c -> {
            c.branches().forEach(b -> of(b.condition()));
            yield longest(c.branches().stream().map(Expr.Case.Branch::value).toList())
                .or(longest(c.otherwise().stream().toList()));
          }
          case Expr.Call call -> call(call);
        };
    return isText(expr) ? within(length) : TextLength.NONE;
  }

  TextLength longest(List<? extends Expr> exprs) {
    return exprs.stream().map(this::asText).reduce(TextLength.NONE, TextLength::or);
  }

  private TextLength column(Expr.Ref ref) {
    if (isText(ref) && !columns.containsKey(ref.column())) {
      throw new IllegalStateException("a text of unknown length: column " + ref.column());
    }
    return columns.getOrDefault(ref.column(), TextLength.NONE);
  }

  /** Values of other types are converted where a text is needed. */
  private TextLength asText(Expr expr) {
    TextLength length = of(expr);
    return isText(expr) ? length : TextLength.CONVERTED;
  }

  private static boolean isText(Expr expr) {
    return expr.type().kind() == Type.Kind.VARCHAR;
  }

  private static TextLength within(TextLength length) {
    if (!length.isWithin(TextLength.MOST)) {
      throw TextGrowth.tooLong("A text could grow too long for the database.");
    }
    return length;
  }

  private TextLength call(Expr.Call call) {
    List<Expr> arguments = call.arguments();
    List<TextLength> lengths = arguments.stream().map(this::asText).toList();
    return switch (call.function().text()) {
      case NO_TEXT -> TextLength.NONE;
      case FIRST -> lengths.getFirst();
      case LONGEST -> lengths.stream().reduce(TextLength.NONE, TextLength::or);
      case TOGETHER -> lengths.stream().reduce(TextLength.NONE, TextLength::plus);
      case OTHER_CASE -> lengths.getFirst().inOtherCase();
      case MATCHED_IN_OTHER_CASE -> within(lengths.getFirst().inOtherCase());
      case CUT -> cut(lengths.getFirst(), call);
      case REPLACED -> replaced(lengths.get(0), arguments.get(1), lengths.get(2));
    };
  }

  /** A text that is not known beforehand may be one byte long; the empty one is found nowhere. */
  private static TextLength replaced(TextLength text, Expr from, TextLength by) {
    long found = from instanceof Expr.Literal l && l.value() instanceof String s ? bytes(s) : 1;
    long searched = Math.max(1, found);
    if (by.isConstant()) {
      return text.replaced(searched, by.constant());
    }
    if (!text.isConstant()) {
      throw TextGrowth.tooLong("REPLACE puts in a text that can be as long as a stored one.");
    }
    return text.plus(by.repeated(text.constant() / searched));
  }

  /** At most so many characters, if that is a constant; a negative count leaves out that many. */
  private static TextLength cut(TextLength text, Expr.Call call) {
    boolean counted = call.function() != Function.SUBSTRING || call.arguments().size() > 2;
    if (counted
        && call.arguments().getLast() instanceof Expr.Literal l
        && l.value() instanceof BigDecimal n
        && n.signum() >= 0
        && n.compareTo(BigDecimal.valueOf(Integer.MAX_VALUE)) <= 0) {
      return text.and(TextLength.constant(BYTES_PER_CHARACTER * n.longValue()));
    }
    return text;
  }

  private static long bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
