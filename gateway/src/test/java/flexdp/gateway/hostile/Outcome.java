package flexdp.gateway.hostile;

import java.util.List;

/**
 * How a question ended, as the analyst sees it.
 *
 * @param status "answered" or the code of the failure
 * @param log what only the owner sees
 */
record Outcome(String status, List<String> columns, List<List<Object>> rows, String log) {
  static final String ANSWERED = "answered";

  static Outcome failed(String code, String log) {
    return new Outcome(code, List.of(), List.of(), log);
  }

  boolean answered() {
    return status.equals(ANSWERED);
  }

  /** Whether the question was run and went wrong, as opposed to refused. */
  boolean broke() {
    return status.startsWith("broke");
  }
}
