package flexdp.gateway.answer;

import flexdp.frame.CuboidCells;
import flexdp.frame.Drawn;
import flexdp.frame.FrameReleaser;
import flexdp.frame.Strategy;
import flexdp.gateway.database.Session;
import flexdp.gateway.plan.Rendered;
import flexdp.noise.Noise;
import flexdp.question.Measurement;
import flexdp.question.ReleasePoint;
import flexdp.release.Histogram;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Reads the cuboids that strategies measure, all in one statement, and estimates from them. */
final class FrameReading {
  private final Rendered rendered;
  private final Session session;
  private final Execution execution;

  FrameReading(Rendered rendered, Session session, Execution execution) {
    this.rendered = rendered;
    this.session = session;
    this.execution = execution;
  }

  /** What the database is asked for: all cuboids that strategies measure. */
  static ReleasePoint read(ReleasePoint point, List<Strategy> strategies) {
    List<Measurement> measured = strategies.stream().map(Strategy::measurement).toList();
    List<List<Integer>> sets = new ArrayList<>();
    strategies.forEach(s -> s.sets().stream().filter(x -> !sets.contains(x)).forEach(sets::add));
    return point.with(measured).by(sets);
  }

  /**
   * Estimates for all bins, by the place of the measurement.
   *
   * @param kept is told what was measured
   */
  Map<Integer, List<BigDecimal>> release(
      ReleasePoint point,
      List<Strategy> strategies,
      Noise noise,
      List<Histogram.Bin> bins,
      Consumer<Drawn> kept) {
    ReleasePoint read = read(point, strategies);
    CuboidCells cells = new CuboidCells(strategies.getFirst().frame(), read);
    execution.fill(read, rendered.once(read, session), cells);
    FrameReleaser releaser = new FrameReleaser(noise);
    Map<Integer, List<BigDecimal>> estimated = new HashMap<>();
    for (int i = 0; i < strategies.size(); i++) {
      Strategy strategy = strategies.get(i);
      Drawn drawn = releaser.drawn(point, strategy, cells, i);
      kept.accept(drawn);
      estimated.put(strategy.place(), FrameReleaser.estimates(point, drawn, bins));
    }
    return estimated;
  }
}
