package flexdp.gateway.propose;

import java.util.List;

/** Something that a CHECK constraint makes true of every row. NULL passes all but NotNull. */
sealed interface CheckFact {
  String column();

  record AtLeast(String column, Object value, boolean strict) implements CheckFact {}

  record AtMost(String column, Object value, boolean strict) implements CheckFact {}

  record OneOf(String column, List<Object> values) implements CheckFact {}

  record NotNull(String column) implements CheckFact {}
}
