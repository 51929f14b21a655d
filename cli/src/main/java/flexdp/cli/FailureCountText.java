package flexdp.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import flexdp.gateway.ledger.Ledger.FailureCount;
import java.io.PrintWriter;
import java.util.Map;

/** Analysts of whose questions some failed in the database. */
final class FailureCountText {
  private FailureCountText() {}

  static void print(PrintWriter out, Map<String, FailureCount> failures) {
    failures.forEach(
        (analyst, count) ->
            out.println(
                "failures   analyst "
                    + analyst
                    + ": "
                    + count.recent()
                    + " lately, "
                    + (count.stopped()
                        ? "stopped until ./flexdp budget clear-failures --analyst " + analyst
                        : "stopped at " + count.atMost())));
  }

  static void json(ObjectNode root, Map<String, FailureCount> failures) {
    ObjectNode all = root.putObject("failures");
    failures.forEach(
        (analyst, count) ->
            all.putObject(analyst)
                .put("recent", count.recent())
                .put("atMost", count.atMost())
                .put("stopped", count.stopped()));
  }
}
