package flexdp.policy;

import java.math.BigInteger;
import java.util.List;
import java.util.Optional;

/**
 * A kind of people whom the policy protects, each with everything that they own.
 *
 * @param table where their key is declared; people without a row there own rows all the same
 * @param column the key: whoever has the same value is the same person
 * @param type of the key, and of every column that names such a person
 * @param nobody values that stand for no person at all
 * @param perPersonAtMost how many rows of one person count in one answer, at most
 */
public record Kind(
    String name,
    String table,
    String column,
    Type type,
    List<Object> nobody,
    Optional<BigInteger> perPersonAtMost) {
  public Kind {
    nobody = List.copyOf(nobody);
  }

  public Unit.Person unit() {
    return new Unit.Person(name);
  }
}
