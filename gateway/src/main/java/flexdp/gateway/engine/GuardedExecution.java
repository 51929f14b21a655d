package flexdp.gateway.engine;

import flexdp.failure.Position;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.failure.TimeBudget;
import flexdp.gateway.database.CancellationToken;
import flexdp.gateway.database.CancellationToken.QueryCancelled;
import flexdp.gateway.database.DeepStackThreads;
import flexdp.gateway.database.Session.DatabaseTimeout;
import flexdp.noise.PrivacyParameters;
import flexdp.plan.Planner;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Does what a text asks for where the stack fits it and for as long as a statement may run, and
 * says in words what ends it early. What goes wrong after the charge never comes here: {@link
 * Charging} tells of it.
 */
public final class GuardedExecution {
  private GuardedExecution() {}

  /**
   * @param timeout for what is thought about; statements have their own
   */
  public static <T> T over(
      String sql, Duration timeout, CancellationToken cancellation, Supplier<T> work) {
    try (TimeBudget.Limit ignored = TimeBudget.limit(cancellation.within(timeout))) {
      return DeepStackThreads.<T, RuntimeException>over(sql, work::get);
    } catch (StackOverflowError e) {
      throw Rejection.of(
          RejectionCode.TOO_COMPLEX,
          "The question is nested too deeply.",
          "Flatten it, or join and combine less in one question.",
          Position.START);
    } catch (PrivacyParameters.OutOfRange e) {
      throw Planner.refused(e);
    } catch (DatabaseTimeout e) {
      throw Charging.timeout();
    } catch (QueryCancelled e) {
      throw Charging.cancelled();
    }
  }
}
