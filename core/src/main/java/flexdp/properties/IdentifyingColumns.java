package flexdp.properties;

import flexdp.algebra.AggregateCall;
import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Column;
import flexdp.algebra.Conversions;
import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.algebra.SortKey;
import flexdp.algebra.Subquery;
import flexdp.algebra.WindowCall;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.failure.TimeBudget;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Individual filters: a column that names one person may be joined with another such column, tested
 * for NULL, counted, and grouped by below a release point. Everything else is rejected, since only
 * what is listed here can be seen to compare it with nothing but itself.
 *
 * <p>Columns are followed by id through projections, derived tables and set operations. Constants
 * reach no such column: an expression that mixes one with anything else is rejected where it
 * stands.
 */
public final class IdentifyingColumns {
  private final Policy policy;

  /** The columns that hold an individual's name, by id, as table.column. */
  private final Map<Integer, String> names = new HashMap<>();

  private IdentifyingColumns(Policy policy) {
    this.policy = policy;
  }

  /**
   * @throws Rejection for a use that is not listed
   */
  public static IdentifyingColumns check(Relation root, Policy policy) {
    IdentifyingColumns individuals = new IdentifyingColumns(policy);
    if (hasOne(policy)) {
      individuals.walk(root);
    }
    return individuals;
  }

  private static boolean hasOne(Policy policy) {
    for (Table table : policy.tables().values()) {
      for (ColumnSpec column : table.columns()) {
        if (column.individual()) {
          return true;
        }
      }
    }
    return false;
  }

  /** The labels of an answer are constants, wherever they come from. */
  public void checkLabels(Relation.Aggregate release) {
    for (Column key : release.keys()) {
      if (names.containsKey(key.id())) {
        throw rejected(key.id()).orAt(release.at());
      }
    }
  }

  private void walk(Relation relation) {
    TimeBudget.step();
    relation.children().forEach(this::walk);
    switch (relation) {
      case Relation.Scan r -> scan(r);
      case Relation.Leaf ignored -> {}
      case Relation.Distinct ignored -> {}
      case Relation.Filter r -> plain(r.predicate());
      case Relation.Project r -> r.outputs().forEach(o -> name(o.column(), o.expr()));
      case Relation.Join r -> {
        try {
          plain(r.condition());
        } catch (Rejection e) {
          throw e.orAt(r.at());
        }
      }
      case Relation.Where r -> {
        r.subqueries().forEach(this::subquery);
        plain(r.predicate());
      }
      case Relation.Attach r -> r.subqueries().forEach(this::subquery);
      case Relation.Aggregate r -> {
        r.calls().forEach(this::call);
        r.having().ifPresent(this::plain);
      }
      case Relation.SetOperation r -> setOperation(r);
      case Relation.Limit r -> order(r.order());
      case Relation.TopRows r -> {
        r.ranks().forEach(rank -> rank.partition().forEach(this::carries));
        order(r.order());
      }
      case Relation.Window r -> r.calls().forEach(this::window);
    }
  }

  private void scan(Relation.Scan scan) {
    for (Column column : scan.columns()) {
      String table = scan.table().name();
      if (isIndividual(table, column.name(), new HashSet<>())) {
        names.put(column.id(), table + "." + column.name());
      }
    }
  }

  /**
   * Declared so, or said to refer to a column that is: both hold the same names. Not in a public
   * table, whose rows are constants that everyone knows.
   */
  private boolean isIndividual(String table, String column, Set<String> seen) {
    ColumnSpec spec =
        policy.table(table).filter(Table::isProtected).flatMap(t -> t.column(column)).orElse(null);
    if (spec == null || !seen.add(table + "." + column)) {
      return false;
    }
    return spec.individual()
        || spec.references().map(r -> isIndividual(r.table(), r.column(), seen)).orElse(false);
  }

  private void name(Column output, Expr expr) {
    if (carries(expr)) {
      names.put(output.id(), names.get(first(expr)));
    }
  }

  private void subquery(Subquery subquery) {
    plain(subquery.condition());
    if (subquery instanceof Subquery.Scalar scalar) {
      scalar.calls().forEach(this::call);
      plain(scalar.value());
    }
  }

  private void call(AggregateCall call) {
    call.filter().ifPresent(this::plain);
    if (call.kind() == AggregateCall.Kind.COUNT) {
      call.argument().ifPresent(this::carries);
    } else {
      call.argument().ifPresent(this::plain);
    }
  }

  private void window(WindowCall call) {
    call.aggregate().ifPresent(this::call);
    call.arguments().forEach(this::plain);
    call.partition().forEach(this::carries);
    order(call.order());
  }

  private void order(List<SortKey> keys) {
    keys.forEach(key -> plain(key.expr()));
  }

  /** UNION and the like compare by position: names with names only. */
  private void setOperation(Relation.SetOperation operation) {
    for (int i = 0; i < operation.columns().size(); i++) {
      int left = operation.left().columns().get(i).id();
      int right = operation.right().columns().get(i).id();
      if (names.containsKey(left) != names.containsKey(right)) {
        throw rejected(names.containsKey(left) ? left : right).orAt(operation.at());
      }
      if (names.containsKey(left)) {
        names.put(operation.columns().get(i).id(), names.get(left));
      }
    }
  }

  /** An expression whose value must not be an individual's name. */
  private void plain(Expr expr) {
    if (carries(expr)) {
      throw rejected(expr);
    }
  }

  /**
   * Whether the value of an expression is an individual's name, unchanged, or NULL.
   *
   * @throws Rejection when the expression uses such a name otherwise
   */
  private boolean carries(Expr expr) {
    return switch (expr) {
      case Expr.Ref ref -> names.containsKey(ref.column());
      case Expr.Literal ignored -> false;
      case Expr.Cast cast -> {
        boolean carried = carries(cast.operand());
        // A conversion that turns values into NULL would compare them with the limits of its type.
        if (carried && !Conversions.isInjective(cast.operand().type(), cast.type())) {
          throw rejected(expr);
        }
        yield carried;
      }
      case Expr.Case choice -> {
        choice.branches().forEach(b -> plain(b.condition()));
        List<Expr> values =
            Stream.concat(
                    choice.branches().stream().map(Expr.Case.Branch::value),
                    choice.otherwise().stream())
                .filter(v -> !(v instanceof Expr.Literal literal && literal.isNull()))
                .toList();
        yield allOrNone(expr, values);
      }
      case Expr.Call call -> call(call);
    };
  }

  private boolean call(Expr.Call call) {
    Function function = call.function();
    if (function == Function.COALESCE) {
      return allOrNone(call, call.arguments());
    }
    if (function == Function.EQ || function == Function.IS_NOT_DISTINCT) {
      allOrNone(call, call.arguments());
      return false;
    }
    boolean harmless = function == Function.IS_NULL || function == Function.IS_NOT_NULL;
    for (Expr argument : call.arguments()) {
      if (carries(argument) && !harmless) {
        throw rejected(call);
      }
    }
    return false;
  }

  /** A name beside anything else could be a constant in disguise. */
  private boolean allOrNone(Expr whole, List<Expr> parts) {
    long carried = parts.stream().filter(this::carries).count();
    if (carried != 0 && carried != parts.size()) {
      throw rejected(whole);
    }
    return carried != 0;
  }

  private Rejection rejected(Expr expr) {
    return rejected(first(expr));
  }

  private int first(Expr expr) {
    return AlgebraWalker.references(expr).stream()
        .filter(names::containsKey)
        .findFirst()
        .orElseThrow();
  }

  private Rejection rejected(int column) {
    return Rejection.of(
        RejectionCode.INDIVIDUAL_FILTER,
        "Column '"
            + names.get(column)
            + "' tells individuals apart and may not be compared, computed with or shown.",
        "Join it with another individual column, count it (COUNT, COUNT(DISTINCT …)), test it for"
            + " NULL, or group by it in a subquery. A column it is joined with must be declared"
            + " individual by the owner, too.");
  }
}
