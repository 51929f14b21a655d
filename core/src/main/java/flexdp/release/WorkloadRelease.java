package flexdp.release;

import flexdp.marginals.CuboidCells;
import flexdp.marginals.MarginalsReleaser;
import flexdp.marginals.MeasuredMarginals;
import flexdp.marginals.WorkloadGroup;
import flexdp.marginals.WorkloadQuery;
import flexdp.noise.Noise;
import flexdp.query.NoisyAggregate;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Cuboids that are measured once, for measurements of many statements of a workload. They are read
 * and drawn as a release plan is, but what comes of them are columns of many answers.
 */
public record WorkloadRelease(WorkloadGroup frame) {
  /** Exact cells: nobody but their release can look into them. */
  public static final class Cuboids {
    private final CuboidCells cells;

    private Cuboids(CuboidCells cells) {
      this.cells = cells;
    }
  }

  /**
   * What everybody may know.
   *
   * @param values one for every bin, by the measurement that they are of
   * @param measured the cuboids with noise; absent where data chose them
   */
  public record Estimated(
      Map<WorkloadQuery, List<BigDecimal>> values, Optional<MeasuredMarginals> measured) {}

  /** What the database is asked. */
  public Reading.Cells reading() {
    return new Reading.Cells(frame.read().by(frame.strategy().sets()), Reading.Cells.Use.CUBOIDS);
  }

  public Cuboids read(ExactRows rows) {
    Reading.Cells reading = reading();
    NoisyAggregate point = reading.point();
    CuboidCells cells = new CuboidCells(frame.strategy().frame(), point, frame.strategy().points());
    rows.cells(reading, cells);
    return new Cuboids(cells);
  }

  public Estimated draw(Cuboids exact, Noise noise) {
    MarginalsReleaser releaser = new MarginalsReleaser(noise);
    if (frame.mwem().isPresent()) {
      return new Estimated(
          releaser.estimates(frame, frame.mwem().get(), exact.cells, noise.source()),
          Optional.empty());
    }
    MeasuredMarginals noisy = releaser.drawn(frame.read(), frame.strategy(), exact.cells, 0);
    return new Estimated(MarginalsReleaser.estimates(frame, noisy), Optional.of(noisy));
  }

  /** Nothing is drawn, for there may be many cells; what else can be known to fail does so here. */
  public void rehearse() {
    if (frame.mwem().isEmpty()) {
      frame.strategy().whole();
    }
  }
}
