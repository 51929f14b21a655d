package flexdp.plan;

import flexdp.algebra.AggregateCall;
import flexdp.algebra.Column;
import flexdp.algebra.Relation;
import flexdp.algebra.Relation.Project.Output;
import flexdp.algebra.WindowCall;
import flexdp.noise.Gaussian;
import flexdp.noise.LabelVotes;
import flexdp.ownership.HashedRowOrder;
import flexdp.policy.Type;
import flexdp.query.Labels;
import flexdp.query.Measurement;
import flexdp.query.NoisyAggregate;
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
 * <p>P-VOTES: where accounts add up ρ she votes for many more, by less for each of them: her votes
 * have length 1, whatever their number.
 *
 * <p>A step of another unit touches D people, and each of those may vouch for other labels
 * afterwards.
 *
 * @param perPerson k, for how many labels a person vouches
 * @param moved by how much all numbers of people move together; no more of them move, and none by
 *     more
 * @param votes how labels are voted for; absent: people are counted
 */
public record LabelsByPeople(int perPerson, BigInteger moved, Optional<LabelVotes> votes) {
  /** Fewer labels of each person mean less noise, and fewer people for each label. */
  private static final int MOST = 4;

  /** More labels of each person cost nothing but a threshold that grows like √ln. */
  private static final int MOST_VOTES = 128;

  /**
   * @param voting by what noise votes are made private; absent where people are counted
   */
  static LabelsByPeople of(
      NoisyAggregate point, ContributionBounding.Clipped route, Optional<Gaussian> voting) {
    if (point.groupingSets().size() > 1) {
      throw ReleaseRule.refused(
          point,
          "Labels that come from the data are shown by people for one grouping at a time.",
          "Ask for each grouping by itself, or list the labels.");
    }
    if (point.keys().stream().anyMatch(k -> k.type().kind() == Type.Kind.OPAQUE)) {
      throw ReleaseRule.refused(
          point,
          "Labels without an order cannot be chosen by people.",
          "List the labels, or group by something else.");
    }
    BigInteger people =
        route.otherUnits().stream()
            .map(PublicBound::people)
            .reduce(BigInteger.ZERO, BigInteger::max);
    BigInteger most = BigInteger.valueOf(voting.isPresent() ? MOST_VOTES : MOST);
    int k = route.rows().map(most::min).orElse(most).max(BigInteger.ONE).intValueExact();
    BigInteger own = BigInteger.valueOf(k);
    return new LabelsByPeople(
        k,
        own.max(own.multiply(BigInteger.TWO).multiply(people)),
        voting.map(noise -> new LabelVotes(noise, k, people)));
  }

  /**
   * Counts the people of every label; where they vote, those who vote for as many labels, whose
   * number is one key more.
   *
   * @param read the rows with their owner beside them
   */
  public NoisyAggregate counting(NoisyAggregate read, Column owner) {
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
            HashedRowOrder.ofEach(owner, read.keys()),
            perPerson,
            read.at());
    List<Column> keys = new ArrayList<>(read.keys());
    if (votes.isPresent()) {
      WindowCall number = hers(owner, read);
      some = new Relation.Window(some, List.of(number));
      keys.add(number.output());
    }
    Measurement people =
        new Measurement.Count(
            new Column(Integer.MAX_VALUE, "people", Type.BIGINT, false),
            new Measurement.Origin("COUNT", "people", Optional.empty(), read.at()),
            Optional.empty(),
            Optional.empty());
    return new NoisyAggregate(
        read.id(),
        some,
        keys,
        List.of(IntStream.range(0, keys.size()).boxed().toList()),
        List.of(),
        List.of(people),
        new Labels.Thresholded(),
        read.at());
  }

  /** For how many labels she votes. */
  private static WindowCall hers(Column owner, NoisyAggregate read) {
    Column number = new Column(Integer.MAX_VALUE - 1, "hers", Type.BIGINT, false);
    return new WindowCall(
        number,
        Optional.of(AggregateCall.countStar(number, read.at())),
        Optional.empty(),
        List.of(),
        List.of(owner.ref()),
        List.of(),
        read.at());
  }
}
