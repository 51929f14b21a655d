package flexdp.sql.bind;

import flexdp.algebra.AggregateCall;
import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Relation;
import flexdp.algebra.SortKey;
import flexdp.algebra.WindowCall;
import flexdp.algebra.WindowCall.Rank;
import flexdp.failure.Position;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.policy.Type;
import flexdp.sql.function.FunctionFinder;
import flexdp.sql.function.NameMatching;
import flexdp.sql.function.Rejections;
import flexdp.sql.function.TypeRules;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlWindow;

/** The window functions of one SELECT. */
final class WindowBinder {
  private final List<WindowCall> calls = new ArrayList<>();
  private final SqlNodeList declared;

  WindowBinder(SqlNodeList declared) {
    this.declared = declared;
  }

  List<WindowCall> calls() {
    return calls;
  }

  /** What the functions read of the rows. */
  List<Expr> exprs() {
    List<Expr> all = new ArrayList<>();
    for (WindowCall call : calls) {
      AlgebraWalker.expressions(call, all::add);
    }
    return all;
  }

  /** The rows with the values of the functions. */
  Relation over(Relation rows, UnaryOperator<Expr> rule) {
    if (calls.isEmpty()) {
      return rows;
    }
    return new Relation.Window(rows, calls.stream().map(call -> over(call, rule)).toList());
  }

  private static WindowCall over(WindowCall call, UnaryOperator<Expr> rule) {
    try {
      return call.map(rule);
    } catch (Rejection rejection) {
      throw rejection.orAt(call.at());
    }
  }

  /** Whether a window function stands in an expression, outside of subqueries. */
  static boolean contains(SqlNode node) {
    if (node instanceof SqlNodeList list) {
      return list.stream().anyMatch(WindowBinder::contains);
    }
    return node instanceof SqlCall call
        && !call.isA(SqlKind.QUERY)
        && (call.getKind() == SqlKind.OVER
            || call.getOperandList().stream().anyMatch(WindowBinder::contains));
  }

  static Expr bind(SqlCall over, ExpressionContext place, BindingContext binder) {
    WindowBinder windows = place.windows().orElse(null);
    if (windows == null) {
      throw unsupported(
          "A window function cannot stand in " + place.clause() + ".",
          "Compute it in a subquery, and use its value outside.",
          Rejections.at(over));
    }
    return windows.add(over, place.insideWindow(), binder);
  }

  private Expr add(SqlCall over, ExpressionContext place, BindingContext binder) {
    SqlCall function = over.operand(0);
    SqlWindow window = window(over.operand(1));
    String name = FunctionFinder.nameOf(function);
    Optional<Rank> rank = rank(name);
    List<Expr> partition = new ArrayList<>();
    for (SqlNode node : window.getPartitionList()) {
      partition.add(binder.expressions.bind(node, place));
    }
    List<SortKey> order =
        OrderByBinder.keys(
            window.getOrderList(),
            ignored -> null,
            node -> binder.expressions.bind(node, place),
            binder.dialect);
    WindowFrameBinder framed =
        WindowFrameBinder.of(window, order, rank, node -> binder.expressions.bind(node, place));
    WindowCall call =
        rank.isPresent()
            ? ranked(function, rank.get(), partition, framed, place, binder)
            : aggregated(function, partition, framed, place, binder);
    for (WindowCall known : calls) {
      if (same(known, call)) {
        return known.output().ref();
      }
    }
    calls.add(call);
    Expr value = call.output().ref();
    return call.aggregate()
        .map(
            a ->
                switch (a.kind()) {
                  case AVG ->
                      AggregateBinder.mean(value, a.argument().orElseThrow().type(), binder);
                  case SUM ->
                      AggregateBinder.total(value, a.argument().orElseThrow().type(), binder);
                  default -> value;
                })
        .orElse(value);
  }

  private static boolean same(WindowCall a, WindowCall b) {
    return a.rank().equals(b.rank())
        && a.arguments().equals(b.arguments())
        && a.partition().equals(b.partition())
        && a.order().equals(b.order())
        && a.frame().equals(b.frame())
        && a.aggregate().isEmpty()
        && b.aggregate().isEmpty();
  }

  private SqlWindow window(SqlNode node) {
    if (node instanceof SqlWindow window) {
      if (window.getRefName() != null) {
        throw unsupported(
            "A window that extends a named window has no rule here.",
            "Write PARTITION BY and ORDER BY out.",
            Rejections.at(node));
      }
      return window;
    }
    String name = ((SqlIdentifier) node).getSimple();
    for (SqlNode one : declared) {
      if (one instanceof SqlWindow window
          && NameMatching.match(name, window.getDeclName().getSimple())) {
        return window;
      }
    }
    throw Rejections.of(
        RejectionCode.SYNTAX, "There is no window '" + name + "'.", "Declare it in WINDOW.", node);
  }

  private static WindowCall aggregated(
      SqlCall function,
      List<Expr> partition,
      WindowFrameBinder framed,
      ExpressionContext place,
      BindingContext binder) {
    AggregateCall aggregate = AggregateBinder.single(function, place, binder);
    return new WindowCall(
        aggregate.output(),
        Optional.of(aggregate),
        Optional.empty(),
        List.of(),
        partition,
        framed.order(),
        framed.frame(),
        Rejections.at(function));
  }

  private static WindowCall ranked(
      SqlCall function,
      Rank rank,
      List<Expr> partition,
      WindowFrameBinder framed,
      ExpressionContext place,
      BindingContext binder) {
    List<Expr> arguments = new ArrayList<>();
    for (SqlNode node : function.getOperandList()) {
      arguments.add(binder.expressions.bind(node, place));
    }
    int least =
        switch (rank) {
          case NTH_VALUE -> 2;
          case LAG, LEAD, FIRST_VALUE, LAST_VALUE, NTILE -> 1;
          case ROW_NUMBER, RANK, DENSE_RANK, PERCENT_RANK, CUME_DIST -> 0;
        };
    int most = rank == Rank.LAG || rank == Rank.LEAD ? 3 : least;
    String name = rank.name().toLowerCase(Locale.ROOT);
    if (arguments.size() < least || arguments.size() > most) {
      throw Rejections.types(
          name + " does not take " + arguments.size() + " arguments.",
          "Give it " + least + ".",
          Rejections.at(function));
    }
    switch (rank) {
      case NTILE -> requireConstant(arguments.get(0), 1, "number of parts", function);
      case NTH_VALUE -> requireConstant(arguments.get(1), 1, "number of the row", function);
      case LAG, LEAD -> {
        if (arguments.size() > 1) {
          requireConstant(arguments.get(1), 0, "distance", function);
        }
        if (arguments.size() > 2) {
          withDefault(arguments, Rejections.at(function));
        }
      }
      case ROW_NUMBER, RANK, DENSE_RANK, PERCENT_RANK, CUME_DIST, FIRST_VALUE, LAST_VALUE -> {}
    }
    Type type =
        switch (rank) {
          case ROW_NUMBER, RANK, DENSE_RANK, NTILE -> Type.BIGINT;
          case PERCENT_RANK, CUME_DIST -> Type.DOUBLE;
          case LAG, LEAD, FIRST_VALUE, LAST_VALUE, NTH_VALUE -> arguments.get(0).type();
        };
    Column output = binder.ids.column(name, type, least > 0 && rank != Rank.NTILE);
    return new WindowCall(
        output,
        Optional.empty(),
        Optional.of(rank),
        arguments,
        partition,
        framed.order(),
        framed.frame(),
        Rejections.at(function));
  }

  /** A count from a column would fail on the rows where it is too small. */
  private static void requireConstant(Expr count, int least, String what, SqlCall function) {
    boolean fine =
        count instanceof Expr.Literal literal
            && literal.type().kind() == Type.Kind.INTEGER
            && literal.value() instanceof BigDecimal number
            && number.compareTo(BigDecimal.valueOf(least)) >= 0;
    if (!fine) {
      throw Rejections.types(
          "The " + what + " must be a whole constant, " + least + " or more.",
          "Write it as a number.",
          Rejections.at(function));
    }
  }

  /** The value and what stands for it at the edge in one type, converted as CASE would. */
  private static void withDefault(List<Expr> arguments, Position at) {
    List<Expr> fitted = TypeRules.unify(List.of(arguments.get(0), arguments.get(2)), at);
    arguments.set(0, fitted.get(0));
    arguments.set(2, fitted.get(1));
  }

  private static Optional<Rank> rank(String name) {
    for (Rank rank : Rank.values()) {
      if (rank.name().equals(name)) {
        return Optional.of(rank);
      }
    }
    return Optional.empty();
  }

  static Rejection unsupported(String message, String hint, Position at) {
    return Rejection.of(RejectionCode.WINDOW_UNSUPPORTED, message, hint, at);
  }
}
