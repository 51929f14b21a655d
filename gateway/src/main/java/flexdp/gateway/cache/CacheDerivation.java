package flexdp.gateway.cache;

import flexdp.cells.ExactHistogram;
import flexdp.gateway.ledger.entry.ReleasedAnswer;
import flexdp.marginals.CachedCuboids;
import flexdp.plan.PlannedMeasurement;
import flexdp.query.Measurement;
import flexdp.query.NoisyAggregate;
import flexdp.release.RowTable;
import flexdp.reuse.Derivation;
import flexdp.reuse.MeasurementShape;
import flexdp.reuse.ReleasedCells;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;

/**
 * A release point from the cells of others. A sum of bins has more noise than a number that is paid
 * for: it is given as long as its error bar is at most {@link #WIDEST} times as wide, and with that
 * error bar.
 */
final class CacheDerivation {
  /** Beyond this a free answer would be a poor one. */
  static final BigDecimal WIDEST = BigDecimal.valueOf(4);

  /** Of very many cuboids that would do, the newest few are looked at: each takes a while. */
  private static final int MOST_ESTIMATES = 8;

  private final NoisyAggregate point;
  private final Derivation derivation;
  private final String analyst;
  private final BiPredicate<CachedNoise, PlannedMeasurement> fits;
  private final IntervalWidthCache widths;
  private int estimates;

  /**
   * @param analyst who asks, and does not pay for their own answers
   * @param fits whether noise is such as was asked for
   */
  CacheDerivation(
      NoisyAggregate point,
      MeasurementShape parts,
      List<List<Object>> labels,
      String analyst,
      BiPredicate<CachedNoise, PlannedMeasurement> fits,
      IntervalWidthCache widths) {
    this.point = point;
    this.analyst = analyst;
    this.derivation = new Derivation(point, parts, labels);
    this.fits = fits;
    this.widths = widths;
  }

  /** A column of values, and where it comes from. */
  private record Candidate(CachedAggregate.Column column, List<Object> values) {}

  Optional<CachedAggregate> from(List<CachedAnswer> answers, List<PlannedMeasurement> planned) {
    List<CachedAggregate.Column> columns = new ArrayList<>();
    List<List<Object>> values = new ArrayList<>();
    Set<ReleasedAnswer> taken = new HashSet<>();
    for (int m = 0; m < planned.size(); m++) {
      Optional<Candidate> best = best(m, planned.get(m), answers, taken);
      if (best.isEmpty()) {
        return Optional.empty();
      }
      columns.add(best.get().column());
      taken.add(best.get().column().from());
      values.add(best.get().values());
    }
    RowTable rows = new RowTable(ExactHistogram.columns(point), derivation.rows(values));
    return Optional.of(new CachedAggregate(point, rows, columns, false));
  }

  /** The cheapest one; of those, the one with the least noise, where that is known. */
  private Optional<Candidate> best(
      int measurement,
      PlannedMeasurement planned,
      List<CachedAnswer> answers,
      Set<ReleasedAnswer> taken) {
    Optional<Candidate> best = Optional.empty();
    estimates = 0;
    for (CachedAnswer answer : answers) {
      for (Candidate other : candidates(measurement, planned, answer)) {
        if (best.isEmpty() || isBetter(other, best.get(), taken)) {
          best = Optional.of(other);
        }
      }
    }
    return best;
  }

  private boolean isBetter(Candidate one, Candidate other, Set<ReleasedAnswer> taken) {
    int cost = cost(one, taken).compareTo(cost(other, taken));
    Optional<BigDecimal> width = width(one);
    Optional<BigDecimal> than = width(other);
    return cost < 0
        || cost == 0
            && width.isPresent()
            && than.isPresent()
            && width.get().compareTo(than.get()) < 0;
  }

  /** What the analyst would have to pay for it beside what is taken already. */
  private BigDecimal cost(Candidate candidate, Set<ReleasedAnswer> taken) {
    ReleasedAnswer from = candidate.column().from();
    return from.analyst().equals(analyst) || taken.contains(from)
        ? BigDecimal.ZERO
        : from.cost().epsilon();
  }

  private Optional<BigDecimal> width(Candidate candidate) {
    return candidate.column().noise().halfWidth(candidate.column().cells(), widths);
  }

  private List<Candidate> candidates(
      int measurement, PlannedMeasurement planned, CachedAnswer answer) {
    List<Candidate> found = new ArrayList<>();
    estimated(measurement, planned, answer).ifPresent(found::add);
    if (answer.cells().isEmpty()) {
      return found;
    }
    ReleasedCells cells = answer.cells().get();
    for (int value = 0; value < cells.values().size(); value++) {
      CachedNoise noise = answer.noise().get(value);
      if (fits.test(noise, planned)) {
        derivation
            .derive(measurement, cells, value)
            .filter(d -> isGoodEnough(noise, d.most(), planned))
            .map(
                d ->
                    new Candidate(
                        new CachedAggregate.Column(
                            planned.measurement(), noise, d.most(), answer.answer()),
                        d.values()))
            .ifPresent(found::add);
      }
    }
    return found;
  }

  private Optional<Candidate> estimated(
      int measurement, PlannedMeasurement planned, CachedAnswer answer) {
    if (answer.cuboids().isEmpty()
        || estimates >= MOST_ESTIMATES
        || !fits.test(answer.noise().getFirst(), planned)) {
      return Optional.empty();
    }
    Optional<CachedCuboids.Estimated> found =
        answer.cuboids().get().estimated(point, derivation, measurement);
    estimates += found.isPresent() ? 1 : 0;
    return found
        .map(
            e ->
                new Candidate(
                    new CachedAggregate.Column(
                        planned.measurement(),
                        answer.noise().getFirst().with(e.noise()),
                        CachedAggregate.ESTIMATED,
                        answer.answer()),
                    e.values()))
        .filter(c -> isGoodEnough(c.column().noise(), CachedAggregate.ESTIMATED, planned));
  }

  /**
   * Error bars decide where they are public. Private scales are never compared, since the outcome
   * would tell of them; such cells serve as a whole or not at all. What is chosen and not measured,
   * a quantile, is as good as its ε.
   */
  private boolean isGoodEnough(CachedNoise noise, int cells, PlannedMeasurement planned) {
    Optional<BigDecimal> asked = CachedNoise.of("", planned).halfWidth(1, widths);
    Optional<BigDecimal> given = noise.halfWidth(cells, widths);
    if (asked.isPresent()) {
      return given.isPresent() && given.get().compareTo(asked.get().multiply(WIDEST)) <= 0;
    }
    boolean chosen = planned.measurement() instanceof Measurement.Selected;
    return cells == 1 && (given.isPresent() || chosen);
  }
}
