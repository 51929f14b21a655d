package flexdp.sql.text;

import flexdp.failure.Position;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * Makes a parsed tree shallow enough for recursive readers, without recursion of its own. Chains of
 * AND and of OR, which a program may have written ten thousand terms long, become balanced trees;
 * whatever is still too deep is rejected.
 */
final class SqlShape {
  static final int MAX_DEPTH = 600;

  /** A node still to visit, and how deep it lies. */
  private record Visit(SqlNode node, int depth) {}

  private SqlShape() {}

  static SqlNode flatten(SqlNode root) {
    Deque<Visit> open = new ArrayDeque<>();
    open.push(new Visit(root, 1));
    while (!open.isEmpty()) {
      Visit visit = open.pop();
      SqlNode node = visit.node();
      if (visit.depth() > MAX_DEPTH) {
        throw tooDeep(node);
      }
      List<SqlNode> children = List.of();
      if (node instanceof SqlBasicCall call && isLogic(call)) {
        children = balance(call);
      } else if (node instanceof SqlCall call) {
        children = call.getOperandList();
      } else if (node instanceof SqlNodeList list) {
        children = list;
      }
      for (SqlNode child : children) {
        if (child != null) {
          open.push(new Visit(child, visit.depth() + 1));
        }
      }
    }
    return root;
  }

  private static boolean isLogic(SqlCall call) {
    return call.getKind() == SqlKind.AND || call.getKind() == SqlKind.OR;
  }

  /** Rewrites a chain of one operator in place and returns its terms. */
  private static List<SqlNode> balance(SqlBasicCall chain) {
    List<SqlNode> terms = new ArrayList<>();
    SqlNode node = chain;
    while (node instanceof SqlBasicCall call
        && call.getKind() == chain.getKind()
        && call.operandCount() == 2) {
      terms.add(call.operand(1));
      node = call.operand(0);
    }
    terms.add(node);
    Collections.reverse(terms);
    if (terms.size() > 3) {
      int half = terms.size() / 2;
      chain.setOperand(0, tree(chain, terms.subList(0, half)));
      chain.setOperand(1, tree(chain, terms.subList(half, terms.size())));
    }
    return terms;
  }

  private static SqlNode tree(SqlBasicCall like, List<SqlNode> terms) {
    if (terms.size() == 1) {
      return terms.get(0);
    }
    int half = terms.size() / 2;
    SqlNode left = tree(like, terms.subList(0, half));
    SqlNode right = tree(like, terms.subList(half, terms.size()));
    SqlParserPos span = left.getParserPosition().plus(right.getParserPosition());
    return like.getOperator().createCall(span, left, right);
  }

  private static Rejection tooDeep(SqlNode node) {
    SqlParserPos pos = node.getParserPosition();
    Position at =
        pos.getLineNum() < 1 ? Position.START : new Position(pos.getLineNum(), pos.getColumnNum());
    return Rejection.of(
        RejectionCode.TOO_COMPLEX,
        "The query is nested more than " + MAX_DEPTH + " levels deep.",
        "Shorten long chains of operators; use IN (...) for many values.",
        at);
  }
}
