package flexdp.gateway.ledger;

import flexdp.gateway.ledger.entry.Event;
import flexdp.gateway.ledger.entry.Outcome;
import flexdp.gateway.ledger.entry.Request;
import flexdp.policy.Policy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Questions that failed in the database: a fold over charges and their ends. Whether a question
 * fails can depend on one row, and a failure is exact. So what failed is not run again in any
 * wording, and an analyst of whose questions several failed is stopped until the owner has looked.
 */
final class Failures {
  /** After so long a charge without an end is taken for one whose process died. */
  static final Duration LONG = Duration.ofHours(1);

  /** A charge that has not ended. */
  private record Open(String analyst, Instant at, Set<String> meanings) {}

  /** A measurement that failed. */
  record Failed(Outcome outcome, String analyst, Instant at) {}

  private static final class Record {
    private final Deque<Instant> times = new ArrayDeque<>();
    private boolean stopped;
  }

  private final Policy.Failures limit;
  private final Map<Long, Open> open = new HashMap<>();
  private final Map<String, Long> opened = new HashMap<>();
  private final Map<String, Failed> failed = new HashMap<>();
  private final Map<String, Record> analysts = new HashMap<>();

  Failures(Policy.Failures limit) {
    this.limit = limit;
  }

  void begin(long charge, Request request, Instant at) {
    open.put(charge, new Open(request.analyst(), at, request.meanings()));
    request.meanings().forEach(meaning -> opened.putIfAbsent(meaning, charge));
  }

  /** Whether the charge was open. */
  boolean end(Event.Settled settled, Instant at) {
    Open ended = open.remove(settled.reservation());
    if (ended == null) {
      return false;
    }
    ended.meanings().forEach(meaning -> opened.remove(meaning, settled.reservation()));
    if (settled.outcome().isFailure() && !settled.failed().isEmpty()) {
      Failed one = new Failed(settled.outcome(), ended.analyst(), at);
      settled.failed().forEach(meaning -> failed.putIfAbsent(meaning, one));
      Record record = analysts.computeIfAbsent(ended.analyst(), ignored -> new Record());
      record.times.add(at);
      while (!record.times.peek().isAfter(at.minus(limit.window()))) {
        record.times.poll();
      }
      record.stopped |= record.times.size() >= limit.atMost();
    }
    return true;
  }

  /** The owner has looked: counting starts anew, and what failed may be tried again. */
  void clear(Optional<String> analyst) {
    if (analyst.isEmpty()) {
      failed.clear();
      analysts.clear();
      opened.clear();
    } else {
      failed.values().removeIf(one -> one.analyst().equals(analyst.get()));
      analysts.remove(analyst.get());
      opened.values().removeIf(charge -> open.get(charge).analyst().equals(analyst.get()));
    }
  }

  /** How one of these failed before, or was left without an end long ago. */
  Optional<Outcome> before(Set<String> meanings, Instant now) {
    for (String meaning : meanings) {
      Failed one = failed.get(meaning);
      if (one != null) {
        return Optional.of(one.outcome());
      }
      Long charge = opened.get(meaning);
      if (charge != null && open.get(charge).at().isBefore(now.minus(LONG))) {
        return Optional.of(Outcome.FAILED);
      }
    }
    return Optional.empty();
  }

  boolean isStopped(String analyst) {
    Record record = analysts.get(analyst);
    return record != null && record.stopped;
  }

  boolean isOpen(long charge) {
    return open.containsKey(charge);
  }

  /** How the analysts stand of whose questions some failed. */
  Map<String, FailureCount> counts(Instant now) {
    Map<String, FailureCount> all = new TreeMap<>();
    analysts.forEach(
        (analyst, record) -> {
          int recent =
              (int) record.times.stream().filter(t -> t.isAfter(now.minus(limit.window()))).count();
          if (recent > 0 || record.stopped) {
            all.put(analyst, new FailureCount(recent, limit.atMost(), record.stopped));
          }
        });
    return all;
  }
}
