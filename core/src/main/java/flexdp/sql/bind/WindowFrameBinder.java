package flexdp.sql.bind;

import flexdp.algebra.Expr;
import flexdp.algebra.Frame;
import flexdp.algebra.SortKey;
import flexdp.algebra.WindowCall.Rank;
import flexdp.failure.RejectionCode;
import flexdp.policy.Type;
import flexdp.sql.function.Rejections;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWindow;

/**
 * The frame of a window: the order that matters, and which rows are read where that is not the
 * standard's default.
 */
record WindowFrameBinder(List<SortKey> order, Optional<Frame> frame) {
  /**
   * @param bind the distances in the frame
   */
  static WindowFrameBinder of(
      SqlWindow window, List<SortKey> order, Optional<Rank> rank, Function<SqlNode, Expr> bind) {
    SqlNode low = window.getLowerBound();
    if (low == null || rank.isPresent() && !readsFrame(rank.get())) {
      return new WindowFrameBinder(order, Optional.empty());
    }
    SqlNode high = window.getUpperBound();
    boolean fromStart = SqlWindow.isUnboundedPreceding(low);
    boolean toHere = high == null || SqlWindow.isCurrentRow(high);
    boolean toEnd = high != null && SqlWindow.isUnboundedFollowing(high);
    if (fromStart && toHere && !window.isRows()) {
      return new WindowFrameBinder(order, Optional.empty());
    }
    if (fromStart && toEnd && (order.isEmpty() || rank.isEmpty())) {
      return new WindowFrameBinder(List.of(), Optional.empty());
    }
    Frame.Unit unit = window.isRows() ? Frame.Unit.ROWS : Frame.Unit.RANGE;
    Frame.Bound from = bound(low, unit, order, bind);
    Frame.Bound to = high == null ? new Frame.Bound.Current() : bound(high, unit, order, bind);
    if (SqlWindow.isUnboundedFollowing(low)
        || high != null && SqlWindow.isUnboundedPreceding(high)
        || side(from, -1) > side(to, 1)) {
      throw Rejections.of(
          RejectionCode.SYNTAX,
          "The frame of a window ends before it begins.",
          "Write the earlier end first: BETWEEN 3 PRECEDING AND CURRENT ROW.",
          window);
    }
    return new WindowFrameBinder(order, Optional.of(new Frame(unit, from, to)));
  }

  static boolean readsFrame(Rank rank) {
    return switch (rank) {
      case FIRST_VALUE, LAST_VALUE, NTH_VALUE -> true;
      case ROW_NUMBER, RANK, DENSE_RANK, PERCENT_RANK, CUME_DIST, NTILE, LAG, LEAD -> false;
    };
  }

  /** Before the row, at it, or after it. */
  private static int side(Frame.Bound bound, int unbounded) {
    return switch (bound) {
      case Frame.Bound.Unbounded ignored -> unbounded;
      case Frame.Bound.Current ignored -> 0;
      case Frame.Bound.Offset offset -> offset.preceding() ? -1 : 1;
    };
  }

  private static Frame.Bound bound(
      SqlNode node, Frame.Unit unit, List<SortKey> order, Function<SqlNode, Expr> bind) {
    if (SqlWindow.isCurrentRow(node)) {
      return new Frame.Bound.Current();
    }
    if (SqlWindow.isUnboundedPreceding(node) || SqlWindow.isUnboundedFollowing(node)) {
      return new Frame.Bound.Unbounded();
    }
    SqlCall call = (SqlCall) node;
    Expr distance = bind.apply(call.operand(0));
    boolean fits =
        distance instanceof Expr.Literal literal
            && !literal.isNull()
            && !isNegative(literal.value())
            && (unit == Frame.Unit.ROWS
                ? literal.type().isInteger()
                : order.size() == 1 && isRange(order.getFirst().expr().type(), literal.type()));
    if (!fits) {
      throw unit == Frame.Unit.ROWS
          ? Rejections.types(
              "The distance of a ROWS frame must be a whole constant, 0 or more.",
              "Write it as a number.",
              Rejections.at(node))
          : Rejections.types(
              "A RANGE frame with a distance needs an order by one number and a number, or by one"
                  + " date and a constant length of time.",
              "Write ROWS, or ORDER BY d RANGE BETWEEN INTERVAL '7' DAY PRECEDING AND CURRENT ROW.",
              Rejections.at(node));
    }
    return new Frame.Bound.Offset(
        (Expr.Literal) distance, call.getOperator() == SqlWindow.PRECEDING_OPERATOR);
  }

  private static boolean isNegative(Object value) {
    return switch (value) {
      case BigDecimal number -> number.signum() < 0;
      case Long length -> length < 0;
      default -> true;
    };
  }

  private static boolean isRange(Type key, Type distance) {
    boolean moment = key.kind() == Type.Kind.DATE || key.kind() == Type.Kind.TIMESTAMP;
    return key.isNumeric() && distance.isExact() || moment && distance.isInterval();
  }
}
