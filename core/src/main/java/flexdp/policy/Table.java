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
 */
public record Table(
    String name,
    boolean isPublic,
    List<ColumnSpec> columns,
    List<Set<String>> uniqueKeys,
    List<FrequencyCap> caps) {

  /** No combination of values of these columns occurs in more rows than this, NULLs aside. */
  public record FrequencyCap(Set<String> columns, BigInteger atMost) {}

  public Table {
    columns = List.copyOf(columns);
    uniqueKeys = uniqueKeys.stream().map(Set::copyOf).toList();
    caps = List.copyOf(caps);
  }

  public boolean isProtected() {
    return !isPublic;
  }

  public Optional<ColumnSpec> column(String name) {
    return columns.stream().filter(c -> c.name().equals(name)).findFirst();
  }
}
