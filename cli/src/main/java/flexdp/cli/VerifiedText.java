package flexdp.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import flexdp.failure.Failure;
import flexdp.gateway.lines.VerifyRequest;
import flexdp.gateway.verify.Verification.Verified;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What {@code verify} found: a table with counterexamples below it, or JSON lines. */
final class VerifiedText {
  private static final int WIDE = 48;
  private static final String ROW = "%-48s  %9s  %8s  %-14s  %-13s  %s%n";

  private final PrintWriter out;
  private final boolean json;
  private final List<String> below = new ArrayList<>();
  private boolean begun;

  VerifiedText(PrintWriter out, boolean json) {
    this.out = out;
    this.json = json;
  }

  void add(VerifyRequest request, Verified found) {
    if (json) {
      out.println(line(request, found));
      out.flush();
      return;
    }
    String seen =
        found
            .audit()
            .map(
                a ->
                    String.format(Locale.ROOT, "%.2f of %s", a.seen(), a.epsilon().toPlainString()))
            .orElse("-");
    row(
        request,
        String.format(Locale.ROOT, "%,d", found.checks()),
        String.format(Locale.ROOT, "%.2f", found.tightest()),
        found.mechanism(),
        seen,
        found.isBroken() ? "BROKEN" : found.note().isEmpty() ? "holds" : found.note());
    found.broken().ifPresent(broken -> below.addAll(text(request, broken)));
  }

  void add(VerifyRequest request, Failure failure) {
    if (json) {
      ObjectNode line = JsonNodeFactory.instance.objectNode();
      id(line, request);
      line.put("status", "rejected");
      line.put("code", failure.codeName());
      line.put("message", failure.message());
      out.println(line);
      out.flush();
      return;
    }
    row(request, "-", "-", "-", "-", "rejected: " + failure.codeName());
  }

  private void row(VerifyRequest request, Object... cells) {
    if (!begun) {
      begun = true;
      out.printf(
          Locale.ROOT,
          ROW,
          "question",
          "checks",
          "tightest",
          "mechanism",
          "epsilon seen",
          "verdict");
    }
    List<Object> all = new ArrayList<>(List.of(brief(request.sql())));
    all.addAll(List.of(cells));
    out.printf(Locale.ROOT, ROW, all.toArray());
    out.flush();
  }

  private static String brief(String sql) {
    String line = sql.strip().replaceAll("\\s+", " ");
    return line.length() <= WIDE ? line : line.substring(0, WIDE - 1) + "…";
  }

  private static List<String> text(VerifyRequest request, Verified.Counterexample broken) {
    List<String> lines = new ArrayList<>();
    lines.add("");
    lines.add("A promise breaks for: " + request.sql().strip());
    lines.add("  " + broken.what());
    lines.add(
        broken.rows().isEmpty() ? "  in the empty database" : "  in the database with the rows");
    broken.rows().forEach(row -> lines.add("    " + row));
    broken.neighbour().forEach(row -> lines.add("  " + row));
    lines.add("No answer to this question is private until that is mended; please report it.");
    return lines;
  }

  void end() {
    below.forEach(out::println);
    out.flush();
  }

  private static void id(ObjectNode line, VerifyRequest request) {
    if (request.id() == null) {
      line.putNull("id");
    } else {
      line.put("id", request.id().toString());
    }
  }

  private static ObjectNode line(VerifyRequest request, Verified found) {
    ObjectNode line = JsonNodeFactory.instance.objectNode();
    id(line, request);
    line.put("status", found.isBroken() ? "broken" : "holds");
    line.put("databases", found.databases());
    line.put("checks", found.checks());
    line.put("tightest", found.tightest());
    line.put("mechanism", found.mechanism());
    found
        .audit()
        .ifPresent(
            audit -> {
              line.put("epsilon", audit.epsilon());
              line.put("epsilonSeen", audit.seen());
              line.put("answers", audit.answers());
            });
    if (!found.note().isEmpty()) {
      line.put("note", found.note());
    }
    found
        .broken()
        .ifPresent(
            broken -> {
              ObjectNode example = line.putObject("counterexample");
              example.put("what", broken.what());
              ArrayNode rows = example.putArray("rows");
              broken.rows().forEach(rows::add);
              ArrayNode neighbour = example.putArray("neighbour");
              broken.neighbour().forEach(neighbour::add);
            });
    return line;
  }
}
