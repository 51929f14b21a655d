package flexdp.facts;

import flexdp.algebra.AggregateCall;
import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Relation;
import flexdp.algebra.Subquery;
import flexdp.algebra.Tree;
import flexdp.algebra.WindowCall;
import flexdp.failure.Patience;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
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
public final class TextGrowth {
  private final TextLengths lengths = new TextLengths();

  /** What a computed column adds to its row; columns of tables lie where they are stored. */
  private final Map<Integer, TextLength> computed = new HashMap<>();

  private TextGrowth() {}

  public static void check(Relation root) {
    new TextGrowth().width(root);
  }

  /** The length of the computed texts of a row together. */
  private TextLength width(Relation relation) {
    Patience.step();
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
          case Relation.Filter ignored -> inputs.getFirst();
          case Relation.Distinct ignored -> inputs.getFirst();
          case Relation.Limit ignored -> inputs.getFirst();
          case Relation.TopRows ignored -> inputs.getFirst();
        };
    Tree.expressions(relation, lengths::of);
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
}
