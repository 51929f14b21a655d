package flexdp.policy;

import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A table that may be asked about.
 *
 * @param uniqueKeys sets of columns that no two rows share (rows with a NULL among them excepted)
 * @param caps frequencies the owner vouches for; they hold at every distance
 * @param insertsAtMost how many rows, the owner vouches, are inserted or get another key between
 *     two measurements: 0 for a static table; absent when anything may happen
 * @param ownership whose rows they are
 */
public record Table(
    String name,
    boolean isPublic,
    List<ColumnSpec> columns,
    List<Set<String>> uniqueKeys,
    List<FrequencyCap> caps,
    Optional<BigInteger> insertsAtMost,
    Ownership ownership) {

  /** No combination of values of these columns occurs in more rows than this, NULLs aside. */
  public record FrequencyCap(Set<String> columns, BigInteger atMost) {}

  public Table {
    columns = List.copyOf(columns);
    uniqueKeys = uniqueKeys.stream().map(Set::copyOf).toList();
    caps = List.copyOf(caps);
  }

  /** Each of whose rows stands for itself. */
  public Table(
      String name,
      boolean isPublic,
      List<ColumnSpec> columns,
      List<Set<String>> uniqueKeys,
      List<FrequencyCap> caps,
      Optional<BigInteger> insertsAtMost) {
    this(name, isPublic, columns, uniqueKeys, caps, insertsAtMost, Ownership.ROWS);
  }

  /** Of which nothing is known to stay as it was measured. */
  public Table(
      String name,
      boolean isPublic,
      List<ColumnSpec> columns,
      List<Set<String>> uniqueKeys,
      List<FrequencyCap> caps) {
    this(name, isPublic, columns, uniqueKeys, caps, Optional.empty());
  }

  public boolean isProtected() {
    return !isPublic;
  }

  /** What one step between neighbours takes rows from: nothing of a public table. */
  public List<Unit> units() {
    if (isPublic) {
      return List.of();
    }
    return ownership.owners().isEmpty()
        ? List.of(new Unit.Row(name))
        : ownership.owners().stream()
            .<Unit>map(owner -> new Unit.Person(owner.kind()))
            .distinct()
            .sorted()
            .toList();
  }

  public Table ownedBy(Ownership owners) {
    return new Table(name, isPublic, columns, uniqueKeys, caps, insertsAtMost, owners);
  }

  public Table withColumns(List<ColumnSpec> others) {
    return new Table(name, isPublic, others, uniqueKeys, caps, insertsAtMost, ownership);
  }

  public Optional<ColumnSpec> column(String name) {
    return columns.stream().filter(c -> c.name().equals(name)).findFirst();
  }
}
