package flexdp.server.connection;

import flexdp.server.session.ErrorFields;
import flexdp.server.session.SqlError;
import flexdp.server.wire.Replies;
import java.io.IOException;

/** An error after which the connection ends. */
final class FatalError extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final String state;

  FatalError(String state, String message) {
    super(message, null, false, false);
    this.state = state;
  }

  void tell(Replies replies) throws IOException {
    replies.report('E', ErrorFields.fields(SqlError.of(state, getMessage()), "FATAL", ""));
    replies.flush();
  }
}
