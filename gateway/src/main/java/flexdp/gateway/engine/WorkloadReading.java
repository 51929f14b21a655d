package flexdp.gateway.engine;

import flexdp.cells.ExactHistogram;
import flexdp.gateway.prepare.PreparedQuery;
import flexdp.marginals.MeasuredMarginals;
import flexdp.marginals.WorkloadGroup;
import flexdp.marginals.WorkloadQuery;
import flexdp.noise.Noise;
import flexdp.query.NoisyAggregate;
import flexdp.release.ExactRows;
import flexdp.release.Released;
import flexdp.release.RowTable;
import flexdp.release.WorkloadRelease;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads the frames of a workload and makes the noisy rows of its statements. */
final class WorkloadReading {
  private final Map<WorkloadQuery, List<BigDecimal>> estimates = new HashMap<>();
  private final List<MeasuredMarginals> drawn = new ArrayList<>();

  WorkloadReading(ExactRows rows, PreparedWorkload joined, Noise noise) {
    for (WorkloadGroup frame : joined.frames()) {
      WorkloadRelease release = new WorkloadRelease(frame);
      WorkloadRelease.Estimated estimated = release.draw(release.read(rows), noise);
      estimates.putAll(estimated.values());
      estimated.measured().ifPresent(drawn::add);
    }
  }

  /** What was measured, but for what was chosen by data. */
  List<MeasuredMarginals> drawn() {
    return drawn;
  }

  /** The rows of a statement's release points, all of whose measurements are estimated. */
  Map<Integer, RowTable> rows(PreparedQuery prepared, int statement) {
    Map<Integer, RowTable> released = new HashMap<>();
    for (NoisyAggregate point : prepared.plan().query().releases()) {
      Map<Integer, List<BigDecimal>> own = new TreeMap<>();
      estimates.forEach(
          (member, values) -> {
            if (member.statement() == statement && member.point().id() == point.id()) {
              own.put(member.place(), values);
            }
          });
      if (own.size() < point.measurements().size()) {
        throw new IllegalStateException("a frame answers a statement as a whole");
      }
      ExactHistogram bins =
          ExactHistogram.of(point, prepared.labels().get(point.id()).orElseThrow());
      released.put(point.id(), Released.rows(point, bins, List.copyOf(own.values())));
    }
    return released;
  }
}
