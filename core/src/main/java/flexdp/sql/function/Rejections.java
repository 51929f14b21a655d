package flexdp.sql.function;

import flexdp.failure.Position;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Rejections at a place of the text. */
public final class Rejections {
  private Rejections() {}

  public static Position at(SqlNode node) {
    return node == null ? Position.START : at(node.getParserPosition());
  }

  public static Position at(SqlParserPos pos) {
    return pos.getLineNum() < 1 || pos.getColumnNum() < 1
        ? Position.START
        : new Position(pos.getLineNum(), pos.getColumnNum());
  }

  public static Rejection of(RejectionCode code, String message, String hint, SqlNode node) {
    return Rejection.of(code, message, hint, at(node));
  }

  public static Rejection unsupported(String what, String hint, SqlNode node) {
    return of(RejectionCode.UNSUPPORTED, what + " has no rule here.", hint, node);
  }

  public static Rejection types(String message, String hint, Position at) {
    return Rejection.of(RejectionCode.TYPE_MISMATCH, message, hint, at);
  }
}
