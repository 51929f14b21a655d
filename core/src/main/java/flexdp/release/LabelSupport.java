package flexdp.release;

import flexdp.cells.CellSink;
import flexdp.compute.ValueOrdering;
import flexdp.noise.LabelVotes;
import flexdp.noise.Noise;
import flexdp.plan.LabelsByPeople;
import flexdp.query.NoisyAggregate;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * What people say of the labels they have, private: how many vouch for each, or their votes.
 *
 * <p>Groups that the database tells apart may be one label for us. Then the largest of them speaks
 * for it, and not their sum: however often one person spells a label, she moves it by one vote.
 */
public final class LabelSupport implements CellSink {
  private record Label(List<Object> shown, Map<Integer, BigInteger> people) {}

  private final int keys;
  private final LabelsByPeople by;
  private final int atLeast;
  private final Map<List<Object>, Label> labels = new LinkedHashMap<>();

  /**
   * @param target whose labels they are
   */
  public LabelSupport(NoisyAggregate target, LabelsByPeople by) {
    this.keys = target.keys().size();
    this.by = by;
    this.atLeast = target.labels().fewest();
  }

  @Override
  public long onlyGrouping() {
    return 0;
  }

  @Override
  public boolean takesUnreadable() {
    return false;
  }

  @Override
  public void add(long grouping, List<Object> values, int measurement, BigInteger people) {
    List<Object> label = new ArrayList<>(values.subList(0, keys));
    int of = by.votes().isPresent() ? ((BigDecimal) values.get(keys)).intValueExact() : 1;
    labels
        .computeIfAbsent(ValueOrdering.canonical(label), c -> new Label(label, new TreeMap<>()))
        .people()
        .merge(of, people, BigInteger::max);
  }

  @Override
  public void add(
      long grouping, List<Object> values, int measurement, BigInteger bucket, BigInteger rows) {
    throw new IllegalArgumentException("people are counted");
  }

  private BigInteger number(Label label) {
    BigInteger sum = BigInteger.ZERO;
    for (Map.Entry<Integer, BigInteger> people : label.people().entrySet()) {
      BigInteger each = by.votes().isPresent() ? LabelVotes.vote(people.getKey()) : BigInteger.ONE;
      sum = sum.add(people.getValue().multiply(each));
    }
    return sum;
  }

  /** The labels above a threshold with noise, in order. */
  List<List<Object>> above(BigInteger threshold, Supplier<BigInteger> noise) {
    List<List<Object>> shown = new ArrayList<>();
    for (Label label : labels.values()) {
      if (number(label).add(noise.get()).compareTo(threshold) > 0) {
        shown.add(label.shown());
      }
    }
    // The order in which a database met them is nobody's business.
    shown.sort((one, two) -> ValueOrdering.rows(one, two, keys));
    return shown;
  }

  /** The labels that have votes enough. Which of them are shown is private by ρ and δ. */
  List<List<Object>> voted(BigDecimal delta, Noise drawing) {
    LabelVotes votes = by.votes().orElseThrow();
    return above(votes.threshold(delta, atLeast), votes.drawn(drawing.source()));
  }

  /** How far they are apart here and there, against what the noise is made for. */
  public NeighborDistance moved(LabelSupport other) {
    BigDecimal apart = new BigDecimal(apart(other));
    return by.votes()
        .map(
            v ->
                new NeighborDistance(
                    "the votes for labels, squared", apart, new BigDecimal(v.movedSquared())))
        .orElseGet(
            () ->
                new NeighborDistance(
                    "the people of each label", apart, new BigDecimal(by.moved())));
  }

  /** All together, or the squares of votes. */
  BigInteger apart(LabelSupport other) {
    Set<List<Object>> all = new HashSet<>(labels.keySet());
    all.addAll(other.labels.keySet());
    BigInteger sum = BigInteger.ZERO;
    for (List<Object> label : all) {
      BigInteger difference = number(label).subtract(other.number(label)).abs();
      sum = sum.add(by.votes().isPresent() ? difference.pow(2) : difference);
    }
    return sum;
  }

  private BigInteger number(List<Object> canonical) {
    Label label = labels.get(canonical);
    return label == null ? BigInteger.ZERO : number(label);
  }

  /** Labels that are one here and there and would be shown in two ways. */
  List<String> shownOtherwise(LabelSupport other) {
    List<String> found = new ArrayList<>();
    labels.forEach(
        (canonical, label) -> {
          Label there = other.labels.get(canonical);
          if (there != null && !label.shown().equals(there.shown())) {
            found.add(label.shown() + " is shown as " + there.shown());
          }
        });
    return found;
  }
}
