package flexdp.sensitivity;

import flexdp.algebra.AggregateCall;
import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.algebra.SortKey;
import flexdp.algebra.WindowCall;
import flexdp.policy.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;

/**
 * Random expressions, aggregates and orders, and the operators that take one input and an order.
 */
abstract class RandomParts {
  final Random random;
  final Trees trees = new Trees();

  RandomParts(Random random) {
    this.random = random;
  }

  boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  <E> E pick(List<E> list) {
    return list.get(random.nextInt(list.size()));
  }

  Column column(Relation relation) {
    return pick(relation.columns());
  }

  Expr constant() {
    return Trees.literal(random.nextInt(2));
  }

  Expr local(List<Column> columns) {
    Expr one = pick(columns).ref();
    Expr two = chance(60) ? constant() : pick(columns).ref();
    return switch (random.nextInt(8)) {
      case 0, 1 -> Trees.call(Function.EQ, one, two);
      case 2 -> Trees.call(Function.NE, one, two);
      case 3 -> Trees.call(Function.LT, one, two);
      case 4 -> Trees.call(Function.IS_NULL, one);
      case 5 -> Trees.call(Function.IS_NOT_NULL, one);
      case 6 -> Trees.call(Function.OR, local(columns), Trees.call(Function.EQ, one, two));
      default -> Trees.call(Function.AND, local(columns), Trees.call(Function.LE, one, two));
    };
  }

  Expr computed(Relation input) {
    Expr one = column(input).ref();
    return switch (random.nextInt(3)) {
      case 0 ->
          Trees.call(
              Function.MOD, Trees.call(Function.PLUS, one, column(input).ref()), Trees.literal(2));
      case 1 -> Trees.call(Function.COALESCE, one, constant());
      default ->
          new Expr.Case(
              List.of(new Expr.Case.Branch(local(input.columns()), one)),
              chance(50) ? Optional.of(constant()) : Optional.empty(),
              Type.INTEGER);
    };
  }

  AggregateCall call(Column output, Relation input) {
    boolean star = chance(50);
    AggregateCall.Kind kind =
        star
            ? AggregateCall.Kind.COUNT
            : pick(
                List.of(
                    AggregateCall.Kind.COUNT,
                    AggregateCall.Kind.SUM,
                    AggregateCall.Kind.MIN,
                    AggregateCall.Kind.MAX));
    Optional<Expr> argument = star ? Optional.empty() : Optional.of(column(input).ref());
    return new AggregateCall(
        output, kind, argument, !star && chance(20), Optional.empty(), Optional.empty(), Trees.AT);
  }

  List<SortKey> order(Relation input, boolean total) {
    List<Column> columns = new ArrayList<>(input.columns());
    Collections.shuffle(columns, random);
    return (total ? columns : columns.subList(0, 1))
        .stream()
            .map(c -> new SortKey(c.ref(), random.nextBoolean(), random.nextBoolean()))
            .toList();
  }

  Relation limit(Relation input) {
    OptionalLong count = chance(80) ? OptionalLong.of(random.nextInt(3)) : OptionalLong.empty();
    return new Relation.Limit(input, order(input, chance(90)), random.nextInt(2), count, Trees.AT);
  }

  List<Expr> partition(Relation input) {
    List<Expr> partition = new ArrayList<>();
    if (chance(75)) {
      partition.add(column(input).ref());
    }
    if (chance(20)) {
      partition.add(chance(50) ? column(input).ref() : computed(input));
    }
    return partition;
  }

  Relation topRows(Relation input) {
    List<Expr> partition = partition(input);
    List<SortKey> order = order(input, true);
    int count = 1 + random.nextInt(2);
    // Some as caps are enforced: several ranks on the same rows, by what was drawn already.
    List<Relation.TopRows.Rank> also =
        order.getFirst().descending() && order.size() > 1
            ? List.of(new Relation.TopRows.Rank(List.of(order.get(1).expr()), 3 - count))
            : List.of();
    return new Relation.TopRows(
        input, partition, order, count, also, order.getLast().nullsFirst(), Trees.AT);
  }

  Relation window(Relation input) {
    List<WindowCall> calls = new ArrayList<>();
    calls.add(windowCall(input));
    if (chance(20)) {
      calls.add(windowCall(input));
    }
    return new Relation.Window(input, calls);
  }

  WindowCall windowCall(Relation input) {
    Column output = trees.column("w");
    List<Expr> partition = partition(input);
    if (chance(50)) {
      AggregateCall call = call(trees.column("unused"), input);
      return new WindowCall(
          output,
          Optional.of(call),
          Optional.empty(),
          List.of(),
          partition,
          chance(50) ? List.of() : order(input, false),
          Trees.AT);
    }
    WindowCall.Rank rank =
        pick(List.of(WindowCall.Rank.RANK, WindowCall.Rank.ROW_NUMBER, WindowCall.Rank.LAG));
    return new WindowCall(
        output,
        Optional.empty(),
        Optional.of(rank),
        List.of(column(input).ref()),
        partition,
        order(input, rank != WindowCall.Rank.RANK),
        Trees.AT);
  }
}
