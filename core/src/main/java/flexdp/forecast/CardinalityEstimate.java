package flexdp.forecast;

import flexdp.metrics.ContributionProfile;
import java.util.ArrayList;
import java.util.List;

/**
 * About which rows a relation has.
 *
 * @param rows how many; not a number where nothing released says it
 * @param share which part that is of the table that it was made of
 * @param people groups of people with as many rows each; none where no profile says it
 * @param from the tables whose released numbers say so
 */
record CardinalityEstimate(
    double rows, double share, List<ContributionProfile.Group> people, List<String> from) {
  static final CardinalityEstimate UNKNOWN =
      new CardinalityEstimate(Double.NaN, 1, List.of(), List.of());

  CardinalityEstimate {
    people = List.copyOf(people);
    from = List.copyOf(from);
  }

  boolean isKnown() {
    return !Double.isNaN(rows);
  }

  /** Of its rows, this share; everybody keeps about the same share of hers. */
  CardinalityEstimate kept(double part) {
    List<ContributionProfile.Group> left = new ArrayList<>();
    for (ContributionProfile.Group group : people) {
      // Of n rows one is left at least with probability 1 − (1 − part)^n.
      double some = 1 - Math.pow(1 - part, Math.max(1, group.size()));
      if (some > 0) {
        left.add(new ContributionProfile.Group(group.size() * part / some, group.people() * some));
      }
    }
    return new CardinalityEstimate(rows * part, share * part, left, from);
  }

  /** Of its people, this share, each with all of her rows. */
  CardinalityEstimate ofPeople(double part) {
    List<ContributionProfile.Group> left =
        people.stream()
            .map(g -> new ContributionProfile.Group(g.size(), g.people() * part))
            .toList();
    return new CardinalityEstimate(rows * part, share * part, left, from);
  }

  /** One row for each person. */
  CardinalityEstimate eachOnce() {
    if (people.isEmpty()) {
      return this;
    }
    double count = count();
    return new CardinalityEstimate(
        count, share, List.of(new ContributionProfile.Group(1, count)), from);
  }

  /** More rows than people and fewer than before: the middle of both. */
  CardinalityEstimate fewer() {
    if (people.isEmpty()) {
      return this;
    }
    List<ContributionProfile.Group> left =
        people.stream()
            .map(g -> new ContributionProfile.Group(Math.max(1, Math.sqrt(g.size())), g.people()))
            .toList();
    double some = left.stream().mapToDouble(g -> g.size() * g.people()).sum();
    return new CardinalityEstimate(Math.min(rows, some), share, left, from);
  }

  boolean hasOneRowEach() {
    return !people.isEmpty() && people.stream().allMatch(g -> g.size() <= 1);
  }

  /** How many people; not a number where no profile says it. */
  double count() {
    return people.isEmpty()
        ? Double.NaN
        : people.stream().mapToDouble(ContributionProfile.Group::people).sum();
  }
}
