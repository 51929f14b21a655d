package flexdp.budget;

import java.util.Collections;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The parts of a table that a question can read; all others are the same to it.
 *
 * @param by the partition, see {@link flexdp.policy.Table.Partition#identity}
 * @param names at least one
 */
public record ChargedPartitions(String by, SortedSet<String> names) {
  /** A question that reads more of them is charged to all of the table. */
  public static final int MOST = 400;

  public ChargedPartitions {
    if (names.isEmpty() || names.size() > MOST) {
      throw new IllegalArgumentException("no parts, or too many");
    }
    names = Collections.unmodifiableSortedSet(new TreeSet<>(names));
  }

  /** Both; nothing where that is all of the table. */
  public Optional<ChargedPartitions> and(ChargedPartitions other) {
    if (!by.equals(other.by)) {
      return Optional.empty();
    }
    SortedSet<String> both = new TreeSet<>(names);
    both.addAll(other.names);
    return both.size() > MOST ? Optional.empty() : Optional.of(new ChargedPartitions(by, both));
  }
}
