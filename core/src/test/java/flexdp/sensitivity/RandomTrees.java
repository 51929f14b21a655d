package flexdp.sensitivity;

import flexdp.algebra.AggregateCall;
import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.algebra.Subquery;
import flexdp.policy.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Random relations over {@link TinyDatabases}, aimed at one rule after the other. */
class RandomTrees extends RandomParts {
  /** What stands at the top of a tree. */
  enum Aim {
    SCAN,
    FILTER,
    PROJECT,
    INNER,
    LEFT,
    FULL,
    SEMI,
    ANTI,
    SCALAR,
    SEVERAL,
    ATTACH,
    DISTINCT,
    GROUP,
    GROUP_KEYS,
    HAVING_COUNT,
    HAVING,
    GROUPING_SETS,
    NO_KEYS,
    SET,
    LIMIT,
    TOP,
    WINDOW
  }

  private final int rich;

  RandomTrees(Random random) {
    this(random, 15);
  }

  /** Rich leaves, in so many percent of the places: public rows that one protected row moves. */
  RandomTrees(Random random, int rich) {
    super(random);
    this.rich = rich;
  }

  Relation tree(Aim aim, int depth) {
    return switch (aim) {
      case SCAN -> scan();
      case FILTER -> filter(any(depth - 1));
      case PROJECT -> project(any(depth - 1));
      case INNER -> join(Relation.JoinKind.INNER, depth);
      case LEFT -> join(Relation.JoinKind.LEFT, depth);
      case FULL -> join(Relation.JoinKind.FULL, depth);
      case SEMI -> where(any(depth - 1), List.of(exists(false)), depth);
      case ANTI -> where(any(depth - 1), List.of(exists(true)), depth);
      case SCALAR -> where(any(depth - 1), List.of(this::scalar), depth);
      case SEVERAL -> where(any(depth - 1), List.of(anySubquery(), anySubquery()), depth);
      case ATTACH -> attach(any(depth - 1), depth);
      case DISTINCT -> new Relation.Distinct(narrowed(any(depth - 1)));
      case GROUP -> group(any(depth - 1), true, false, false);
      case GROUP_KEYS -> group(any(depth - 1), false, false, false);
      case HAVING_COUNT -> group(any(depth - 1), false, true, true);
      case HAVING -> group(any(depth - 1), chance(30), true, false);
      case GROUPING_SETS -> groupingSets(any(depth - 1));
      case NO_KEYS -> noKeys(any(depth - 1));
      case SET -> setOperation(depth);
      case LIMIT -> limit(any(depth - 1));
      case TOP -> topRows(any(depth - 1));
      case WINDOW -> window(any(depth - 1));
    };
  }

  private Relation any(int depth) {
    if (depth <= 0 || chance(30)) {
      return scan();
    }
    // Joins and filters are what other operators mostly stand on.
    return chance(35)
        ? tree(pick(List.of(Aim.INNER, Aim.INNER, Aim.LEFT, Aim.FILTER, Aim.ANTI)), depth)
        : tree(pick(List.of(Aim.values())), depth);
  }

  Relation scan() {
    return chance(rich) ? rich() : trees.scan(pick(TinyDatabases.TABLES));
  }

  /** One row more of a protected table brings or takes several different rows. */
  private Relation rich() {
    Relation moved = trees.scan(TinyDatabases.P);
    Relation mover = trees.scan(pick(List.of(TinyDatabases.T, TinyDatabases.U, TinyDatabases.V)));
    Expr on = Trees.eq(Trees.col(moved, "x"), Trees.col(mover, "a"));
    return switch (random.nextInt(3)) {
      case 0 -> trees.exists(moved, false, mover, on);
      case 1 -> trees.exists(moved, true, mover, on);
      default -> Trees.join(moved, mover, on);
    };
  }

  private Relation filter(Relation input) {
    return new Relation.Filter(input, local(input.columns()));
  }

  private Relation project(Relation input) {
    List<Relation.Project.Output> outputs = new ArrayList<>();
    for (Column column : input.columns()) {
      if (chance(70) || outputs.isEmpty()) {
        boolean renamed = chance(20);
        outputs.add(
            new Relation.Project.Output(renamed ? trees.column("renamed") : column, column.ref()));
      }
    }
    if (chance(50)) {
      outputs.add(new Relation.Project.Output(trees.column("computed"), computed(input)));
    }
    return new Relation.Project(input, outputs);
  }

  private Relation narrowed(Relation input) {
    if (chance(30)) {
      return input;
    }
    List<Column> columns = new ArrayList<>(input.columns());
    Collections.shuffle(columns, random);
    return Trees.project(
        input,
        columns.subList(0, 1 + random.nextInt(Math.min(2, columns.size()))).stream()
            .distinct()
            .toArray(Column[]::new));
  }

  Expr equality(Relation left, Relation right) {
    return Trees.call(
        chance(12) ? Function.IS_NOT_DISTINCT : Function.EQ,
        column(left).ref(),
        column(right).ref());
  }

  private Expr on(Relation left, Relation right) {
    Expr condition = equality(left, right);
    if (chance(12)) {
      condition = Trees.call(Function.OR, condition, equality(left, right));
    }
    if (chance(25)) {
      condition = Trees.call(Function.AND, condition, equality(left, right));
    }
    if (chance(12)) {
      condition =
          Trees.call(
              Function.AND,
              condition,
              Trees.call(Function.LE, column(left).ref(), column(right).ref()));
    }
    if (chance(12)) {
      condition =
          Trees.call(
              Function.AND,
              condition,
              Trees.call(Function.EQ, column(chance(50) ? left : right).ref(), constant()));
    }
    return condition;
  }

  private Relation join(Relation.JoinKind kind, int depth) {
    Relation left = any(depth - 1);
    Relation right = any(chance(50) ? 0 : depth - 1);
    boolean cross = chance(30) && right instanceof Relation.Scan scan && scan.table().isPublic();
    Expr on = cross ? (chance(50) ? Expr.Literal.TRUE : less(left, right)) : on(left, right);
    Relation one = chance(50) ? left : right;
    return new Relation.Join(kind, one, one == left ? right : left, on, Trees.AT);
  }

  private Expr less(Relation left, Relation right) {
    return Trees.call(Function.LE, column(left).ref(), column(right).ref());
  }

  /** Makes a subquery for an outer relation. */
  private interface Maker {
    Subquery make(Relation outer, int depth);
  }

  private Maker exists(boolean negated) {
    return (outer, depth) -> {
      Relation inner = any(chance(50) ? 0 : depth - 1);
      Column output = new Column(trees.column("e").id(), "exists", Type.BOOLEAN, false);
      return new Subquery.Exists(output, negated, inner, on(outer, inner), Trees.AT);
    };
  }

  private Subquery scalar(Relation outer, int depth) {
    Relation inner = any(chance(50) ? 0 : depth - 1);
    Column value = trees.column("value");
    AggregateCall call = call(value, inner);
    return new Subquery.Scalar(
        trees.column("scalar"), inner, on(outer, inner), List.of(call), value.ref(), Trees.AT);
  }

  private Maker anySubquery() {
    return switch (random.nextInt(3)) {
      case 0 -> exists(false);
      case 1 -> exists(true);
      default -> this::scalar;
    };
  }

  private Relation where(Relation outer, List<Maker> makers, int depth) {
    List<Subquery> subqueries = makers.stream().map(m -> m.make(outer, depth)).toList();
    Expr predicate = null;
    for (Subquery subquery : subqueries) {
      Expr term =
          switch (subquery) {
            case Subquery.Exists e -> e.output().ref();
            case Subquery.Scalar s -> comparison(s.output(), outer);
          };
      predicate =
          predicate == null
              ? term
              : Trees.call(chance(50) ? Function.AND : Function.OR, predicate, term);
    }
    if (chance(20)) {
      predicate =
          Trees.call(chance(50) ? Function.AND : Function.OR, predicate, local(outer.columns()));
    }
    return new Relation.Where(outer, subqueries, predicate);
  }

  private Expr comparison(Column scalar, Relation outer) {
    Expr other = chance(70) ? Trees.literal(random.nextInt(3)) : column(outer).ref();
    return switch (random.nextInt(4)) {
      case 0 -> Trees.call(Function.EQ, scalar.ref(), other);
      case 1 -> Trees.call(Function.GE, scalar.ref(), other);
      case 2 -> Trees.call(Function.IS_NULL, scalar.ref());
      default -> Trees.call(Function.NE, scalar.ref(), other);
    };
  }

  private Relation attach(Relation outer, int depth) {
    List<Subquery.Scalar> subqueries = new ArrayList<>();
    subqueries.add((Subquery.Scalar) scalar(outer, depth));
    if (chance(15)) {
      subqueries.add((Subquery.Scalar) scalar(outer, depth));
    }
    return new Relation.Attach(outer, subqueries);
  }

  List<Column> keys(Relation input, int most) {
    List<Column> columns = new ArrayList<>(input.columns().stream().distinct().toList());
    Collections.shuffle(columns, random);
    return columns.subList(0, Math.min(columns.size(), 1 + random.nextInt(most)));
  }

  private Relation group(Relation input, boolean visible, boolean having, boolean count) {
    Column output = trees.column("agg");
    AggregateCall call = count ? AggregateCall.countStar(output, Trees.AT) : call(output, input);
    List<Column> keys = keys(input, 2);
    Optional<Expr> condition = Optional.empty();
    if (having) {
      Expr bound = Trees.literal(1 + random.nextInt(2));
      condition =
          Optional.of(
              count
                  ? Trees.call(chance(50) ? Function.GE : Function.GT, output.ref(), bound)
                  : Trees.call(
                      pick(List.of(Function.EQ, Function.LE, Function.LT, Function.NE)),
                      output.ref(),
                      bound));
    }
    List<List<Integer>> sets = List.of(keys.size() == 1 ? List.of(0) : List.of(0, 1));
    return new Relation.Aggregate(
        input,
        keys,
        sets,
        List.of(call),
        List.of(),
        condition,
        visible ? List.of(output) : List.of(),
        Trees.AT);
  }

  private Relation groupingSets(Relation input) {
    List<Column> keys = keys(input, 2);
    Column output = trees.column("agg");
    Column bits = trees.column("grouping");
    List<List<Integer>> sets =
        keys.size() == 1
            ? List.of(List.of(0), List.of())
            : chance(50)
                ? List.of(List.of(0, 1), List.of(0), List.of())
                : List.of(List.of(0), List.of(1));
    List<Integer> all = keys.size() == 1 ? List.of(0) : List.of(0, 1);
    return new Relation.Aggregate(
        input,
        keys,
        sets,
        List.of(call(output, input)),
        chance(50) ? List.of(new Relation.Aggregate.GroupingId(bits, all)) : List.of(),
        Optional.empty(),
        chance(60) ? List.of(output) : List.of(),
        Trees.AT);
  }

  private Relation noKeys(Relation input) {
    Column output = trees.column("agg");
    Optional<Expr> having =
        chance(30)
            ? Optional.of(Trees.call(Function.GE, output.ref(), Trees.literal(1)))
            : Optional.empty();
    return new Relation.Aggregate(
        input,
        List.of(),
        List.of(List.of()),
        List.of(call(output, input)),
        List.of(),
        having,
        List.of(output),
        Trees.AT);
  }

  private Relation setOperation(int depth) {
    Relation left = any(depth - 1);
    Relation right = any(chance(50) ? 0 : depth - 1);
    int width = 1 + random.nextInt(Math.min(left.columns().size(), right.columns().size()));
    width = Math.min(width, 2);
    List<Column> columns = new ArrayList<>();
    for (int i = 0; i < width; i++) {
      columns.add(trees.column("s" + i));
    }
    return new Relation.SetOperation(
        pick(List.of(Relation.SetKind.values())),
        chance(40),
        first(left, width),
        first(right, width),
        columns,
        Trees.AT);
  }

  private Relation first(Relation relation, int width) {
    List<Column> columns = new ArrayList<>(relation.columns());
    Collections.shuffle(columns, random);
    return Trees.project(relation, columns.subList(0, width).toArray(Column[]::new));
  }
}
