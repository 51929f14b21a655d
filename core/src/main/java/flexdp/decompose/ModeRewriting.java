package flexdp.decompose;

import flexdp.algebra.AggregateCall;
import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.FreshColumns;
import flexdp.algebra.Function;
import flexdp.algebra.InputReplacement;
import flexdp.algebra.Relation;
import flexdp.algebra.SortKey;
import flexdp.algebra.Subquery;
import flexdp.compute.Evaluator;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.policy.Policy;
import flexdp.policy.Type;
import flexdp.query.LabelSource;
import flexdp.query.Labels;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * MODE as what has a rule. Where labels are known from the question and the policy, each row is
 * given the number of its label, and a number is chosen by the exponential mechanism ({@link
 * flexdp.query.Measurement.Mode}). Elsewhere, over joins, of public rows and below other
 * aggregates, it is the label of the greatest count.
 */
final class ModeRewriting {
  /** Labels that are written into the question. */
  private static final int MOST = 500;

  private final Policy policy;
  private final FreshColumns fresh;

  private ModeRewriting(Policy policy, FreshColumns fresh) {
    this.policy = policy;
    this.fresh = fresh;
  }

  static Relation of(Relation root, Policy policy) {
    boolean[] found = {false};
    AlgebraWalker.visit(
        root,
        r -> {
          found[0] |= r instanceof Relation.Aggregate a && has(a);
          subqueries(r).forEach(ModeRewriting::refuse);
        });
    return found[0] ? new ModeRewriting(policy, new FreshColumns(root)).above(root) : root;
  }

  private static List<? extends Subquery> subqueries(Relation relation) {
    return relation instanceof Relation.Where where
        ? where.subqueries()
        : relation instanceof Relation.Attach attach ? attach.subqueries() : List.of();
  }

  private static void refuse(Subquery subquery) {
    if (subquery instanceof Subquery.Scalar scalar
        && scalar.calls().stream().anyMatch(ModeRewriting::is)) {
      throw Rejection.of(
          RejectionCode.UNSUPPORTED,
          "MODE in a correlated subquery has no rule.",
          "Ask for MODE by itself, with GROUP BY.",
          scalar.at());
    }
  }

  private static boolean has(Relation.Aggregate aggregate) {
    return aggregate.calls().stream().anyMatch(ModeRewriting::is);
  }

  private static boolean is(AggregateCall call) {
    return call.kind() == AggregateCall.Kind.MODE;
  }

  /** Above all release points. */
  private Relation above(Relation relation) {
    if (AlgebraWalker.isPublic(relation)) {
      return below(relation);
    }
    return relation instanceof Relation.Aggregate aggregate
        ? released(with(aggregate, below(aggregate.input())))
        : InputReplacement.replaced(relation, this::above);
  }

  private Relation below(Relation relation) {
    Relation inner = InputReplacement.replaced(relation, this::below);
    return inner instanceof Relation.Aggregate aggregate && has(aggregate)
        ? greatest(aggregate)
        : inner;
  }

  private static Relation.Aggregate with(Relation.Aggregate a, Relation input) {
    return new Relation.Aggregate(
        input,
        a.keys(),
        a.groupingSets(),
        a.calls(),
        a.groupingIds(),
        a.having(),
        a.visible(),
        a.at());
  }

  private Relation released(Relation.Aggregate aggregate) {
    if (!has(aggregate)) {
      return aggregate;
    }
    if (scans(aggregate.input()) > 1) {
      return greatest(aggregate);
    }
    List<AggregateCall> calls = new ArrayList<>();
    List<Column> visible = new ArrayList<>();
    List<Relation.Project.Output> outputs = new ArrayList<>();
    for (AggregateCall call : aggregate.calls()) {
      if (!is(call)) {
        calls.add(call);
        visible.add(call.output());
        outputs.add(new Relation.Project.Output(call.output(), call.output().ref()));
        continue;
      }
      Optional<List<Object>> labels = labels(aggregate, call);
      if (labels.isEmpty()) {
        return greatest(aggregate);
      }
      Column number = fresh.column(call.output().name(), Type.BIGINT, true);
      calls.add(numbered(call, number, labels.get()));
      visible.add(number);
      outputs.add(new Relation.Project.Output(call.output(), label(number, call, labels.get())));
    }
    Relation.Aggregate numbers =
        new Relation.Aggregate(
            aggregate.input(),
            aggregate.keys(),
            aggregate.groupingSets(),
            calls,
            aggregate.groupingIds(),
            Optional.empty(),
            visible,
            aggregate.at());
    List<Relation.Project.Output> all = new ArrayList<>();
    numbers.columns().stream()
        .limit((long) numbers.keys().size() + numbers.groupingIds().size())
        .forEach(c -> all.add(new Relation.Project.Output(c, c.ref())));
    all.addAll(outputs);
    return shown(new Relation.Project(numbers, all), aggregate);
  }

  /**
   * How many protected tables are read. Of one, no private number can be in how far scores move;
   * noisy counts have mechanisms for such numbers.
   */
  private static int scans(Relation input) {
    int[] count = {0};
    AlgebraWalker.visit(
        input, r -> count[0] += r instanceof Relation.Scan s && !s.table().isPublic() ? 1 : 0);
    return count[0];
  }

  /** With what HAVING asks, and the columns that the aggregate had. */
  private static Relation shown(Relation rows, Relation.Aggregate aggregate) {
    Relation kept =
        aggregate.having().<Relation>map(h -> new Relation.Filter(rows, h)).orElse(rows);
    return new Relation.Project(
        kept,
        aggregate.columns().stream().map(c -> new Relation.Project.Output(c, c.ref())).toList());
  }

  /** The labels of what is asked about, where no database has to be asked for them. */
  private Optional<List<Object>> labels(Relation.Aggregate aggregate, AggregateCall call) {
    Named named = named(aggregate.input(), call);
    LabelTypes.check(List.of(named.column()), call.at());
    Column count = fresh.column("count", Type.BIGINT, false);
    Relation.Aggregate counts = counts(named.rows(), List.of(named.column()), count, call);
    Labels found = LabelFinder.find(counts, List.of(), policy, fresh, Optional.empty());
    return found instanceof Labels.Enumerated enumerated
            && enumerated.sources().size() == 1
            && enumerated.sources().getFirst() instanceof LabelSource.Constants constants
        ? Optional.of(possible(constants, enumerated.filters(), named.column()))
            .filter(labels -> !labels.isEmpty() && labels.size() <= MOST)
        : Optional.empty();
  }

  private static List<Object> possible(
      LabelSource.Constants constants, List<Expr> filters, Column column) {
    Evaluator evaluator = new Evaluator(List.of(column));
    List<Evaluator.Value> conditions = filters.stream().map(evaluator::compile).toList();
    return constants.rows().stream()
        .filter(row -> row.getFirst() != null)
        .filter(row -> conditions.stream().allMatch(c -> Evaluator.isTrue(c.on(row))))
        .map(List::getFirst)
        .toList();
  }

  private static Relation.Aggregate counts(
      Relation rows, List<Column> keys, Column count, AggregateCall call) {
    return new Relation.Aggregate(
        rows,
        keys,
        List.of(IntStream.range(0, keys.size()).boxed().toList()),
        List.of(AggregateCall.countStar(count, call.at())),
        List.of(),
        Optional.empty(),
        List.of(count),
        call.at());
  }

  private record Named(Relation rows, Column column) {}

  /** The rows that are looked at, with a column for what is asked about. */
  private Named named(Relation input, AggregateCall call) {
    Expr argument = call.argument().orElseThrow();
    Relation rows = call.filter().<Relation>map(f -> new Relation.Filter(input, f)).orElse(input);
    if (argument instanceof Expr.Ref ref) {
      Column column =
          input.columns().stream().filter(c -> c.id() == ref.column()).findFirst().orElseThrow();
      return new Named(rows, column);
    }
    Column column = fresh.column(call.output().name(), argument.type(), true);
    List<Relation.Project.Output> outputs = new ArrayList<>();
    input.columns().forEach(c -> outputs.add(new Relation.Project.Output(c, c.ref())));
    outputs.add(new Relation.Project.Output(column, argument));
    return new Named(new Relation.Project(rows, outputs), column);
  }

  /** The number of a row's label; NULL for rows without one, which are not looked at. */
  private static AggregateCall numbered(AggregateCall call, Column output, List<Object> labels) {
    Expr argument = call.argument().orElseThrow();
    List<Expr.Case.Branch> branches = new ArrayList<>();
    for (int i = 0; i < labels.size(); i++) {
      Expr label = new Expr.Literal(labels.get(i), argument.type());
      branches.add(
          new Expr.Case.Branch(Exprs.test(Function.EQ, argument, label), Exprs.integer(i)));
    }
    Expr number = new Expr.Case(branches, Optional.empty(), Type.INTEGER);
    return new AggregateCall(
        output,
        AggregateCall.Kind.MODE,
        Optional.of(number),
        call.distinct(),
        call.filter(),
        Optional.empty(),
        call.at());
  }

  private static Expr label(Column number, AggregateCall call, List<Object> labels) {
    Type type = call.output().type();
    List<Expr.Case.Branch> branches = new ArrayList<>();
    for (int i = 0; i < labels.size(); i++) {
      branches.add(
          new Expr.Case.Branch(
              Exprs.test(
                  Function.EQ,
                  number.ref(),
                  Exprs.number(java.math.BigDecimal.valueOf(i), Type.BIGINT)),
              new Expr.Literal(labels.get(i), type)));
    }
    return new Expr.Case(branches, Optional.empty(), type);
  }

  /** The label of the greatest count, of equal ones the first. */
  private Relation greatest(Relation.Aggregate aggregate) {
    AggregateCall call =
        aggregate.calls().stream().filter(ModeRewriting::is).findFirst().orElseThrow();
    Named named = named(aggregate.input(), call);
    boolean known = aggregate.keys().stream().anyMatch(k -> k.id() == named.column().id());
    if (aggregate.calls().size() > 1 || aggregate.groupingSets().size() > 1 || known) {
      throw Rejection.of(
          RejectionCode.UNSUPPORTED,
          "MODE stands beside other aggregates only where its labels are declared.",
          "Ask for MODE by itself, or count by the column, ORDER BY the count DESC, and take one"
              + " row.",
          call.at());
    }
    Expr present = Exprs.test(Function.IS_NOT_NULL, named.column().ref());
    Column count = fresh.column("count", Type.BIGINT, false);
    List<Column> keys = new ArrayList<>(aggregate.keys());
    keys.add(named.column());
    Relation counts = counts(new Relation.Filter(named.rows(), present), keys, count, call);
    List<SortKey> order =
        List.of(
            new SortKey(count.ref(), true, false), new SortKey(named.column().ref(), false, false));
    List<Expr> partition = new ArrayList<>();
    aggregate.keys().forEach(k -> partition.add(k.ref()));
    Relation first = new Relation.TopRows(counts, partition, order, 1, call.at());
    List<Relation.Project.Output> outputs = new ArrayList<>();
    aggregate.keys().forEach(k -> outputs.add(new Relation.Project.Output(k, k.ref())));
    outputs.add(new Relation.Project.Output(call.output(), named.column().ref()));
    return shown(new Relation.Project(first, outputs), aggregate);
  }
}
