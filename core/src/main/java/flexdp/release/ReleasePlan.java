package flexdp.release;

import flexdp.marginals.MeasurementStrategy;
import flexdp.noise.Mechanism;
import flexdp.noise.Noise;
import flexdp.people.packing.PackingSolver;
import flexdp.plan.CalibratedMechanism;
import flexdp.plan.EstimateNoise;
import flexdp.plan.JointClipping;
import flexdp.plan.Plan;
import flexdp.plan.PlannedMeasurement;
import flexdp.query.NoisyAggregate;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How one noisy aggregate is made: what is read of the database, in algebra; how rows become exact
 * values, which nobody can look into; how these become noisy rows, and what is public of them; and
 * how far the exact values of two neighbours are apart. A value, made of a plan.
 */
public sealed interface ReleasePlan
    permits HistogramRelease,
        MarginalsRelease,
        ReleasePlan.LevelRelease,
        ClippedMarginals,
        ClippedParts {
  /** What is released, with its labels. */
  NoisyAggregate target();

  /** One for every draw of noise. */
  List<Mechanism> draws();

  /** What the database may be asked, as far as that is known before labels are. */
  List<Reading> readings();

  /**
   * Reads the exact values.
   *
   * @param labels that are listed; absent where data decide
   */
  Exact read(ExactRows rows, Optional<List<List<Object>>> labels);

  /** Makes noisy rows of what was read: with fresh noise each time, and each costs its ε. */
  Released draw(Exact exact, Noise noise);

  /**
   * How far what noise is added to is from the exact values of a neighbour, each time against what
   * the noise is made for. Private: for data that were made up.
   *
   * @param there the plan by which the neighbour was read
   */
  List<NeighborDistance> distance(Exact one, ReleasePlan there, Exact other);

  /** Where data decide the labels: those are shown whose noisy number of people exceeds this. */
  default Optional<BigDecimal> labelThreshold() {
    return Optional.empty();
  }

  /** Labels from the data that a neighbour would show in another way; private. */
  default List<String> shownOtherwise(Exact one, Exact other) {
    return List.of();
  }

  /**
   * Makes an answer of no rows, for one label, with noise that nobody sees: whatever can be known
   * to fail before the charge fails here.
   *
   * @param none rows that are none
   */
  default void rehearse(ExactRows none, Optional<List<List<Object>>> labels, Noise noise) {
    draw(read(none, labels.map(all -> all.subList(0, Math.min(1, all.size())))), noise);
  }

  /** Whether a linear program may have to be solved. */
  default boolean needsSolver() {
    return false;
  }

  /** Whether its noise is known with the answer only, which tells it. */
  default boolean tellsItsNoise() {
    return false;
  }

  /** What is public before it is released of what is estimated, by the column of the value. */
  default Map<Integer, EstimateNoise> fits() {
    return Map.of();
  }

  /** This release by a plan whose bounds are those of another state of the data. */
  default ReleasePlan in(Plan other, Means means) {
    return of(
        other,
        target(),
        this instanceof MarginalsRelease marginals ? marginals.strategies() : List.of(),
        this instanceof ClippedMarginals marginals ? marginals.strategies() : List.of(),
        means);
  }

  /**
   * What releases need beside the plan.
   *
   * @param thresholding the policy's δ of one thresholded histogram
   * @param solver asked where a row has three owners or more
   */
  record Means(Optional<BigDecimal> thresholding, PackingSolver solver) {}

  /** How a release point of a plan is made. */
  static ReleasePlan of(Plan plan, NoisyAggregate point, Means means) {
    return of(plan, point, List.of(), List.of(), means);
  }

  /**
   * The release plan of a point of which something is estimated from cuboids.
   *
   * @param strategies of measurements of rows
   * @param ofPeople of all measurements, of clipped rows
   */
  static ReleasePlan of(
      Plan plan,
      NoisyAggregate point,
      List<MeasurementStrategy> strategies,
      List<MeasurementStrategy> ofPeople,
      Means means) {
    List<PlannedMeasurement> planned = plan.of(point);
    NoisyAggregate read = plan.read(point);
    List<CalibratedMechanism.Clipped> clipped = kind(planned, CalibratedMechanism.Clipped.class);
    List<CalibratedMechanism.Packed> packed = kind(planned, CalibratedMechanism.Packed.class);
    if (!packed.isEmpty()) {
      return new PackedRelease(point, read, packed, means.solver());
    }
    if (!clipped.isEmpty() && JointClipping.of(point).size() > 1) {
      return ClippedParts.of(point, read, clipped, means.thresholding());
    }
    if (!clipped.isEmpty()) {
      ClippedRelease release = new ClippedRelease(point, read, clipped, means.thresholding());
      return ofPeople.isEmpty() ? release : new ClippedMarginals(release, ofPeople);
    }
    HistogramRelease rows = new HistogramRelease(point, read, planned, means.thresholding());
    return strategies.isEmpty() ? rows : new MarginalsRelease(rows, strategies);
  }

  private static <C extends CalibratedMechanism> List<C> kind(
      List<PlannedMeasurement> planned, Class<C> kind) {
    List<C> found = new ArrayList<>();
    for (PlannedMeasurement one : planned) {
      one.noise().filter(kind::isInstance).map(kind::cast).ifPresent(found::add);
    }
    return found;
  }

  /** Exact values of one noisy aggregate: nobody but its release plan can look into them. */
  sealed interface Exact
      permits HistogramRelease.Cells,
          MarginalsRelease.Cuboids,
          ClippedRelease.Clips,
          ClippedParts.Each,
          PackedRelease.Shares {}

  /** Nobody counts for more than a level, which is chosen when noise is drawn. */
  sealed interface LevelRelease extends ReleasePlan permits ClippedRelease, PackedRelease {
    /** This release with an ε for each measurement. */
    LevelRelease at(BigDecimal epsilon);

    /** How many levels there are. */
    int levels();

    /** τ of a level, in units of the first measurement. */
    BigDecimal level(int level);

    /**
     * What the only measurement of the only bin is where nobody counts for more than τ; private.
     */
    BigDecimal value(Exact exact, int level);

    @Override
    default boolean tellsItsNoise() {
      return true;
    }
  }
}
