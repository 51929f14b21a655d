package flexdp.footprint;

import flexdp.algebra.Column;
import flexdp.algebra.Relation;
import flexdp.algebra.Tree;
import flexdp.budget.ChargedParts;
import flexdp.policy.Partition;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;

/**
 * The parts of partitioned tables that all of a question reads, collected from the relations that
 * it is answered from. Rows of other parts change nothing in any of them.
 */
public final class Footprints {
  private final Map<String, PartSet> parts = new HashMap<>();
  private final Map<String, Partition> partitions = new HashMap<>();
  private final Set<String> whole = new HashSet<>();

  /** Reads what a relation needs. */
  public void add(Relation relation) {
    if (!isPartitioned(relation)) {
      return;
    }
    if (hasTwins(relation)) {
      addWhole(relation);
      return;
    }
    new ReadParts(this::found).visit(relation, List.of());
  }

  private static boolean isPartitioned(Relation relation) {
    boolean[] found = {false};
    Tree.visit(
        relation,
        r -> found[0] |= r instanceof Relation.Scan scan && scan.table().charged().isPresent());
    return found[0];
  }

  /** Something reads all rows of the tables of a relation. */
  public void addWhole(Relation relation) {
    Tree.visit(
        relation,
        r -> {
          if (r instanceof Relation.Scan scan) {
            whole.add(scan.table().name());
          }
        });
  }

  private void found(Relation.Scan scan, PartSet read) {
    String table = scan.table().name();
    partitions.put(table, scan.table().charged().orElseThrow());
    parts.merge(table, read, (one, other) -> one.or(List.of(other)));
  }

  /** Conditions name columns by id: two scans that shared one could not be told apart. */
  private static boolean hasTwins(Relation relation) {
    Set<Integer> seen = new HashSet<>();
    boolean[] twins = {false};
    Tree.visit(
        relation,
        r -> {
          if (r instanceof Relation.Scan scan) {
            for (Column column : scan.columns()) {
              twins[0] |= !seen.add(column.id());
            }
          }
        });
    return twins[0];
  }

  /**
   * By table; one that is missing is read as a whole. So is one of which no part can matter: such a
   * question is not worth a rule.
   */
  public SortedMap<String, ChargedParts> parts() {
    SortedMap<String, ChargedParts> all = new TreeMap<>();
    parts.forEach(
        (table, read) -> {
          Optional<SortedSet<String>> names =
              whole.contains(table) ? Optional.empty() : read.names(ChargedParts.MOST);
          names
              .filter(n -> !n.isEmpty())
              .ifPresent(
                  n -> all.put(table, new ChargedParts(partitions.get(table).identity(), n)));
        });
    return all;
  }
}
