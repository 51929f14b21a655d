package flexdp.release;

import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.cells.CellSink;
import flexdp.cells.ExactHistogram;
import flexdp.compute.ValueConversion;
import flexdp.compute.ValueOrdering;
import flexdp.noise.Mechanism;
import flexdp.noise.Noise;
import flexdp.noise.PackedNoise;
import flexdp.people.clipping.ClipLevels;
import flexdp.people.packing.OwnedWeights;
import flexdp.people.packing.OwnerBuckets;
import flexdp.people.packing.OwnerDegrees;
import flexdp.people.packing.OwnerSets;
import flexdp.people.packing.PackingMechanism;
import flexdp.people.packing.PackingSolver;
import flexdp.people.packing.PackingValues;
import flexdp.plan.CalibratedMechanism;
import flexdp.policy.Type;
import flexdp.query.Labels;
import flexdp.query.NoisyAggregate;
import flexdp.release.ReleasePlan.Exact;
import flexdp.release.ReleasePlan.LevelRelease;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Rows have several owners, and nobody weighs more than a level: the value at each is that of a
 * packing program. A level is chosen, and the value there gets noise; for every bin of every
 * measurement by itself.
 *
 * @param rows the release point over the rows that are read, their owners beside them
 * @param noise of each measurement
 * @param solver of packing programs, where a row has three owners or more
 */
public record PackedRelease(
    NoisyAggregate target,
    NoisyAggregate rows,
    List<CalibratedMechanism.Packed> noise,
    PackingSolver solver)
    implements LevelRelease {
  private static final Set<Type.Kind> WHOLE =
      Set.of(Type.Kind.SMALLINT, Type.Kind.INTEGER, Type.Kind.BIGINT);

  /**
   * @param values by measurement and bin
   */
  record Shares(ExactHistogram bins, List<List<PackingValues>> values) implements Exact {}

  public PackedRelease {
    noise = List.copyOf(noise);
  }

  @Override
  public PackedRelease at(BigDecimal epsilon) {
    return new PackedRelease(
        target,
        rows,
        noise.stream()
            .map(
                n ->
                    new CalibratedMechanism.Packed(
                        new PackedNoise(epsilon), n.packing(), n.owners(), n.measurement()))
            .toList(),
        solver);
  }

  @Override
  public List<Mechanism> draws() {
    return noise.stream().<Mechanism>map(CalibratedMechanism.Packed::mechanism).toList();
  }

  @Override
  public boolean needsSolver() {
    return noise.getFirst().packing().isApproximate();
  }

  private List<Column> owners() {
    return noise.getFirst().columns();
  }

  private List<Integer> kinds() {
    return noise.getFirst().kinds();
  }

  /** Two columns for two kinds; names that are whole numbers can always be read. */
  private boolean isOfTwoKinds() {
    return kinds().equals(List.of(0, 1))
        && owners().stream().allMatch(c -> WHOLE.contains(c.type().kind()));
  }

  @Override
  public List<Reading> readings() {
    List<Reading> readings = new ArrayList<>();
    readings.add(bySets(rows));
    if (isOfTwoKinds()) {
      readings.add(byEither());
    }
    return readings;
  }

  /** By all owners at once. */
  private Reading.Cells bySets(NoisyAggregate read) {
    List<Column> keys = new ArrayList<>(read.keys());
    keys.addAll(owners());
    return new Reading.Cells(
        new NoisyAggregate(
            read.id(),
            read.input(),
            keys,
            List.of(IntStream.range(0, keys.size()).boxed().toList()),
            List.of(),
            read.measurements(),
            new Labels.Thresholded(),
            read.at()),
        Reading.Cells.Use.OWNERS);
  }

  /** By one owner, and by the other; somebody owns every row. */
  private Reading.Cells byEither() {
    List<Column> owners = owners();
    List<Expr> there = new ArrayList<>();
    owners.forEach(o -> there.add(Exprs.test(Function.IS_NOT_NULL, o.ref())));
    List<Column> keys = new ArrayList<>(rows.keys());
    keys.addAll(owners);
    List<List<Integer>> sets = new ArrayList<>();
    for (int kind = 0; kind < owners.size(); kind++) {
      List<Integer> set = new ArrayList<>();
      for (int key = 0; key < rows.keys().size(); key++) {
        set.add(key);
      }
      set.add(rows.keys().size() + kind);
      sets.add(set);
    }
    return new Reading.Cells(
        new NoisyAggregate(
            rows.id(),
            new Relation.Filter(rows.input(), Exprs.or(there)),
            keys,
            sets,
            List.of(),
            rows.measurements(),
            new Labels.Thresholded(),
            rows.at()),
        Reading.Cells.Use.OWNERS);
  }

  private ClipLevels levels(int measurement) {
    return noise.get(measurement).packing().levels();
  }

  @Override
  public Shares read(ExactRows from, Optional<List<List<Object>>> labels) {
    ExactHistogram bins = ExactHistogram.of(target, labels.orElseThrow());
    List<? extends List<? extends OwnedWeights>> held =
        isOfTwoKinds() && from.staysOpen() ? apart(from, bins) : sets(rows, from, bins);
    List<List<PackingValues>> values = new ArrayList<>();
    for (int m = 0; m < noise.size(); m++) {
      List<PackingValues> each = new ArrayList<>();
      for (OwnedWeights holdings : held.get(m)) {
        each.add(new PackingValues(holdings, levels(m), solver));
      }
      values.add(each);
    }
    return new Shares(bins, values);
  }

  /** What every set of owners has, by measurement and bin. */
  private List<List<OwnerSets>> sets(NoisyAggregate read, ExactRows from, ExactHistogram bins) {
    SetSink sink = new SetSink(bins);
    from.cells(bySets(read), sink);
    return sink.sets;
  }

  /** An owner's name in the form in which equal values are equal. */
  private static OwnerSets.Owner owner(int kind, Object id) {
    return new OwnerSets.Owner(kind, ValueOrdering.canonical(id));
  }

  /**
   * Collects what sets of owners have. A row whose label is not listed, or whose label or owner
   * cannot be read, is as if it were not there, whatever others hold.
   */
  private final class SetSink implements CellSink {
    private final List<List<OwnerSets>> sets = new ArrayList<>();
    private final List<Integer> kinds = kinds();
    private final ExactHistogram bins;

    SetSink(ExactHistogram bins) {
      this.bins = bins;
      for (int m = 0; m < noise.size(); m++) {
        List<OwnerSets> each = new ArrayList<>();
        for (int bin = 0; bin < bins.bins().size(); bin++) {
          each.add(new OwnerSets(levels(m).at(levels(m).last())));
        }
        sets.add(each);
      }
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
    public void add(long grouping, List<Object> labels, int measurement, BigInteger steps) {
      int keys = labels.size() - kinds.size();
      List<OwnerSets.Owner> named = new ArrayList<>();
      for (int i = 0; i < kinds.size(); i++) {
        Object value = labels.get(keys + i);
        if (value != null) {
          named.add(owner(kinds.get(i), value));
        }
      }
      OptionalInt bin = bins.place(labels.subList(0, keys));
      if (bin.isPresent()) {
        sets.get(measurement).get(bin.getAsInt()).add(steps.max(BigInteger.ZERO), named);
      }
    }

    @Override
    public void add(
        long grouping, List<Object> labels, int measurement, BigInteger bucket, BigInteger rows) {
      throw new IllegalArgumentException("values are not selected among sets of owners");
    }
  }

  /**
   * Rows that have at most one owner of each of two kinds: what each person's weigh, in one pass,
   * and what several have together only where a value asks for it. Most rows then never leave the
   * database. Of one measurement how many have how much, else what each has.
   */
  private List<? extends List<? extends OwnedWeights>> apart(ExactRows from, ExactHistogram bins) {
    Optional<List<OwnerBuckets>> buckets =
        noise.size() == 1 ? buckets(from, bins) : Optional.empty();
    return buckets.isPresent() ? List.of(buckets.get()) : degrees(from, bins);
  }

  private Optional<List<OwnerBuckets>> buckets(ExactRows from, ExactHistogram bins) {
    List<OwnerBuckets> buckets = new ArrayList<>();
    for (int i = 0; i < bins.bins().size(); i++) {
      int bin = i;
      Supplier<OwnedWeights> more = () -> degrees(from, bins).getFirst().get(bin);
      buckets.add(new OwnerBuckets(levels(0), more));
    }
    boolean[] readable = {true};
    from.degrees(
        new Reading.Degrees(byEither().point(), rows.keys(), owners(), levels(0)),
        row -> {
          readable[0] &=
              row.readable()
                  && row.weight().signum() >= 0
                  && row.people().bitLength() < Integer.SIZE - 1
                  && row.most().bitLength() <= Reading.Degrees.MOST_BITS;
          OptionalInt bin = row.labels().map(bins::place).orElseGet(OptionalInt::empty);
          if (bin.isPresent() && readable[0]) {
            OwnerBuckets of = buckets.get(bin.getAsInt());
            if (row.bucket() < 0) {
              of.nobodys(row.kind(), row.weight());
            } else {
              of.add(row.kind(), row.bucket(), row.people().intValue(), row.weight());
            }
          }
        });
    return readable[0] ? Optional.of(buckets) : Optional.empty();
  }

  private List<? extends List<? extends OwnedWeights>> degrees(
      ExactRows from, ExactHistogram bins) {
    DegreeSink sink = new DegreeSink(from, bins);
    from.cells(byEither(), sink);
    return sink.readable ? sink.degrees : sets(rows, from, bins);
  }

  /** Collects what each person's rows weigh. */
  private final class DegreeSink implements CellSink {
    private final List<List<OwnerDegrees>> degrees = new ArrayList<>();
    private final ExactHistogram bins;
    private final int owners = owners().size();
    private boolean readable = true;

    DegreeSink(ExactRows from, ExactHistogram bins) {
      this.bins = bins;
      for (int m = 0; m < noise.size(); m++) {
        List<OwnerDegrees> each = new ArrayList<>();
        for (int bin = 0; bin < bins.bins().size(); bin++) {
          each.add(
              new OwnerDegrees(levels(m).at(levels(m).last()), new Results(from, bins, m, bin)));
        }
        degrees.add(each);
      }
    }

    @Override
    public long onlyGrouping() {
      return 0;
    }

    @Override
    public boolean takesUnreadable() {
      return true;
    }

    @Override
    public void unreadableNumber() {
      readable = false;
    }

    @Override
    public void add(long grouping, List<Object> labels, int measurement, BigInteger weight) {
      // The last bit is that of the second owner: 1 where rows are not by it.
      int kind = (grouping & 1) == 1 ? 0 : 1;
      int keys = labels.size() - owners;
      readable &= !labels.subList(keys, labels.size()).contains(UNREADABLE) && weight.signum() >= 0;
      List<Object> label = labels.subList(0, keys);
      OptionalInt bin = label.contains(UNREADABLE) ? OptionalInt.empty() : bins.place(label);
      if (bin.isPresent() && readable) {
        Optional<Object> owner =
            Optional.ofNullable(labels.get(keys + kind)).map(id -> owner(kind, id).id());
        degrees.get(measurement).get(bin.getAsInt()).add(kind, owner, weight);
      }
    }

    @Override
    public void add(
        long grouping, List<Object> labels, int measurement, BigInteger bucket, BigInteger rows) {
      throw new IllegalArgumentException("values are not selected among sets of owners");
    }
  }

  /** The results of one measurement in one bin. */
  private final class Results implements OwnerDegrees.Source {
    private final ExactRows from;
    private final ExactHistogram bins;
    private final int measurement;
    private final int bin;

    Results(ExactRows from, ExactHistogram bins, int measurement, int bin) {
      this.from = from;
      this.bins = bins;
      this.measurement = measurement;
      this.bin = bin;
    }

    @Override
    public OwnerSets of(int kind, Set<Object> people) {
      Column owner = owners().get(kind);
      List<Expr> named = new ArrayList<>(List.of(owner.ref()));
      people.stream()
          .map(id -> ((BigDecimal) id).setScale(0))
          .sorted()
          .forEach(id -> named.add(new Expr.Literal(id, owner.type())));
      Expr hers = new Expr.Call(Function.IN_LIST, named, Type.BOOLEAN);
      NoisyAggregate some = rows.over(new Relation.Filter(rows.input(), hers));
      return sets(some, from, bins).get(measurement).get(bin);
    }

    @Override
    public OwnerSets all() {
      return sets(rows, from, bins).get(measurement).get(bin);
    }
  }

  @Override
  public Released draw(Exact exact, Noise drawing) {
    Shares shares = (Shares) exact;
    List<List<Integer>> levels = new ArrayList<>();
    noise.forEach(n -> levels.add(new ArrayList<>()));
    List<List<Object>> drawn = new ArrayList<>();
    for (int bin = 0; bin < shares.bins().bins().size(); bin++) {
      List<Object> row = ExactHistogram.labels(target, shares.bins().bins().get(bin));
      for (int m = 0; m < noise.size(); m++) {
        PackingMechanism.Released released =
            new PackingMechanism(
                    levels(m),
                    noise.get(m).each().epsilon(),
                    noise.get(m).packing().isApproximate())
                .release(shares.values().get(m).get(bin), drawing.source());
        levels.get(m).add(released.level());
        row.add(shown(noise.get(m), released));
      }
      drawn.add(row);
    }
    List<String> notes = new ArrayList<>();
    List<ContributionCap> caps = new ArrayList<>();
    for (int m = 0; m < noise.size(); m++) {
      ClippingNotes.descended(noise.get(m), levels.get(m)).ifPresent(notes::add);
      ClippingNotes.cap(noise.get(m), levels.get(m)).ifPresent(caps::add);
    }
    return new Released(
        new RowTable(ExactHistogram.columns(target), drawn),
        notes,
        Map.of(),
        Map.of(),
        List.of(),
        caps);
  }

  /** To the nearest step: rounding what is noisy already costs nothing. */
  private static Object shown(
      CalibratedMechanism.Packed noise, PackingMechanism.Released released) {
    BigInteger two = BigInteger.TWO;
    BigInteger steps =
        released
            .noisy()
            .numerator()
            .multiply(two)
            .add(released.noisy().denominator())
            .divide(released.noisy().denominator().multiply(two));
    BigDecimal value = noise.measurement().grid().multiply(new BigDecimal(steps));
    return ValueConversion.to(noise.measurement().output().type(), value);
  }

  @Override
  public int levels() {
    return levels(0).count();
  }

  @Override
  public BigDecimal level(int level) {
    return noise.getFirst().measurement().grid().multiply(new BigDecimal(levels(0).at(level)));
  }

  @Override
  public BigDecimal value(Exact exact, int level) {
    PackingValues values = ((Shares) exact).values().getFirst().getFirst();
    return noise
        .getFirst()
        .measurement()
        .grid()
        .multiply(values.inSteps(level).decimal(MathContext.DECIMAL128));
  }

  @Override
  public List<NeighborDistance> distance(Exact one, ReleasePlan there, Exact other) {
    List<NeighborDistance> moved = new ArrayList<>();
    for (int m = 0; m < noise.size(); m++) {
      for (int bin = 0; bin < ((Shares) one).values().get(m).size(); bin++) {
        PackingValues with = ((Shares) one).values().get(m).get(bin);
        PackingValues without = ((Shares) other).values().get(m).get(bin);
        for (int level = 0; level <= levels(m).last(); level++) {
          BigInteger tau = levels(m).at(level).shiftLeft(40);
          BigInteger slack = needsSolver() ? tau.shiftRight(6) : BigInteger.ZERO;
          moved.add(
              new NeighborDistance(
                  NeighborDistance.words(noise.get(m).measurement()) + ", at level " + level,
                  new BigDecimal(with.moved(without, level).abs()),
                  new BigDecimal(tau.add(slack))));
        }
      }
    }
    return moved;
  }
}
