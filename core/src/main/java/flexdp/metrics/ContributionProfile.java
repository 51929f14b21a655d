package flexdp.metrics;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How much of a table each person has: a histogram of people with noise that was paid for, and so
 * is public. It foretells answers and bounds none of them, so that one of other data than are asked
 * about misleads and reveals nothing.
 *
 * @param column whose values are added up; absent where rows are counted
 * @param upTo the most that people of each bucket have; those beyond the last stand in one more
 * @param people of each bucket, which may be below zero by the noise
 * @param scale of the noise
 * @param epsilon what this histogram cost
 */
public record ContributionProfile(
    String table,
    Optional<String> column,
    String kind,
    List<BigDecimal> upTo,
    List<BigInteger> people,
    BigDecimal scale,
    BigDecimal epsilon) {
  private static final MathContext DIGITS = new MathContext(12);
  private static final BigDecimal THREE_QUARTERS = new BigDecimal("0.75");

  private static final double HALF = 0.5;

  /** The number of scales above zero that noise alone hardly ever reaches in one bucket. */
  private static final double CERTAIN = 6;

  public ContributionProfile {
    upTo = List.copyOf(upTo);
    people = List.copyOf(people);
    if (upTo.isEmpty() || people.size() != upTo.size() + 1) {
      throw new IllegalArgumentException("a bucket for each bound, and one beyond");
    }
    for (int i = 1; i < upTo.size(); i++) {
      if (upTo.get(i - 1).compareTo(upTo.get(i)) >= 0) {
        throw new IllegalArgumentException("bounds go up");
      }
    }
  }

  /** A number of people who have about the same size. */
  public record Group(double size, double people) {}

  /** What seems to be there: groups that stand out of the noise, at the middle of their bucket. */
  public List<Group> groups() {
    return certain().stream()
        .map(i -> new Group(middle(i).doubleValue(), people.get(i).doubleValue()))
        .toList();
  }

  /**
   * The groups, with those further up whom the noise hides: people get fewer from bucket to bucket,
   * as they did before, and are no more than the noisy number and its noise.
   */
  public List<Group> groupsAndTail() {
    List<Group> groups = new ArrayList<>(groups());
    List<Integer> certain = certain();
    if (certain.isEmpty() || certain.getLast() < 1) {
      return groups;
    }
    int last = certain.getLast();
    double before = people.get(last - 1).doubleValue();
    double some = people.get(last).doubleValue();
    double ratio = before > 0 ? Math.min(HALF, some / before) : HALF;
    for (int i = last + 1; i < people.size(); i++) {
      double most = people.get(i).doubleValue() + scale.doubleValue();
      some = Math.min(some * ratio, most);
      if (some < HALF) {
        break;
      }
      groups.add(new Group(middle(i).doubleValue(), some));
    }
    return groups;
  }

  /**
   * Buckets that stand out of the noise of all of them. Those far above the ones below have to
   * stand out further, since one by chance would outweigh everybody else.
   */
  private List<Integer> certain() {
    List<Integer> certain = new ArrayList<>();
    for (int i = 0; i < people.size(); i++) {
      double far =
          certain.isEmpty()
              ? 0
              : Math.log(middle(i).doubleValue() / middle(certain.getLast()).doubleValue());
      double noise = scale.doubleValue() * (CERTAIN + Math.log(people.size()) + far);
      if (people.get(i).doubleValue() > noise) {
        certain.add(i);
      }
    }
    return certain;
  }

  private BigDecimal middle(int bucket) {
    if (bucket == people.size() - 1) {
      return upTo.getLast().multiply(BigDecimal.TWO);
    }
    BigDecimal high = upTo.get(bucket);
    return bucket == 0 || high.compareTo(BigDecimal.ONE) == 0
        ? high.multiply(column.isPresent() ? THREE_QUARTERS : BigDecimal.ONE)
        : high.add(upTo.get(bucket - 1)).divide(BigDecimal.TWO, DIGITS);
  }

  /** About how much all people have together. */
  public double total() {
    return groups().stream().mapToDouble(g -> g.size() * g.people()).sum();
  }

  /** About how many people have something. */
  public double count() {
    return groups().stream().mapToDouble(Group::people).sum();
  }
}
