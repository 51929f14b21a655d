package flexdp.gateway.collect;

import flexdp.gateway.ledger.KnownLedger;
import flexdp.metrics.Cut;
import flexdp.metrics.Frequency;
import flexdp.metrics.Metrics;
import flexdp.metrics.Profile;
import flexdp.metrics.TableMetrics;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Policy;
import flexdp.policy.Range;
import flexdp.policy.Table;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Metrics as the tree of maps and lists that their file holds. */
final class MetricsTree {
  private final Policy policy;

  MetricsTree(Policy policy) {
    this.policy = policy;
  }

  /** Everything, in the order of the policy. Each table's released part stands by itself. */
  Map<String, Object> all(
      Collected collected, Map<String, ReleasedTable> released, Optional<KnownLedger> ledger) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("flexdp", 1);
    for (Table table : policy.tables().values()) {
      if (!collected.metrics().tables().containsKey(table.name())) {
        continue;
      }
      Map<String, Range> ranges = collected.ranges().getOrDefault(table.name(), Map.of());
      Map<String, Object> entry =
          new LinkedHashMap<>(values(table, collected.metrics().table(table.name()), ranges));
      if (collected.metrics().table(table.name()).rowsPerPerson().isPresent()) {
        Cut.name(table, policy).ifPresent(name -> entry.put("cut", name));
      }
      entry.put("measuredAt", collected.measuredAt(table.name()));
      entry.put("snapshot", collected.snapshot(table.name()));
      ledger.ifPresent(known -> entry.put("ledger", known.id()));
      ledger.flatMap(KnownLedger::last).ifPresent(last -> entry.put(MetricsFile.LAST, last.text()));
      if (collected.enforced().containsKey(table.name())) {
        entry.put("enforced", lists(collected.enforced().get(table.name())));
      }
      if (released.containsKey(table.name())) {
        ReleasedTable part = released.get(table.name());
        Map<String, Object> both = release(table, part, part.snapshot());
        both.put("name", part.name());
        entry.put("released", both);
      }
      found(collected, table).ifPresent(some -> entry.put("foundRanges", some));
      tree.put(table.name(), entry);
    }
    return tree;
  }

  /** Ranges that were found of its columns: public, and of no state of the data. */
  private static Optional<Map<String, Object>> found(Collected collected, Table table) {
    Map<String, Metrics.FoundRange> all =
        collected.metrics().found().getOrDefault(table.name(), Map.of());
    Map<String, Object> tree = new LinkedHashMap<>();
    for (ColumnSpec column : table.columns()) {
      Metrics.FoundRange one = all.get(column.name());
      if (one != null) {
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("range", List.of(one.range().low(), one.range().high()));
        entry.put("epsilon", one.epsilon());
        entry.put("foundAt", one.at());
        tree.put(column.name(), entry);
      }
    }
    return tree.isEmpty() ? Optional.empty() : Optional.of(tree);
  }

  /**
   * Only what is public: what was released, and everything of public tables. The state that was
   * released from goes by a random name.
   */
  Map<String, Object> released(Collected collected, Map<String, ReleasedTable> released) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("flexdp", 1);
    for (Table table : policy.tables().values()) {
      if (table.isPublic()) {
        Map<String, Range> ranges = collected.ranges().getOrDefault(table.name(), Map.of());
        tree.put(table.name(), values(table, collected.metrics().table(table.name()), ranges));
      } else {
        Map<String, Object> entry = new LinkedHashMap<>();
        if (released.containsKey(table.name())) {
          ReleasedTable part = released.get(table.name());
          entry.put("released", release(table, part, part.name()));
        }
        found(collected, table).ifPresent(some -> entry.put("foundRanges", some));
        if (!entry.isEmpty()) {
          tree.put(table.name(), entry);
        }
      }
    }
    return tree;
  }

  private static List<List<String>> lists(Set<Set<String>> keys) {
    return keys.stream()
        .map(key -> List.copyOf(new TreeSet<>(key)))
        .sorted(java.util.Comparator.comparing(List::toString))
        .toList();
  }

  private Map<String, Object> release(Table table, ReleasedTable released, String state) {
    Map<String, Object> tree = values(table, released.release().values(), Map.of());
    if (released.release().values().rowsPerPerson().isPresent()) {
      Cut.name(table, policy).ifPresent(name -> tree.put("cut", name));
    }
    tree.put("epsilon", released.release().epsilon());
    tree.put("delta", released.release().delta());
    tree.put("releasedAt", released.releasedAt().toString());
    tree.put("snapshot", state);
    return tree;
  }

  private static Map<String, Object> values(
      Table table, TableMetrics metrics, Map<String, Range> ranges) {
    Map<String, Object> tree = new LinkedHashMap<>();
    metrics.rows().ifPresent(rows -> tree.put("rows", rows));
    Map<String, Object> columns = new LinkedHashMap<>();
    for (ColumnSpec column : table.columns()) {
      Map<String, Object> entry = new LinkedHashMap<>();
      Frequency frequency = metrics.frequencies().get(Set.of(column.name()));
      if (frequency != null) {
        put(entry, frequency);
      }
      Range range = ranges.get(column.name());
      if (range != null) {
        entry.put(
            "range",
            List.of(
                RangeEnd.of(range.low(), column.type()), RangeEnd.of(range.high(), column.type())));
      }
      if (!entry.isEmpty()) {
        columns.put(column.name(), entry);
      }
    }
    tree.put("columns", columns);
    List<Object> keys = new ArrayList<>();
    metrics.frequencies().entrySet().stream()
        .filter(e -> e.getKey().size() > 1)
        .map(e -> Map.entry(List.copyOf(new TreeSet<>(e.getKey())), e.getValue()))
        .sorted(java.util.Comparator.comparing(e -> e.getKey().toString()))
        .forEach(
            e -> {
              Map<String, Object> entry = new LinkedHashMap<>();
              entry.put("columns", e.getKey());
              put(entry, e.getValue());
              keys.add(entry);
            });
    tree.put("keys", keys);
    return tree;
  }

  private static void put(Map<String, Object> entry, Frequency frequency) {
    frequency.max().ifPresent(n -> entry.put("maxFrequency", n));
    frequency.maxWithNull().ifPresent(n -> entry.put("maxFrequencyWithNull", n));
  }

  /** A profile of people as the maps and lists that files hold. */
  static final class ProfileTree {
    private ProfileTree() {}

    static Map<String, Object> of(Profile profile, Instant at) {
      Map<String, Object> tree = new LinkedHashMap<>();
      tree.put("table", profile.table());
      profile.column().ifPresent(column -> tree.put("column", column));
      tree.put("kind", profile.kind());
      tree.put("upTo", profile.upTo());
      tree.put("people", profile.people());
      tree.put("scale", profile.scale());
      tree.put("epsilon", profile.epsilon());
      tree.put("releasedAt", at.toString());
      return tree;
    }

    /** What it is of. */
    static String name(Object tree) {
      return tree instanceof Map<?, ?> map ? map.get("table") + "\n" + map.get("column") : "";
    }
  }
}
