package flexdp.ownership;

import flexdp.policy.OwnerPath;
import java.util.Optional;

/**
 * That the value of a column fixes the owner of its row, by one function of the database. Equal
 * values of columns with the same function therefore belong to the same person.
 *
 * @param key what the function looks up; absent when the value itself names the person
 * @param nullable whether the column may be NULL, which names nobody: rows of several people may
 *     share it
 */
record OwnerDeterminant(Optional<Key> key, boolean nullable) {
  /** A column without equals in its table, and the path from there to the person. */
  record Key(String table, String column, OwnerPath path) {}

  static OwnerDeterminant owner() {
    return new OwnerDeterminant(Optional.empty(), false);
  }

  static OwnerDeterminant key(String table, String column, OwnerPath path, boolean nullable) {
    return new OwnerDeterminant(Optional.of(new Key(table, column, path)), nullable);
  }

  boolean isAlike(OwnerDeterminant other) {
    return key.equals(other.key);
  }

  OwnerDeterminant orNull(boolean padded) {
    return new OwnerDeterminant(key, nullable || padded);
  }
}
