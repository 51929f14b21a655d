package flexdp.gateway.live;

import flexdp.gateway.database.Session;
import flexdp.plan.Plan;

/** Makes a plan hold in the state that a session reads. */
@FunctionalInterface
public interface Refresh {
  /** The plan whose private bounds are those of the session's state. */
  Plan in(Session session);
}
