package flexdp.sql.bind;

import flexdp.algebra.AggregateCall;
import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.failure.Position;
import flexdp.policy.Type;
import flexdp.sql.function.ColumnIdSequence;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The aggregate functions of one SELECT, equal ones once, and what their arguments need. */
final class SelectAggregates {
  /** GROUPING(...) before the keys are known by number. */
  record GroupingCall(Column output, List<Expr> keys, Position at) {}

  private final ColumnIdSequence ids;
  private final ExpressionInputs below = new ExpressionInputs();
  private final List<AggregateCall> calls = new ArrayList<>();
  private final List<GroupingCall> groupings = new ArrayList<>();

  SelectAggregates(ColumnIdSequence ids) {
    this.ids = ids;
  }

  /** Takes the subqueries inside arguments: they belong below the grouping. */
  ExpressionInputs below() {
    return below;
  }

  List<AggregateCall> calls() {
    return calls;
  }

  List<GroupingCall> groupings() {
    return groupings;
  }

  boolean isUsed() {
    return !calls.isEmpty() || !groupings.isEmpty();
  }

  /** The value of an aggregate function, computed once however often it is written. */
  Expr add(
      String name,
      Type type,
      AggregateCall.Kind kind,
      Optional<Expr> argument,
      boolean distinct,
      Optional<Expr> filter,
      Optional<BigDecimal> fraction,
      Position at) {
    for (AggregateCall call : calls) {
      if (call.kind() == kind
          && call.distinct() == distinct
          && call.argument().equals(argument)
          && call.filter().equals(filter)
          && call.fraction().equals(fraction)) {
        return call.output().ref();
      }
    }
    Column output = ids.column(name, type, kind != AggregateCall.Kind.COUNT);
    calls.add(new AggregateCall(output, kind, argument, distinct, filter, fraction, at));
    return output.ref();
  }

  /** Says of an aggregate function that a statistic is computed of it and of others. */
  Expr ofStatistic(Expr value) {
    calls.replaceAll(c -> c.output().ref().equals(value) ? c.ofStatistic() : c);
    return value;
  }

  Expr grouping(List<Expr> keys, Position at) {
    for (GroupingCall call : groupings) {
      if (call.keys().equals(keys)) {
        return call.output().ref();
      }
    }
    Column output = ids.column("grouping", Type.INTEGER, false);
    groupings.add(new GroupingCall(output, keys, at));
    return output.ref();
  }
}
