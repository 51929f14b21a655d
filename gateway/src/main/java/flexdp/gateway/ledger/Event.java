package flexdp.gateway.ledger;

import flexdp.budget.Account;
import java.math.BigDecimal;

/** What an entry records. */
public sealed interface Event {
  /** The first entry. */
  record Opened(String ledger, String note) implements Event {}

  /** A charge, made before the query runs. */
  record Reserved(Request request) implements Event {}

  /** How a reserved question ended. */
  record Settled(long reservation, Outcome outcome) implements Event {}

  /** The owner added to an allowance. */
  record Granted(Account account, BigDecimal epsilon, BigDecimal delta, String owner, String note)
      implements Event {}

  /** The limits that the policy sets from here on; an owner is named when they accepted it. */
  record Declared(Limits limits, String owner) implements Event {}

  /** The owner accepted that the clock stands before earlier entries; time starts again here. */
  record ClockAccepted(String owner, String note) implements Event {}

  /** The owner accepted that entries were lost. */
  record LossAccepted(String owner, String note) implements Event {}
}
