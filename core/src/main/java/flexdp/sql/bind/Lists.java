package flexdp.sql.bind;

import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.Function;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.policy.Type;
import flexdp.sql.function.Reject;
import java.util.Optional;
import java.util.function.IntFunction;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.util.Litmus;

/**
 * {@code STRING_AGG(x, ', ')}: the texts in their order, each with the separator after it, without
 * the last separator.
 */
record Lists(Expr x, String separator) {
  /**
   * @param within the order that WITHIN GROUP asks for: only that of the texts themselves is known
   * @param argument of the call, bound
   */
  static Lists of(
      String name, SqlCall call, Optional<SqlNodeList> within, IntFunction<Expr> argument) {
    Object separator =
        call.operandCount() == 1
            ? (name.equals("LISTAGG") ? "" : ",")
            : argument.apply(1) instanceof Expr.Literal literal ? literal.value() : null;
    if (within.filter(o -> !isOrder(o, call)).isPresent() || !(separator instanceof String text)) {
      throw Rejection.of(
          RejectionCode.UNSUPPORTED,
          "Texts are put together in their own order and with a constant between them.",
          "Write " + name + "(x, ', '), or order by x itself.",
          Reject.at(call));
    }
    return new Lists(Exprs.as(argument.apply(0), Type.VARCHAR), text);
  }

  private static boolean isOrder(SqlNodeList order, SqlCall call) {
    SqlNode key = order.get(0);
    return order.size() == 1
        && key.getKind() != SqlKind.DESCENDING
        && key.equalsDeep(call.operand(0), Litmus.IGNORE);
  }

  Expr each() {
    return separator.isEmpty()
        ? x
        : Exprs.call(Function.CONCAT, Type.VARCHAR, x, Exprs.text(separator));
  }

  Expr whole(Expr texts) {
    if (separator.isEmpty()) {
      return texts;
    }
    Expr length = Exprs.call(Function.CHAR_LENGTH, Type.INTEGER, texts);
    int last = separator.codePointCount(0, separator.length());
    return Exprs.call(
        Function.LEFT,
        Type.VARCHAR,
        texts,
        Exprs.call(Function.MINUS, Type.INTEGER, length, Exprs.integer(last)));
  }
}
