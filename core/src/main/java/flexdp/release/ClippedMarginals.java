package flexdp.release;

import flexdp.cells.ExactHistogram;
import flexdp.cells.PersonCell;
import flexdp.marginals.ClippedCuboids;
import flexdp.marginals.MeasurementStrategy;
import flexdp.noise.Mechanism;
import flexdp.noise.Noise;
import flexdp.people.clipping.Contributions;
import flexdp.plan.CalibratedMechanism;
import flexdp.plan.EstimateNoise;
import flexdp.query.NoisyAggregate;
import flexdp.release.ReleasePlan.Exact;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Grouping sets of what people contribute, estimated from cuboids that are sums of the same clipped
 * rows. They cost what their mechanism does, however it is shared out.
 *
 * @param clipped what would be released by bins
 * @param strategies of all measurements
 */
public record ClippedMarginals(ClippedRelease clipped, List<MeasurementStrategy> strategies)
    implements ReleasePlan {
  public ClippedMarginals {
    strategies = List.copyOf(strategies);
  }

  @Override
  public NoisyAggregate target() {
    return clipped.target();
  }

  @Override
  public List<Mechanism> draws() {
    return clipped.draws();
  }

  private List<CalibratedMechanism.Clipped> noise() {
    return clipped.noise().stream().map(CalibratedMechanism.Clipped::ofCuboids).toList();
  }

  private ClippedCuboids cuboids() {
    return new ClippedCuboids(target(), noise(), strategies);
  }

  /** Over the grouping sets that are measured. */
  private ClippedRelease measured() {
    return new ClippedRelease(
        target(), clipped.rows().by(cuboids().sets()), noise(), clipped.thresholding());
  }

  @Override
  public List<Reading> readings() {
    return measured().readings();
  }

  /** Of whatever labels: those of cuboids are not beside each other. */
  @Override
  public ClippedRelease.Clips read(ExactRows rows, Optional<List<List<Object>>> labels) {
    Contributions<PersonCell> all = measured().contributions(rows, Optional.empty());
    return new ClippedRelease.Clips(labels, Optional.empty(), looked -> all);
  }

  @Override
  public Released draw(Exact exact, Noise drawing) {
    ClippedRelease.Clips clips = (ClippedRelease.Clips) exact;
    ExactHistogram bins = ExactHistogram.of(target(), clips.labels().orElseThrow());
    ClippedCuboids.Estimated made =
        cuboids().estimates(measured().rows(), clips.all(), bins.bins(), drawing.source());
    Map<Integer, EstimateNoise> fits = new HashMap<>();
    for (int m = 0; m < clipped.noise().size(); m++) {
      fits.put(clipped.noise().get(m).measurement().output().id(), made.errors().get(m));
    }
    return new Released(
        Released.rows(target(), bins, made.values()),
        ClippingNotes.estimated(noise(), made),
        Map.of(),
        fits,
        List.of(),
        ClippingNotes.caps(noise(), made));
  }

  /** Nothing is drawn for cuboids: they may have many cells. */
  @Override
  public void rehearse(ExactRows none, Optional<List<List<Object>>> labels, Noise drawing) {
    read(none, labels);
  }

  @Override
  public List<NeighborDistance> distance(Exact one, ReleasePlan there, Exact other) {
    return measured().distance(one, ((ClippedMarginals) there).measured(), other);
  }

  @Override
  public boolean tellsItsNoise() {
    return true;
  }
}
