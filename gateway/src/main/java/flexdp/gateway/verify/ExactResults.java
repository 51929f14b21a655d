package flexdp.gateway.verify;

import flexdp.gateway.database.Database;
import flexdp.gateway.database.Session;
import flexdp.gateway.engine.DatabaseRows;
import flexdp.gateway.engine.InstalledSolver;
import flexdp.gateway.engine.StatementExecution;
import flexdp.gateway.prepare.RenderedStatements;
import flexdp.noise.LaplaceCache;
import flexdp.noise.Noise;
import flexdp.noise.SecureBits;
import flexdp.plan.Plan;
import flexdp.policy.Policy;
import flexdp.query.Labels;
import flexdp.query.NoisyAggregate;
import flexdp.release.ClippedRelease;
import flexdp.release.LabelTable;
import flexdp.release.NeighborDistance;
import flexdp.release.ReleasePlan;
import flexdp.release.ReleasePlan.Exact;
import flexdp.release.RowTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the database says of a question before there is noise, read as an answer reads it. It tells
 * how far two states of the data are apart, which is private: only for data that were made up.
 */
public final class ExactResults {
  /**
   * What was read of one release point.
   *
   * @param drawn whether answers are drawn from it; otherwise it is compared only
   */
  private record Read(ReleasePlan release, Exact exact, boolean drawn) {}

  private final Plan plan;
  private final List<Read> reads = new ArrayList<>();

  private ExactResults(Plan plan) {
    this.plan = plan;
  }

  /** The labels that do not come from protected rows, by release point. */
  public static Map<Integer, Optional<List<List<Object>>>> labels(
      Policy policy, Plan plan, Database database, RenderedStatements rendered) {
    Map<Integer, Optional<List<List<Object>>>> labels = new LinkedHashMap<>();
    try (Session session = database.session()) {
      StatementExecution execution = new StatementExecution(session, rendered.renderer());
      for (NoisyAggregate point : plan.query().releases()) {
        labels.put(
            point.id(),
            point.labels() instanceof Labels.Thresholded
                ? Optional.empty()
                : Optional.of(
                    new LabelTable(point, execution::labels, policy.privacy().maxLabels()).rows()));
      }
    }
    return labels;
  }

  /** Reads what a plan asks for in the state that the database is in. */
  public static ExactResults read(
      Policy policy,
      Plan plan,
      Map<Integer, Optional<List<List<Object>>>> labels,
      Database database,
      RenderedStatements rendered) {
    ExactResults read = new ExactResults(plan);
    ReleasePlan.Means means =
        new ReleasePlan.Means(policy.privacy().thresholding(), InstalledSolver.lazily());
    try (Session session = database.session()) {
      DatabaseRows rows = new DatabaseRows(rendered, session, false);
      for (NoisyAggregate point : plan.query().releases()) {
        Optional<List<List<Object>>> known = labels.getOrDefault(point.id(), Optional.empty());
        ReleasePlan release = ReleasePlan.of(plan, point, means);
        read.reads.add(new Read(release, release.read(rows, known), true));
        byCuboids(release).ifPresent(r -> read.reads.add(new Read(r, r.read(rows, known), false)));
      }
    }
    return read;
  }

  /** The cuboids that grouping sets of what people contribute are estimated from. */
  private static Optional<ClippedRelease> byCuboids(ReleasePlan release) {
    return release instanceof ClippedRelease clipped ? clipped.byCuboids() : Optional.empty();
  }

  /** How far everything that noise is added to is from what was read in a neighbouring state. */
  public List<NeighborDistance> against(ExactResults other) {
    requireAlike(other);
    List<NeighborDistance> moved = new ArrayList<>();
    for (int i = 0; i < reads.size(); i++) {
      Read here = reads.get(i);
      Read there = other.reads.get(i);
      moved.addAll(here.release().distance(here.exact(), there.release(), there.exact()));
    }
    return moved;
  }

  /** Labels from the data that a neighbour would show in another way. */
  public List<String> shownOtherwise(ExactResults other) {
    requireAlike(other);
    List<String> found = new ArrayList<>();
    for (int i = 0; i < reads.size(); i++) {
      Read here = reads.get(i);
      found.addAll(here.release().shownOtherwise(here.exact(), other.reads.get(i).exact()));
    }
    return found;
  }

  private void requireAlike(ExactResults other) {
    boolean alike = reads.size() == other.reads.size();
    for (int i = 0; alike && i < reads.size(); i++) {
      alike = reads.get(i).release().getClass() == other.reads.get(i).release().getClass();
    }
    if (!alike) {
      throw new IllegalStateException("how a question is answered would depend on the data");
    }
  }

  /** A private answer, with fresh noise each time; by release point. */
  public Map<Integer, RowTable> released(LaplaceCache distributions) {
    Noise noise = new Noise(new SecureBits(), distributions);
    Map<Integer, RowTable> released = new LinkedHashMap<>();
    for (Read read : reads) {
      if (read.drawn()) {
        released.put(read.release().target().id(), read.release().draw(read.exact(), noise).rows());
      }
    }
    return released;
  }

  /** Whether answers are drawn as here: cuboids are measured together, and otherwise. */
  public boolean isDrawnByItself() {
    return plan.query().releases().stream()
            .allMatch(p -> p.groupingSets().size() == 1 || plan.isByPeople(p))
        && reads.stream().allMatch(Read::drawn);
  }

  public Plan plan() {
    return plan;
  }
}
