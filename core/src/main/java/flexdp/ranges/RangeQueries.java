package flexdp.ranges;

import flexdp.algebra.AggregateCall;
import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.FreshColumns;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.failure.Position;
import flexdp.policy.Range;
import flexdp.policy.Type;
import flexdp.query.MissingRange;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The questions that find a range, as anybody could ask them: how many values each bucket has, and
 * how many lie outside. Rows without a value, or with one that sums take for none (NaN and the
 * infinities), are in no bucket.
 */
public final class RangeQueries {
  private static final BigDecimal LARGEST = new BigDecimal(Double.MAX_VALUE);

  private final MissingRange wanted;
  private final Position at;

  /**
   * @param at where the aggregate stands that wants the range
   */
  public RangeQueries(MissingRange wanted, Position at) {
    this.wanted = wanted;
    this.at = at;
  }

  /** How many values each bucket has: its number, and a count. */
  public Relation histogram(RangeBuckets buckets) {
    FreshColumns fresh = new FreshColumns(wanted.input());
    Column value = fresh.column("v", wanted.type(), true);
    Column bucket = fresh.column("b", Type.INTEGER, false);
    Relation values = new Relation.Project(values(), List.of(output(value, wanted.argument())));
    Relation numbered =
        new Relation.Project(values, List.of(output(bucket, bucket(value.ref(), buckets))));
    return count(numbered, List.of(bucket), fresh);
  }

  /** How many values lie outside of a range. */
  public Relation outside(Range range) {
    Expr below = compared(Function.LT, wanted.argument(), range.low());
    Expr above = compared(Function.GT, wanted.argument(), range.high());
    Relation outside = new Relation.Filter(values(), Exprs.or(List.of(below, above)));
    return count(outside, List.of(), new FreshColumns(wanted.input()));
  }

  private static Relation.Project.Output output(Column column, Expr value) {
    return new Relation.Project.Output(column, value);
  }

  private Relation count(Relation rows, List<Column> keys, FreshColumns fresh) {
    Column count = fresh.column("n", Type.BIGINT, false);
    return new Relation.Aggregate(
        rows,
        keys,
        List.of(keys.isEmpty() ? List.of() : List.of(0)),
        List.of(AggregateCall.countStar(count, at)),
        List.of(),
        Optional.empty(),
        List.of(count),
        at);
  }

  /** The rows whose values count. */
  private Relation values() {
    List<Expr> conditions = new ArrayList<>();
    wanted.filter().ifPresent(conditions::add);
    Expr value = wanted.argument();
    if (wanted.type().kind() == Type.Kind.DOUBLE) {
      conditions.add(compared(Function.GE, value, LARGEST.negate()));
      conditions.add(compared(Function.LE, value, LARGEST));
    } else {
      conditions.add(Exprs.test(Function.IS_NOT_NULL, value));
    }
    return new Relation.Filter(wanted.input(), Exprs.and(conditions));
  }

  /** A balanced tree: every value takes the same few comparisons, and the last ELSE the rest. */
  private Expr bucket(Expr value, RangeBuckets buckets) {
    List<Integer> ids = buckets.ids();
    List<Integer> below = new ArrayList<>(ids.stream().filter(id -> id < 0).toList());
    Collections.reverse(below);
    List<Integer> above = ids.stream().filter(id -> id > 0).toList();
    Expr zero = number(0);
    Expr negative = below.isEmpty() ? zero : tree(value, below, buckets, 0, below.size() - 1);
    Expr positive = above.isEmpty() ? zero : tree(value, above, buckets, 0, above.size() - 1);
    Expr rest = choice(compared(Function.EQ, value, BigDecimal.ZERO), zero, positive);
    return choice(compared(Function.LT, value, BigDecimal.ZERO), negative, rest);
  }

  private Expr tree(Expr value, List<Integer> ids, RangeBuckets buckets, int first, int last) {
    if (first == last) {
      return number(ids.get(first));
    }
    int middle = (first + last) / 2;
    int id = ids.get(middle);
    Expr inside =
        id > 0
            ? compared(Function.LE, value, buckets.high(id))
            : compared(Function.GE, value, buckets.low(id));
    return choice(
        inside,
        tree(value, ids, buckets, first, middle),
        tree(value, ids, buckets, middle + 1, last));
  }

  private static Expr choice(Expr condition, Expr yes, Expr no) {
    return new Expr.Case(
        List.of(new Expr.Case.Branch(condition, yes)), Optional.of(no), Type.INTEGER);
  }

  private static Expr number(int id) {
    return Exprs.number(BigDecimal.valueOf(id), Type.INTEGER);
  }

  private Expr compared(Function how, Expr value, BigDecimal with) {
    return Exprs.test(how, value, Exprs.number(with, wanted.type()));
  }
}
