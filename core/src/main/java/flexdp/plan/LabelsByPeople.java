package flexdp.plan;

import flexdp.algebra.Column;
import flexdp.algebra.Relation;
import flexdp.algebra.Relation.Project.Output;
import flexdp.owned.FixedOrder;
import flexdp.policy.Type;
import flexdp.question.Labels;
import flexdp.question.Measurement;
import flexdp.question.ReleasePoint;
import flexdp.sensitivity.PublicBound;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * P-LABELS: labels that come from the data are shown where enough people have them. Each person
 * vouches for so many labels at most, the first of hers by a hash of her and the label, so she
 * moves the numbers of people by that many together. (Each of them by one, but labels that the
 * database tells apart may be one label for us.)
 *
 * <p>By a hash of the label alone everybody would vouch for the same few, and a label that comes
 * late would never be shown, whoever has it.
 *
 * <p>A step of another unit touches D people, and each of those may vouch for other labels
 * afterwards.
 *
 * @param perPerson k, for how many labels a person vouches
 * @param moved by how much all numbers of people move together; no more of them move, and none by
 *     more
 */
public record LabelsByPeople(int perPerson, BigInteger moved) {
  /** Fewer labels of each person mean less noise, and fewer people for each label. */
  private static final int MOST = 4;

  static LabelsByPeople of(ReleasePoint point, Route.Owned route) {
    if (point.groupingSets().size() > 1) {
      throw PeoplePlans.refused(
          point,
          "Labels that come from the data are shown by people for one grouping at a time.",
          "Ask for each grouping by itself, or list the labels.");
    }
    if (point.keys().stream().anyMatch(k -> k.type().kind() == Type.Kind.OPAQUE)) {
      throw PeoplePlans.refused(
          point,
          "Labels without an order cannot be chosen by people.",
          "List the labels, or group by something else.");
    }
    int k =
        route.rows().map(BigInteger.valueOf(MOST)::min).map(BigInteger::intValueExact).orElse(MOST);
    return of(Math.max(1, k), route.besides());
  }

  static LabelsByPeople of(int k, List<PublicBound> besides) {
    BigInteger own = BigInteger.valueOf(k);
    BigInteger people =
        besides.stream().map(PublicBound::people).reduce(BigInteger.ZERO, BigInteger::max);
    return new LabelsByPeople(k, own.max(own.multiply(BigInteger.TWO).multiply(people)));
  }

  /**
   * Counts the people of every label.
   *
   * @param read the rows with their owner beside them
   */
  public ReleasePoint counting(ReleasePoint read, Column owner) {
    List<Column> columns = new ArrayList<>(read.keys());
    if (!columns.contains(owner)) {
      columns.add(owner);
    }
    Relation pairs =
        new Relation.Distinct(
            new Relation.Project(
                read.input(), columns.stream().map(c -> new Output(c, c.ref())).toList()));
    Relation some =
        new Relation.TopRows(
            pairs,
            List.of(owner.ref()),
            FixedOrder.ofEach(owner, read.keys()),
            perPerson,
            read.at());
    Measurement people =
        new Measurement.Count(
            new Column(Integer.MAX_VALUE, "people", Type.BIGINT, false),
            new Measurement.Origin("COUNT", "people", Optional.empty(), read.at()),
            Optional.empty(),
            Optional.empty());
    return new ReleasePoint(
        read.id(),
        some,
        read.keys(),
        List.of(IntStream.range(0, read.keys().size()).boxed().toList()),
        List.of(),
        List.of(people),
        new Labels.Thresholded(),
        read.at());
  }
}
