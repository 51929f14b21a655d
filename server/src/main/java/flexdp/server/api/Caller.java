package flexdp.server.api;

import flexdp.server.login.Sessions;
import flexdp.server.login.User;
import java.util.Optional;

/**
 * Somebody who is known.
 *
 * @param session when they came with a browser's cookie rather than a token
 */
record Caller(User user, Optional<Sessions.Session> session) {
  boolean isOwner() {
    return user.right() == User.Right.OWNER;
  }
}
