package flexdp.policy;

import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Whose rows those of a table are.
 *
 * @param owners none: each row stands for itself
 * @param keepsUnowned whether a row without any owner is a person of its own; otherwise it is not
 *     there at all
 * @param rowsPerPerson how many rows of one person are read where their ownership is lost
 * @param sameOwner columns whose equal values, the owner says, stand in rows of one person, as of
 *     one session: what groups or joins by them does so by the person as well. No bound rests on it
 */
public record TableOwnership(
    List<OwnerPath> owners,
    boolean keepsUnowned,
    Optional<BigInteger> rowsPerPerson,
    Set<String> sameOwner) {
  /** Each row stands for itself. */
  public static final TableOwnership ROWS = new TableOwnership(List.of(), false, Optional.empty());

  public TableOwnership {
    owners = List.copyOf(owners);
    sameOwner = Set.copyOf(sameOwner);
  }

  /** With no column of which more is said. */
  public TableOwnership(
      List<OwnerPath> owners, boolean keepsUnowned, Optional<BigInteger> rowsPerPerson) {
    this(owners, keepsUnowned, rowsPerPerson, Set.of());
  }

  /** The owner, when no row has more than one. */
  public Optional<OwnerPath> only() {
    return owners.size() == 1 ? Optional.of(owners.getFirst()) : Optional.empty();
  }

  /** Whether a row may have more than one owner. */
  public boolean isShared() {
    return owners.size() > 1;
  }
}
