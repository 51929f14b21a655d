package flexdp.sensitivity;

import flexdp.algebra.AggregateCall;
import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.algebra.WindowCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/** Random relations over {@link PeopleDatabases}, with a liking for columns that name owners. */
final class PeopleTrees extends RandomTrees {
  private static final Set<String> NAMING = Set.of("o", "vid", "k");
  private final PeopleDatabases databases;

  PeopleTrees(Random random, PeopleDatabases databases) {
    super(random, 0);
    this.databases = databases;
  }

  /** Joins of people's rows by what names them, and what reads a side that may be padded. */
  Relation aimed() {
    String name = pick(List.of("o", "o", "vid", "k"));
    Relation left = named(name);
    Relation right = named(name);
    Column one = Trees.col(left, name);
    Column two = Trees.col(right, name);
    Expr on = Trees.call(chance(20) ? Function.IS_NOT_DISTINCT : Function.EQ, one.ref(), two.ref());
    if (chance(40)) {
      on = Trees.call(Function.AND, on, Trees.eq(pick(left.columns()), pick(right.columns())));
    }
    Column padded = chance(50) ? one : two;
    Relation join =
        new Relation.Join(
            pick(List.of(Relation.JoinKind.values())),
            chance(40) ? new Relation.Filter(left, local(left.columns())) : left,
            chance(60) ? new Relation.Filter(right, local(right.columns())) : right,
            on,
            Trees.AT);
    return switch (random.nextInt(6)) {
      case 0 -> trees.counted(join, padded);
      case 1 -> new Relation.Distinct(Trees.project(join, padded));
      case 2 -> partitioned(join, padded);
      case 3 -> combined(Trees.project(join, padded), name);
      case 4 -> combined(Trees.project(left, one), name);
      default -> join;
    };
  }

  private Relation named(String name) {
    List<String> tables =
        switch (name) {
          case "o" -> List.of("e", "t", "v");
          case "vid" -> List.of("v", "l");
          default -> List.of("t");
        };
    return trees.scan(databases.table(pick(tables)));
  }

  private Relation partitioned(Relation input, Column by) {
    AggregateCall count = AggregateCall.countStar(trees.column("unused"), Trees.AT);
    return new Relation.Window(
        input,
        List.of(
            new WindowCall(
                trees.column("n"),
                Optional.of(count),
                Optional.empty(),
                List.of(),
                List.of(by.ref()),
                List.of(),
                Trees.AT)));
  }

  private Relation combined(Relation one, String name) {
    Relation other = chance(70) ? named(name) : scan();
    Column second =
        other.columns().stream().anyMatch(c -> c.name().equals(name))
            ? Trees.col(other, name)
            : column(other);
    return new Relation.SetOperation(
        pick(List.of(Relation.SetKind.values())),
        chance(40),
        one,
        Trees.project(other, second),
        List.of(trees.column("s")),
        Trees.AT);
  }

  @Override
  Relation scan() {
    String name = pick(List.of("e", "t", "t", "v", "v", "l", "l", "h", "w", "q"));
    return trees.scan(databases.table(name));
  }

  @Override
  Column column(Relation relation) {
    List<Column> naming =
        relation.columns().stream().filter(c -> NAMING.contains(c.name())).toList();
    return naming.isEmpty() || chance(55) ? super.column(relation) : pick(naming);
  }

  @Override
  Expr equality(Relation left, Relation right) {
    List<Expr> same = new ArrayList<>();
    for (Column one : left.columns()) {
      for (Column two : right.columns()) {
        if (NAMING.contains(one.name()) && one.name().equals(two.name())) {
          same.add(Trees.eq(one, two));
        }
      }
    }
    return same.isEmpty() || chance(40) ? super.equality(left, right) : pick(same);
  }

  @Override
  List<Column> keys(Relation input, int most) {
    List<Column> keys = new ArrayList<>(super.keys(input, most));
    Column first = column(input);
    if (chance(50) && !keys.contains(first)) {
      keys.set(0, first);
    }
    return keys.stream().distinct().toList();
  }
}
