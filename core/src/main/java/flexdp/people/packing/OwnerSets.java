package flexdp.people.packing;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * Every result with its weight and its owners; private.
 *
 * <p>Weights are capped at the largest level: no result can count for more than any of its owners
 * may, so no value that is asked for changes, and all numbers fit a word whatever the data are.
 */
public final class OwnerSets extends OwnedWeights {
  /** Somebody of a kind. The id is in the one form in which equal values are equal objects. */
  public record Owner(int kind, Object id) {}

  private final long most;
  private final Map<Owner, Integer> numbers = new HashMap<>();
  private long[] weights = new long[16];
  private int[] starts = new int[17];
  private int[] members = new int[32];
  private int[] kinds = new int[16];
  private int size;
  private long[] degrees;

  /**
   * @param most the largest level, below 2⁶²
   */
  public OwnerSets(BigInteger most) {
    if (most.signum() <= 0 || most.bitLength() > Long.SIZE - 2) {
      throw new IllegalArgumentException("the largest level is from 1 to 2^62");
    }
    this.most = most.longValueExact();
  }

  /** A result; one without owners belongs to nobody and is dropped. Equal owners count once. */
  public void add(BigInteger weight, Collection<Owner> owners) {
    if (weight.signum() < 0) {
      throw new IllegalArgumentException("weights must not be negative");
    }
    if (owners.isEmpty() || weight.signum() == 0) {
      return;
    }
    int from = starts[size];
    int end = from;
    for (Owner owner : owners) {
      int number = numbers.computeIfAbsent(owner, o -> numbers.size());
      boolean known = false;
      for (int i = from; i < end; i++) {
        known |= members[i] == number;
      }
      if (!known) {
        if (end == members.length) {
          members = Arrays.copyOf(members, 2 * end);
        }
        members[end++] = number;
        if (number >= kinds.length) {
          kinds = Arrays.copyOf(kinds, 2 * number);
        }
        kinds[number] = owner.kind();
      }
    }
    if (size == weights.length) {
      weights = Arrays.copyOf(weights, 2 * size);
      starts = Arrays.copyOf(starts, 2 * size + 1);
    }
    weights[size] = weight.min(BigInteger.valueOf(most)).longValueExact();
    starts[++size] = end;
    degrees = null;
  }

  int size() {
    return size;
  }

  int people() {
    return numbers.size();
  }

  @Override
  long most() {
    return most;
  }

  @Override
  long heaviest() {
    long heaviest = 0;
    for (long degree : degrees()) {
      heaviest = Math.max(heaviest, degree);
    }
    return heaviest;
  }

  @Override
  ResidualPacking touched(long level) {
    return ResidualPacking.of(this, level);
  }

  /** Whether some weight may have been larger. */
  boolean isCapped() {
    return Arrays.stream(weights, 0, size).anyMatch(weight -> weight == most);
  }

  /** By number. */
  Owner[] owners() {
    Owner[] owners = new Owner[numbers.size()];
    numbers.forEach((owner, number) -> owners[number] = owner);
    return owners;
  }

  long weight(int result) {
    return weights[result];
  }

  int from(int result) {
    return starts[result];
  }

  int to(int result) {
    return starts[result + 1];
  }

  int member(int index) {
    return members[index];
  }

  int kind(int person) {
    return kinds[person];
  }

  /** What each person's results weigh; where that passes 2⁶², some number beyond it. */
  long[] degrees() {
    if (degrees == null) {
      long[] sums = new long[people()];
      for (int result = 0; result < size; result++) {
        for (int i = starts[result]; i < starts[result + 1]; i++) {
          long sum = sums[members[i]] + weights[result];
          sums[members[i]] =
              sum < 0 ? Long.MAX_VALUE / 2 + 1 : Math.min(sum, Long.MAX_VALUE / 2 + 1);
        }
      }
      degrees = sums;
    }
    return degrees;
  }

  BigInteger total() {
    Total total = new Total();
    for (int result = 0; result < size; result++) {
      total.add(weights[result]);
    }
    return total.value();
  }

  /** Adds words without overflow. */
  static final class Total {
    private BigInteger high = BigInteger.ZERO;
    private long low;

    void add(long term) {
      if (low > Long.MAX_VALUE / 2) {
        high = high.add(BigInteger.valueOf(low));
        low = 0;
      }
      low += term;
    }

    BigInteger value() {
      return high.add(BigInteger.valueOf(low));
    }
  }
}
