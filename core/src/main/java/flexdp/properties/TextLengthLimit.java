package flexdp.properties;

import flexdp.algebra.AggregateCall;
import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.algebra.Subquery;
import flexdp.algebra.WindowCall;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.failure.TimeBudget;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Refuses texts that could grow beyond what a database holds. It would fail on the rows that make
 * them grow and on no others, and so tell of those rows (guarantee §11: errors are a channel). The
 * question alone decides, every expression of it: also one that is only compared.
 */
public final class TextLengthLimit {
  private final TextLengths lengths = new TextLengths();

  /** What a computed column adds to its row; columns of tables lie where they are stored. */
  private final Map<Integer, TextLength> computed = new HashMap<>();

  private TextLengthLimit() {}

  public static void check(Relation root) {
    new TextLengthLimit().width(root);
  }

  /** The length of the computed texts of a row together. */
  private TextLength width(Relation relation) {
    TimeBudget.step();
    List<TextLength> inputs = new ArrayList<>(2);
    for (Relation input : relation.children()) {
      inputs.add(width(input));
    }
    TextLength width =
        switch (relation) {
          case Relation.Scan r -> stored(r.columns());
          case Relation.Released r -> stored(r.columns());
          case Relation.Values r -> values(r);
          case Relation.Project r -> {
            r.outputs().forEach(o -> define(o.column(), o.expr()));
            yield together(r.columns().stream());
          }
          case Relation.Aggregate r -> {
            r.calls().forEach(this::define);
            yield together(
                Stream.concat(r.keys().stream(), r.calls().stream().map(AggregateCall::output)));
          }
          case Relation.Window r -> {
            r.calls().forEach(this::define);
            yield inputs.getFirst().plus(together(r.calls().stream().map(WindowCall::output)));
          }
          case Relation.Attach r -> {
            r.subqueries().forEach(this::define);
            yield inputs.getFirst().plus(together(r.subqueries().stream().map(Subquery::output)));
          }
          case Relation.Where r -> {
            r.subqueries().forEach(this::define);
            yield inputs.getFirst().plus(together(r.subqueries().stream().map(Subquery::output)));
          }
          case Relation.SetOperation r -> {
            List<Column> left = r.left().columns();
            List<Column> right = r.right().columns();
            for (int i = 0; i < left.size(); i++) {
              define(
                  r.columns().get(i),
                  lengths.longest(List.of(left.get(i).ref(), right.get(i).ref())));
            }
            yield inputs.get(0).or(inputs.get(1));
          }
          case Relation.Join ignored -> inputs.get(0).plus(inputs.get(1));
          case Relation.Selection ignored -> inputs.getFirst();
        };
    AlgebraWalker.expressions(relation, lengths::of);
    if (!width.isWithin(TextLength.WIDEST)) {
      throw tooLong("The computed texts of a row could together be too long for the database.");
    }
    return width;
  }

  static Rejection tooLong(String message) {
    return Rejection.of(
        RejectionCode.TOO_COMPLEX,
        message,
        "Take a part of it first, as in LEFT(x, 1000), or put fewer and shorter texts together.");
  }

  private TextLength stored(List<Column> columns) {
    for (Column column : columns) {
      lengths.put(column, TextLength.STORED);
    }
    return TextLength.NONE;
  }

  private TextLength values(Relation.Values values) {
    for (int i = 0; i < values.columns().size(); i++) {
      int column = i;
      define(
          values.columns().get(i),
          lengths.longest(values.rows().stream().map(row -> row.get(column)).toList()));
    }
    return together(values.columns().stream());
  }

  private TextLength together(Stream<Column> columns) {
    return columns
        .map(c -> computed.getOrDefault(c.id(), TextLength.NONE))
        .reduce(TextLength.NONE, TextLength::plus);
  }

  /** A bare reference keeps the id of its column, which is known already. */
  private void define(Column column, Expr expr) {
    if (!(expr instanceof Expr.Ref ref && ref.column() == column.id())) {
      define(column, lengths.of(expr));
    }
  }

  private void define(Column column, TextLength length) {
    lengths.put(column, length);
    computed.put(column.id(), lengths.of(column.ref()));
  }

  /** MIN, MAX and quantiles of texts are one of them; what else aggregates give is no text. */
  private void define(AggregateCall call) {
    define(call.output(), lengths.longest(call.argument().stream().toList()));
  }

  private void define(WindowCall call) {
    call.aggregate().ifPresent(this::define);
    if (call.rank().isPresent()) {
      define(call.output(), lengths.longest(call.arguments()));
    }
  }

  private void define(Subquery subquery) {
    switch (subquery) {
      case Subquery.Exists s -> define(s.output(), TextLength.NONE);
      case Subquery.Scalar s -> {
        s.calls().forEach(this::define);
        define(s.output(), s.value());
      }
    }
  }

  /** The lengths of the texts that expressions make, from those of the columns they read. */
  private static final class TextLengths {
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
      TimeBudget.step();
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
        throw TextLengthLimit.tooLong("A text could grow too long for the database.");
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
        throw TextLengthLimit.tooLong(
            "REPLACE puts in a text that can be as long as a stored one.");
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

  /**
   * How long a text can be, in bytes of UTF-8: at most {@code (stored + folded) · L + constant},
   * where L is the longest text that any table holds.
   *
   * <p>Other case makes a character up to three times as long (ΐ in capitals is three characters),
   * but only once: what it has become changes one for one. So {@code folded} counts what is left
   * after any such changes, and {@code stored} what they can still lengthen.
   */
  private record TextLength(long stored, long folded, long constant) {
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
      return new TextLength(
          stored + other.stored, folded + other.folded, constant + other.constant);
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

    /** The length of a text that is repeated so many times. */
    TextLength repeated(long count) {
      return new TextLength(count * stored, count * folded, count * constant);
    }
  }
}
