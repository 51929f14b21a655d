package flexdp.sql.bind;

import flexdp.sql.function.AggregateWord;
import flexdp.sql.function.FunctionFinder;
import flexdp.sql.function.Rejections;
import java.util.Optional;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelectKeyword;

/** An aggregate function as it is written, and what surrounds it: FILTER and WITHIN GROUP. */
record AggregateSyntax(SqlCall call, Optional<SqlNode> filter, Optional<SqlNodeList> within) {

  static AggregateSyntax of(SqlCall whole) {
    SqlCall call = whole;
    Optional<SqlNode> filter = Optional.empty();
    Optional<SqlNodeList> within = Optional.empty();
    while (true) {
      switch (call.getKind()) {
        case FILTER -> filter = Optional.of(call.operand(1));
        case WITHIN_GROUP -> within = Optional.of(call.operand(1));
        case WITHIN_DISTINCT, RESPECT_NULLS, IGNORE_NULLS ->
            throw Rejections.unsupported(call.getOperator().getName(), "Leave it out.", call);
        default -> {
          return new AggregateSyntax(call, filter, within);
        }
      }
      call = call.operand(0);
    }
  }

  boolean isDistinct() {
    return call.getFunctionQuantifier() != null
        && call.getFunctionQuantifier().symbolValue(SqlSelectKeyword.class)
            == SqlSelectKeyword.DISTINCT;
  }

  /** Nothing that is written may be left out: the answer would be to another question. */
  void requireFit(AggregateWord word) {
    if (isDistinct() && !word.takesDistinct()) {
      throw Rejections.unsupported(
          "DISTINCT in " + FunctionFinder.nameOf(call),
          "Select the distinct values in a subquery and aggregate those.",
          call);
    }
    if (within.isPresent() && !word.takesOrder()) {
      throw Rejections.unsupported(
          FunctionFinder.nameOf(call) + " … WITHIN GROUP", "Leave WITHIN GROUP out.", call);
    }
    if (word != AggregateWord.TEXTS && within.map(SqlNodeList::size).orElse(1) > 1) {
      throw Rejections.unsupported(
          FunctionFinder.nameOf(call) + " in the order of several columns",
          "Order by one of them.",
          call);
    }
  }
}
