package flexdp.experiments.djoin;

import java.math.BigInteger;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The exchange, as one party follows the other. A sends its keys under its secret power a, and the
 * generator under a. B raises them to its own power b, sends its own keys under b, and puts hidden
 * matched pairs among both. A raises B's keys to a and counts those that both lists have.
 *
 * <p>All lists are padded to public sizes and shuffled. Who has more keys than its public size may
 * not take part: a longer list would tell.
 */
final class Exchanged {
  private final Squares group;
  private final HiddenPairs hidden;
  private final SecureRandom random;

  Exchanged(Squares group, HiddenPairs hidden, SecureRandom random) {
    this.group = group;
    this.hidden = hidden;
    this.random = random;
  }

  /** What A sends. */
  record Request(List<BigInteger> keys, BigInteger generator) {}

  /** What B sends. */
  record Reply(List<BigInteger> theirs, List<BigInteger> own) {}

  /**
   * @param secret a
   * @param size how many keys A has at most, which is public
   */
  Request request(Set<String> keys, int size, BigInteger secret) {
    List<BigInteger> list = new ArrayList<>(powers(keys, size, secret));
    return new Request(padded(list, size), group.power(secret));
  }

  /**
   * @param size how many keys B has at most, which is public
   * @param z by how much more or fewer pairs are hidden than s₀
   */
  Reply reply(Request request, Set<String> keys, int size, BigInteger secret, int z) {
    List<BigInteger> theirs = new ArrayList<>();
    request.keys().forEach(key -> theirs.add(group.power(key, secret)));
    List<BigInteger> own = new ArrayList<>(padded(powers(keys, size, secret), size));
    for (int i = 0; i < hidden.most() + z; i++) {
      BigInteger s = group.exponent(random);
      theirs.add(group.power(request.generator(), s));
      own.add(group.power(s));
    }
    int more = 2 * hidden.most();
    return new Reply(padded(theirs, request.keys().size() + more), padded(own, size + more));
  }

  /** How many keys both have, plus z. */
  int count(Reply reply, BigInteger secret) {
    Set<BigInteger> theirs = new HashSet<>(reply.theirs());
    int matches = 0;
    for (BigInteger key : reply.own()) {
      matches += theirs.contains(group.power(key, secret)) ? 1 : 0;
    }
    return matches - hidden.most();
  }

  private List<BigInteger> powers(Set<String> keys, int size, BigInteger secret) {
    if (keys.size() > size) {
      throw new IllegalArgumentException("more keys than the public size: a list would tell");
    }
    return keys.stream().map(key -> group.power(group.hashed(key), secret)).toList();
  }

  private List<BigInteger> padded(List<BigInteger> list, int size) {
    List<BigInteger> all = new ArrayList<>(list);
    while (all.size() < size) {
      all.add(group.any(random));
    }
    Collections.shuffle(all, random);
    return all;
  }
}
