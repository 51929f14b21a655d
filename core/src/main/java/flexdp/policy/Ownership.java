package flexdp.policy;

import java.math.BigInteger;
import java.util.List;
import java.util.Optional;

/**
 * Whose rows those of a table are.
 *
 * @param owners none: each row stands for itself
 * @param keepsUnowned whether a row without any owner is a person of its own; otherwise it is not
 *     there at all
 * @param rowsPerPerson how many rows of one person are read where their ownership is lost
 */
public record Ownership(
    List<Owner> owners, boolean keepsUnowned, Optional<BigInteger> rowsPerPerson) {
  /** Each row stands for itself. */
  public static final Ownership ROWS = new Ownership(List.of(), false, Optional.empty());

  public Ownership {
    owners = List.copyOf(owners);
  }

  /** The owner, when no row has more than one. */
  public Optional<Owner> only() {
    return owners.size() == 1 ? Optional.of(owners.getFirst()) : Optional.empty();
  }

  /** Whether a row may have more than one owner. */
  public boolean isShared() {
    return owners.size() > 1;
  }
}
