package flexdp.gateway.live;

import flexdp.gateway.collect.Remeasurement;
import flexdp.gateway.database.Session;
import flexdp.metrics.TableMetrics;
import flexdp.plan.Plan;
import flexdp.policy.Table;
import java.sql.SQLException;

/** Makes a plan hold in the state that a session reads. */
@FunctionalInterface
public interface Refresh {
  /** The plan whose private bounds are those of the session's state. */
  Plan in(Session session);

  /** Measures in the session what earlier metrics tell. */
  static TableMetrics measure(
      Remeasurement remeasurement, Table table, TableMetrics earlier, Session session) {
    try {
      return remeasurement.of(table, earlier, session::run);
    } catch (SQLException e) {
      throw new IllegalStateException("sessions report failures of their own kind", e);
    }
  }
}
