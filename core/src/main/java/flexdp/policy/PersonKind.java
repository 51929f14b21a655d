package flexdp.policy;

import java.math.BigInteger;
import java.util.List;
import java.util.Optional;

/**
 * A kind of people whom the policy protects, each with everything that they own.
 *
 * @param key where they are declared; absent when no table has a row for each of them, so that the
 *     value of an owner column is all that there is of a person
 * @param type of the key, and of every column that names such a person
 * @param nobody values that stand for no person at all
 * @param perPersonAtMost how many rows of one person count in one answer, at most
 */
public record PersonKind(
    String name,
    Optional<Key> key,
    Type type,
    List<Object> nobody,
    Optional<BigInteger> perPersonAtMost) {
  public PersonKind {
    nobody = List.copyOf(nobody);
  }

  /**
   * The column that names them, whoever has the same value being the same person. People without a
   * row there own rows all the same.
   */
  public record Key(String table, String column) {
    @Override
    public String toString() {
      return table + "." + column;
    }
  }

  public PrivacyUnit.Person unit() {
    return new PrivacyUnit.Person(name);
  }
}
