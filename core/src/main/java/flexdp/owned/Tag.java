package flexdp.owned;

import flexdp.policy.Owner;
import java.util.Optional;

/**
 * That the value of a column fixes the owner of its row, by one function of the database. Equal
 * values of columns with the same function therefore belong to the same person.
 *
 * @param key what the function looks up; absent when the value itself names the person
 * @param nullable whether the column may be NULL, which names nobody: rows of several people may
 *     share it
 */
record Tag(Optional<Key> key, boolean nullable) {
  /** A column without equals in its table, and the path from there to the person. */
  record Key(String table, String column, Owner path) {}

  static Tag owner() {
    return new Tag(Optional.empty(), false);
  }

  static Tag key(String table, String column, Owner path, boolean nullable) {
    return new Tag(Optional.of(new Key(table, column, path)), nullable);
  }

  boolean isAlike(Tag other) {
    return key.equals(other.key);
  }

  Tag orNull(boolean padded) {
    return new Tag(key, nullable || padded);
  }
}
