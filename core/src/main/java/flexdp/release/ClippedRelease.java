package flexdp.release;

import flexdp.cells.ExactHistogram;
import flexdp.cells.PersonCell;
import flexdp.noise.ClippedNoise;
import flexdp.noise.DiscreteGaussian;
import flexdp.noise.DiscreteLaplace;
import flexdp.noise.ExponentialMechanism;
import flexdp.noise.Laplace.LabelThreshold;
import flexdp.noise.Mechanism;
import flexdp.noise.Noise;
import flexdp.noise.Rational;
import flexdp.people.clipping.ClippingBias;
import flexdp.people.clipping.Contributions;
import flexdp.people.clipping.NoisySizeHistogram;
import flexdp.plan.CalibratedMechanism;
import flexdp.plan.ClippingPlan;
import flexdp.plan.EstimateNoise;
import flexdp.plan.LabelsByPeople;
import flexdp.plan.PublicNoise;
import flexdp.query.Measurement;
import flexdp.query.NoisyAggregate;
import flexdp.release.ReleasePlan.Exact;
import flexdp.release.ReleasePlan.LevelRelease;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Every row is one person's, and what each contributes is clipped: a quarter of ε publishes how
 * many people are of which size, which chooses the level; the rest is shared by the measurements,
 * each clipped there. Labels that come from the data are shown where enough people have them.
 *
 * @param rows the release point over the rows that are read, their owner beside them
 * @param noise of each measurement
 * @param thresholding the policy's δ of labels that come from the data
 */
public record ClippedRelease(
    NoisyAggregate target,
    NoisyAggregate rows,
    List<CalibratedMechanism.Clipped> noise,
    Optional<BigDecimal> thresholding)
    implements LevelRelease {
  /**
   * @param labels that are listed; absent where data decide
   * @param people how many have each label, where data decide
   * @param contributions for labels that are looked at
   */
  record Clips(
      Optional<List<List<Object>>> labels,
      Optional<LabelSupport> people,
      Function<Optional<List<List<Object>>>, Contributions<PersonCell>> contributions)
      implements Exact {
    Contributions<PersonCell> all() {
      return contributions.apply(labels);
    }
  }

  public ClippedRelease {
    noise = List.copyOf(noise);
  }

  private ClippingPlan clipping() {
    return noise.getFirst().clipping();
  }

  private ClippedNoise mechanism() {
    return noise.getFirst().mechanism();
  }

  @Override
  public ClippedRelease at(BigDecimal epsilon) {
    return new ClippedRelease(
        target,
        rows,
        noise.stream()
            .map(
                n ->
                    new CalibratedMechanism.Clipped(
                        new ClippedNoise(epsilon),
                        n.clipping(),
                        n.bySet(),
                        n.owner(),
                        n.measurement(),
                        n.labels()))
            .toList(),
        thresholding);
  }

  /** How cuboids that grouping sets are estimated from are clipped, if these can be. */
  public Optional<ClippedRelease> byCuboids() {
    return noise.getFirst().bySet().isEmpty()
        ? Optional.empty()
        : Optional.of(
            new ClippedRelease(
                target,
                rows,
                noise.stream().map(CalibratedMechanism.Clipped::ofCuboids).toList(),
                thresholding));
  }

  @Override
  public List<Mechanism> draws() {
    List<Mechanism> draws = new ArrayList<>();
    noise.forEach(n -> draws.add(n.mechanism()));
    noise.getFirst().labels().flatMap(LabelsByPeople::votes).ifPresent(v -> draws.add(v.noise()));
    return draws;
  }

  @Override
  public List<Reading> readings() {
    List<Reading> readings = new ArrayList<>();
    readings.add(reading(Optional.empty()));
    noise.getFirst().labels().ifPresent(labels -> readings.add(counting(labels)));
    return readings;
  }

  private Reading.People reading(Optional<List<List<Object>>> labels) {
    return new Reading.People(rows, noise.getFirst().owner(), clipping(), labels);
  }

  private Reading.Cells counting(LabelsByPeople labels) {
    return new Reading.Cells(
        labels.counting(rows, noise.getFirst().owner()), Reading.Cells.Use.LABELS);
  }

  @Override
  public Clips read(ExactRows from, Optional<List<List<Object>>> labels) {
    if (noise.getFirst().labels().isEmpty()) {
      Contributions<PersonCell> all =
          contributions(
              from,
              labels.map(
                  l ->
                      ExactHistogram.of(target, l).bins().stream()
                          .map(ExactHistogram.Bin::labels)
                          .toList()));
      return new Clips(labels, Optional.empty(), looked -> all);
    }
    Reading.Cells counting = counting(noise.getFirst().labels().get());
    LabelSupport people = new LabelSupport(target, noise.getFirst().labels().get());
    from.cells(counting, people);
    if (from.staysOpen()) {
      return new Clips(labels, Optional.of(people), looked -> contributions(from, looked));
    }
    Contributions<PersonCell> all = contributions(from, Optional.empty());
    return new Clips(labels, Optional.of(people), looked -> all);
  }

  /** What people contribute; private. */
  Contributions<PersonCell> contributions(ExactRows from, Optional<List<List<Object>>> labels) {
    Contributions<PersonCell> all = new Contributions<>(clipping().levels(), clipping().digits());
    from.people(reading(labels), all);
    return all;
  }

  @Override
  public Released draw(Exact exact, Noise drawing) {
    Clips clips = (Clips) exact;
    return draw(clips, labels(clips, noise.size(), drawing), drawing);
  }

  /**
   * The labels of an answer: those that are listed, or that enough people have.
   *
   * @param measurements how many share them
   */
  List<List<Object>> labels(Clips clips, int measurements, Noise drawing) {
    return noise
        .getFirst()
        .labels()
        .map(
            l ->
                l.votes().isPresent()
                    ? clips.people().orElseThrow().voted(thresholding.orElseThrow(), drawing)
                    : labels(l, clips.people().orElseThrow(), measurements, drawing))
        .orElseGet(() -> clips.labels().orElseThrow());
  }

  /** Of these labels, which are public by now. */
  Released draw(Clips clips, List<List<Object>> labels, Noise drawing) {
    ExactHistogram bins = ExactHistogram.of(target, labels);
    Contributions<PersonCell> contributions = clips.contributions().apply(Optional.of(labels));
    NoisySizeHistogram people = published(contributions, drawing);
    int cells = bins.bins().size();
    int level = clipping().level(people, cells, mechanism());
    fill(contributions, level, bins);
    List<List<BigDecimal>> columns = new ArrayList<>();
    Map<Integer, EstimateNoise> ends = new HashMap<>();
    for (int m = 0; m < noise.size(); m++) {
      switch (noise.get(m).measurement()) {
        case Measurement.Additive amount -> columns.add(noisy(amount, m, level, bins, drawing));
        case Measurement.Selected picked -> {
          List<SelectionDraw.Cell> chosen = picked(picked, m, level, bins, drawing);
          columns.add(chosen.stream().map(SelectionDraw.Cell::value).toList());
          SelectionDraw.ends(target, picked, bins, chosen)
              .ifPresent(fit -> ends.put(picked.output().id(), fit));
        }
      }
    }
    return new Released(
        Released.rows(target, bins, columns),
        ClippingNotes.clipped(noise, people, level, cells),
        known(people, level, cells),
        ends,
        List.of(),
        ClippingNotes.caps(noise, people, level, cells));
  }

  /** How many people are of which size, with noise. */
  private NoisySizeHistogram published(Contributions<PersonCell> contributions, Noise drawing) {
    ClippedNoise mechanism = mechanism();
    return clipping().euclidean()
        ? NoisySizeHistogram.publish(
            contributions,
            clipping().peopleVariance(mechanism.choosingConcentration(noise.size())),
            drawing.source())
        : NoisySizeHistogram.publish(
            contributions,
            mechanism.choosing(noise.size()),
            clipping().peopleMoved(),
            drawing.source());
  }

  /**
   * The labels that enough people have, in order. Which of them are shown is private by ε and δ.
   *
   * @param people how many have each label, as {@link LabelsByPeople#counting} says
   */
  private List<List<Object>> labels(
      LabelsByPeople labels, LabelSupport people, int measurements, Noise drawing) {
    DiscreteLaplace laplace = new DiscreteLaplace(scale(labels, measurements));
    return people.above(
        threshold(labels, measurements).setScale(0, RoundingMode.CEILING).toBigInteger(),
        () -> laplace.sample(drawing.source()));
  }

  private Rational scale(LabelsByPeople labels, int measurements) {
    return Rational.of(labels.moved()).over(Rational.of(mechanism().labelling(measurements)));
  }

  private BigDecimal threshold(LabelsByPeople labels, int measurements) {
    BigDecimal most = new BigDecimal(labels.moved());
    BigDecimal fewer = BigDecimal.valueOf(target.labels().fewest() - 1L);
    return LabelThreshold.of(
        most.max(fewer),
        scale(labels, measurements),
        most,
        thresholding.orElseThrow(),
        BigDecimal.ONE);
  }

  @Override
  public Optional<BigDecimal> labelThreshold() {
    return labelThreshold(noise.size());
  }

  /**
   * @param measurements how many share the labels
   */
  Optional<BigDecimal> labelThreshold(int measurements) {
    return noise
        .getFirst()
        .labels()
        .map(
            labels ->
                labels
                    .votes()
                    .map(
                        votes -> votes.fewest(thresholding.orElseThrow(), target.labels().fewest()))
                    .orElseGet(() -> threshold(labels, measurements)));
  }

  private void fill(Contributions<PersonCell> from, int level, ExactHistogram bins) {
    for (PersonCell cell : from.cells()) {
      long grouping = cell.grouping().orElseGet(bins::onlyGrouping);
      Measurement measurement = noise.get(cell.measurement()).measurement();
      BigInteger value = clipping().value(from, cell, measurement, level);
      if (cell.step().isPresent()) {
        bins.add(grouping, cell.labels(), cell.measurement(), cell.step().get(), value);
      } else {
        bins.add(grouping, cell.labels(), cell.measurement(), value);
      }
    }
  }

  private List<BigDecimal> noisy(
      Measurement.Additive amount, int index, int level, ExactHistogram bins, Noise drawing) {
    Supplier<BigInteger> draw = drawn(amount, level, drawing);
    return bins.numbers(index).stream().map(n -> onGrid(n.add(draw.get()), amount.grid())).toList();
  }

  /**
   * Values of weighted rows, one of each bin. A person moves the bins together by her weight in L1,
   * each of them a selection of its own, so every selection is made as if she were in it with all
   * of it.
   */
  private List<SelectionDraw.Cell> picked(
      Measurement.Selected picked, int index, int level, ExactHistogram bins, Noise drawing) {
    SelectionDraw picking =
        new SelectionDraw(
            picked,
            new ExponentialMechanism(
                Rational.of(mechanism().adding()).decimal(new MathContext(30, RoundingMode.FLOOR))),
            new BigDecimal(clipping().moved(picked, level)),
            BigInteger.ONE.shiftLeft(clipping().digits()));
    List<SelectionDraw.Cell> chosen = new ArrayList<>();
    for (int bin = 0; bin < bins.bins().size(); bin++) {
      chosen.add(picking.of(bins.buckets(bin, index), drawing));
    }
    return chosen;
  }

  /** Noise of one cell, in steps of 2^(−s). */
  private Supplier<BigInteger> drawn(Measurement measurement, int level, Noise drawing) {
    if (clipping().euclidean()) {
      DiscreteGaussian gaussian =
          new DiscreteGaussian(
              clipping().variance(measurement, level, mechanism().concentration()));
      return () -> gaussian.sample(drawing.source());
    }
    Rational moved = Rational.of(clipping().moved(measurement, level));
    DiscreteLaplace laplace = new DiscreteLaplace(moved.over(Rational.of(mechanism().adding())));
    return () -> laplace.sample(drawing.source());
  }

  /** Rounding what is noisy already costs nothing. */
  private BigDecimal onGrid(BigInteger noisy, BigDecimal grid) {
    BigDecimal steps =
        new BigDecimal(noisy)
            .divide(
                new BigDecimal(BigInteger.ONE.shiftLeft(clipping().digits())),
                0,
                RoundingMode.HALF_EVEN);
    return grid.multiply(steps);
  }

  /**
   * The noise now that the level is known, and about how much was cut off: of one number. Of many
   * cells nobody knows what part of that each lost, so there it is the noise of the capped number.
   */
  private Map<Integer, PublicNoise> known(NoisySizeHistogram people, int level, int cells) {
    Map<Integer, PublicNoise> known = new HashMap<>();
    ClippingBias cut =
        clipping().isForCells(cells) ? ClippingBias.NONE : people.shortfall(level, cells);
    for (CalibratedMechanism.Clipped one : noise) {
      if (one.measurement() instanceof Measurement.Additive amount) {
        known.put(amount.output().id(), one.known(amount, level, cut));
      }
    }
    return known;
  }

  @Override
  public int levels() {
    return clipping().levels().count();
  }

  @Override
  public BigDecimal level(int level) {
    return noise
        .getFirst()
        .measurement()
        .grid()
        .multiply(new BigDecimal(clipping().levels().at(level)));
  }

  @Override
  public BigDecimal value(Exact exact, int level) {
    Contributions<PersonCell> contributions = ((Clips) exact).all();
    BigInteger steps = BigInteger.ZERO;
    for (PersonCell cell : contributions.cells()) {
      steps = steps.add(contributions.clipped(cell, level));
    }
    return noise.getFirst().measurement().grid().multiply(new BigDecimal(steps));
  }

  @Override
  public List<NeighborDistance> distance(Exact one, ReleasePlan there, Exact other) {
    Clips here = (Clips) one;
    Contributions<PersonCell> x = here.all();
    Contributions<PersonCell> y = ((Clips) other).all();
    List<NeighborDistance> moved = new ArrayList<>();
    if (clipping().bySet()) {
      cuboids(x, y, moved);
    } else {
      bins(x, y, moved);
    }
    moved.add(people(x, y));
    if (here.people().isPresent()) {
      moved.add(here.people().get().moved(((Clips) other).people().orElseThrow()));
    }
    return moved;
  }

  private static Set<PersonCell> cells(Contributions<PersonCell> x, Contributions<PersonCell> y) {
    Set<PersonCell> cells = new LinkedHashSet<>(x.cells());
    cells.addAll(y.cells());
    return cells;
  }

  private void bins(
      Contributions<PersonCell> x, Contributions<PersonCell> y, List<NeighborDistance> to) {
    for (int m = 0; m < noise.size(); m++) {
      Measurement measurement = noise.get(m).measurement();
      for (int level = 0; level <= x.levels().last(); level++) {
        String words =
            NeighborDistance.words(measurement) + ", clipped at level " + level + squared();
        BigDecimal most =
            new BigDecimal(
                clipping().euclidean()
                    ? clipping().movedSquared(measurement, level)
                    : clipping().moved(measurement, level));
        if (measurement instanceof Measurement.Quantile quantile) {
          to.add(
              new NeighborDistance(
                  words, ranks(x, y, m, quantile, level), most.multiply(quantile.perRow())));
          continue;
        }
        BigInteger moved = BigInteger.ZERO;
        for (PersonCell cell : cells(x, y)) {
          if (cell.measurement() == m) {
            BigInteger value = clipping().value(x, cell, measurement, level);
            BigInteger other = clipping().value(y, cell, measurement, level);
            moved = moved.add(apart(value, other));
          }
        }
        to.add(new NeighborDistance(words, new BigDecimal(moved), most));
      }
    }
  }

  /**
   * How far the scores of values are apart: (1−q) times the rows up to a value less q times those
   * beyond it, of the value that moves most in each bin, over all bins.
   */
  private BigDecimal ranks(
      Contributions<PersonCell> x,
      Contributions<PersonCell> y,
      int index,
      Measurement.Quantile quantile,
      int level) {
    Map<List<Object>, NavigableMap<BigInteger, BigInteger>> bins = new LinkedHashMap<>();
    for (PersonCell cell : cells(x, y)) {
      if (cell.measurement() == index) {
        BigInteger value = clipping().value(x, cell, quantile, level);
        BigInteger other = clipping().value(y, cell, quantile, level);
        bins.computeIfAbsent(List.of(cell.grouping(), cell.labels()), bin -> new TreeMap<>())
            .merge(cell.step().orElseThrow(), value.subtract(other), BigInteger::add);
      }
    }
    BigDecimal all = BigDecimal.ZERO;
    for (NavigableMap<BigInteger, BigInteger> bin : bins.values()) {
      BigDecimal rows =
          new BigDecimal(bin.values().stream().reduce(BigInteger.ZERO, BigInteger::add));
      BigDecimal score = quantile.fraction().multiply(rows).negate();
      BigDecimal most = score.abs();
      for (BigInteger step : bin.values()) {
        // Its rows go from beyond the value to up to it: q of each no longer, 1 − q instead.
        score = score.add(new BigDecimal(step));
        most = most.max(score.abs());
      }
      all = all.add(most);
    }
    return all;
  }

  /** Added up, the distance in L1, or the square of that in L2. */
  private BigInteger apart(BigInteger one, BigInteger other) {
    BigInteger difference = one.subtract(other).abs();
    return clipping().euclidean() ? difference.multiply(difference) : difference;
  }

  private String squared() {
    return clipping().euclidean() ? " (squared)" : "";
  }

  /** Every cuboid by itself: each has noise for all that a person moves in it. */
  private void cuboids(
      Contributions<PersonCell> x, Contributions<PersonCell> y, List<NeighborDistance> to) {
    for (int level = 0; level <= x.levels().last(); level++) {
      Map<List<Object>, BigInteger> moved = new LinkedHashMap<>();
      for (PersonCell cell : cells(x, y)) {
        moved.merge(
            List.of(cell.measurement(), cell.grouping()),
            x.clipped(cell, level).subtract(y.clipped(cell, level)).abs(),
            BigInteger::add);
      }
      for (Map.Entry<List<Object>, BigInteger> one : moved.entrySet()) {
        Measurement measurement = noise.get((Integer) one.getKey().getFirst()).measurement();
        to.add(
            new NeighborDistance(
                NeighborDistance.words(measurement) + ", a grouping set clipped at level " + level,
                new BigDecimal(one.getValue()),
                new BigDecimal(clipping().moved(measurement, level))));
      }
    }
  }

  private NeighborDistance people(Contributions<PersonCell> x, Contributions<PersonCell> y) {
    BigInteger people = BigInteger.ZERO;
    for (int bucket = 0; bucket < x.levels().buckets(); bucket++) {
      people = people.add(apart(x.people(bucket), y.people(bucket)));
    }
    BigInteger most =
        clipping().euclidean() ? clipping().peopleMovedSquared() : clipping().peopleMoved();
    return new NeighborDistance(
        "the histogram of people" + squared(), new BigDecimal(people), new BigDecimal(most));
  }

  @Override
  public List<String> shownOtherwise(Exact one, Exact other) {
    Optional<LabelSupport> here = ((Clips) one).people();
    Optional<LabelSupport> there = ((Clips) other).people();
    return here.isPresent() && there.isPresent()
        ? here.get().shownOtherwise(there.get())
        : List.of();
  }
}
