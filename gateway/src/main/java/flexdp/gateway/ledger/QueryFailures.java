package flexdp.gateway.ledger;

import flexdp.gateway.ledger.Ledger.FailureCount;
import flexdp.gateway.ledger.entry.ChargeOutcome;
import flexdp.gateway.ledger.entry.ChargeRequest;
import flexdp.gateway.ledger.entry.LedgerEvent;
import flexdp.policy.Policy;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Questions that failed in the database: a fold over charges and their ends. Whether a question
 * fails can depend on one row, and a failure is exact. So what failed is not run again in any
 * wording: not for who asked it, at any price, and for nobody on the terms on which it failed. An
 * analyst of whose questions several failed is stopped until the owner has looked; how those end
 * that were in flight is told no more.
 */
final class QueryFailures {
  /** After so long a charge without an end is taken for one whose process died. */
  static final Duration LONG = Duration.ofHours(1);

  /** What may have made a question fail beside its meaning. */
  private record Terms(BigDecimal epsilon, BigDecimal delta, String mechanism) {
    static Terms of(ChargeRequest request) {
      return new Terms(
          request.cost().epsilon().stripTrailingZeros(),
          request.cost().delta().stripTrailingZeros(),
          request.mechanism());
    }
  }

  /** A charge that has not ended. */
  private record Open(String analyst, Terms terms, Instant at, Set<String> meanings) {
    boolean concerns(ChargeRequest request) {
      return analyst.equals(request.analyst()) || terms.equals(Terms.of(request));
    }
  }

  /** A measurement that failed. */
  private record Failed(ChargeOutcome outcome, Open by) {}

  private static final class Record {
    private final Deque<Instant> times = new ArrayDeque<>();
    private boolean stopped;
  }

  private final Policy.Failures limit;
  private final Map<Long, Open> open = new HashMap<>();
  private final Map<String, Set<Long>> opened = new HashMap<>();
  private final Map<String, List<Failed>> failed = new HashMap<>();
  private final Map<String, Record> analysts = new HashMap<>();

  QueryFailures(Policy.Failures limit) {
    this.limit = limit;
  }

  void begin(long charge, ChargeRequest request, Instant at) {
    open.put(charge, new Open(request.analyst(), Terms.of(request), at, request.meanings()));
    request
        .meanings()
        .forEach(meaning -> opened.computeIfAbsent(meaning, m -> new TreeSet<>()).add(charge));
  }

  /** Whether the charge was open. */
  boolean end(LedgerEvent.Settled settled, Instant at) {
    Open ended = open.remove(settled.reservation());
    if (ended == null) {
      return false;
    }
    ended.meanings().forEach(meaning -> forget(meaning, settled.reservation()));
    if (settled.outcome().isFailure() && !settled.failed().isEmpty()) {
      Failed one = new Failed(settled.outcome(), ended);
      settled
          .failed()
          .forEach(meaning -> failed.computeIfAbsent(meaning, m -> new ArrayList<>()).add(one));
      Record record = analysts.computeIfAbsent(ended.analyst(), ignored -> new Record());
      record.times.add(at);
      while (!record.times.peek().isAfter(at.minus(limit.window()))) {
        record.times.poll();
      }
      record.stopped |= record.times.size() >= limit.atMost();
    }
    return true;
  }

  private void forget(String meaning, long charge) {
    opened.computeIfPresent(
        meaning,
        (m, charges) -> {
          charges.remove(charge);
          return charges.isEmpty() ? null : charges;
        });
  }

  /** The owner has looked: counting starts anew, and what failed may be tried again. */
  void clear(Optional<String> analyst) {
    if (analyst.isEmpty()) {
      failed.clear();
      analysts.clear();
      opened.clear();
    } else {
      failed.values().forEach(all -> all.removeIf(f -> f.by().analyst().equals(analyst.get())));
      failed.values().removeIf(List::isEmpty);
      analysts.remove(analyst.get());
      opened
          .values()
          .forEach(all -> all.removeIf(c -> open.get(c).analyst().equals(analyst.get())));
      opened.values().removeIf(Set::isEmpty);
    }
  }

  /** How something that a request measures failed before, or was left without an end long ago. */
  Optional<ChargeOutcome> before(ChargeRequest request, Instant now) {
    for (String meaning : request.meanings()) {
      for (Failed one : failed.getOrDefault(meaning, List.of())) {
        if (one.by().concerns(request)) {
          return Optional.of(one.outcome());
        }
      }
      for (long charge : opened.getOrDefault(meaning, Set.of())) {
        Open left = open.get(charge);
        if (left.at().isBefore(now.minus(LONG)) && left.concerns(request)) {
          return Optional.of(ChargeOutcome.FAILED);
        }
      }
    }
    return Optional.empty();
  }

  /** Whether how an open charge ends is told no more: its analyst has been stopped meanwhile. */
  boolean isWithheld(long charge) {
    Open one = open.get(charge);
    return one != null && !one.meanings().isEmpty() && isStopped(one.analyst());
  }

  /** Who asked what an open charge paid for. */
  String analyst(long charge) {
    return open.get(charge).analyst();
  }

  boolean isStopped(String analyst) {
    Record record = analysts.get(analyst);
    return record != null && record.stopped;
  }

  Set<String> stopped() {
    return analysts.entrySet().stream()
        .filter(e -> e.getValue().stopped)
        .map(Map.Entry::getKey)
        .collect(Collectors.toUnmodifiableSet());
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
