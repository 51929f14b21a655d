package flexdp.server.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import flexdp.policy.Policy;
import flexdp.server.audit.AuditLog;
import flexdp.server.engine.Charge;
import flexdp.server.engine.Engine;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What was asked: the charges of the ledger, and between them the repeats that were free, which
 * only the door knows.
 */
final class HistoryJson {
  private final AuditLog audit;
  private final Call call;

  HistoryJson(AuditLog audit, Call call) {
    this.audit = audit;
    this.call = call;
  }

  private record Line(Instant at, ObjectNode node) {}

  ObjectNode of(Engine engine) {
    Optional<String> whose =
        call.caller().isOwner() ? call.query("analyst") : Optional.of(call.name());
    int limit = call.limit(100, 1_000);
    long before = call.number("before").orElse(Long.MAX_VALUE);
    List<Charge> charges = engine.history(whose).stream().filter(c -> c.seq() < before).toList();
    List<Charge> shown = charges.subList(Math.max(0, charges.size() - limit), charges.size());
    List<Line> lines = new ArrayList<>();
    shown.forEach(c -> lines.add(line(c, engine.policy())));
    Instant from = charges.size() > limit ? shown.getFirst().at() : Instant.MIN;
    Instant to = before == Long.MAX_VALUE ? Instant.MAX : last(shown);
    repeats(engine.name(), whose, from, to, limit).forEach(lines::add);
    lines.sort(Comparator.comparing(Line::at).reversed());
    ObjectNode root = Json.object();
    ArrayNode list = root.putArray("questions");
    lines.forEach(line -> list.add(line.node()));
    if (charges.size() > limit) {
      root.put("next", shown.getFirst().seq());
    } else {
      root.putNull("next");
    }
    return root;
  }

  private static Instant last(List<Charge> shown) {
    return shown.isEmpty() ? Instant.MIN : shown.getLast().at();
  }

  /** The ledger has tables by the names of the database; a policy's word says more. */
  private static String word(String table, Policy policy) {
    String last = table.replaceFirst("(?s)^.*\\.\"([^\"]+)\"$", "$1");
    return policy.tables().containsKey(last) ? last : table;
  }

  private static Line line(Charge charge, Policy policy) {
    ObjectNode node = Json.object().put("seq", charge.seq()).put("at", charge.at().toString());
    node.put("analyst", charge.analyst()).put("sql", charge.query());
    ArrayNode tables = node.putArray("tables");
    charge.tables().stream().map(t -> word(t, policy)).sorted().forEach(tables::add);
    node.put("mechanism", charge.mechanism());
    node.put("epsilon", Json.plain(charge.epsilon())).put("delta", Json.plain(charge.delta()));
    node.put("outcome", charge.outcome()).put("repeat", charge.tables().isEmpty());
    return new Line(charge.at(), node);
  }

  private List<Line> repeats(
      String database, Optional<String> whose, Instant from, Instant to, int limit) {
    List<Line> lines = new ArrayList<>();
    for (AuditLog.Event event : audit.latest(10_000)) {
      boolean meant =
          event.outcome().equals("repeat")
              && event.database().equals(database)
              && whose.map(event.user()::equals).orElse(true)
              && event.at().isAfter(from)
              && event.at().isBefore(to);
      if (meant && lines.size() < limit) {
        ObjectNode node = Json.object().putNull("seq").put("at", event.at().toString());
        node.put("analyst", event.user()).put("sql", event.sql());
        node.putArray("tables");
        node.putNull("mechanism").put("epsilon", BigDecimal.ZERO).put("delta", BigDecimal.ZERO);
        node.put("outcome", "released").put("repeat", true);
        lines.add(new Line(event.at(), node));
      }
    }
    return lines;
  }
}
