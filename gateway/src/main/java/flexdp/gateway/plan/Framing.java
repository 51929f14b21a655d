package flexdp.gateway.plan;

import flexdp.facts.NeverNull;
import flexdp.frame.FrameMaker;
import flexdp.frame.Member;
import flexdp.frame.SharedFrame;
import flexdp.frame.Strategies;
import flexdp.frame.Strategy;
import flexdp.frame.StrategyChoice;
import flexdp.metrics.Metrics;
import flexdp.plan.Errors;
import flexdp.plan.FittedNoise;
import flexdp.plan.Plan;
import flexdp.plan.Planned;
import flexdp.plan.SetSensitivity;
import flexdp.policy.Neighbors;
import flexdp.question.ReleasePoint;
import flexdp.reuse.CompleteLabels;
import flexdp.workload.Norm;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds the release points of a plan whose grouping sets are better measured together. */
public final class Framing {
  private final Metrics metrics;
  private final NeverNull neverNull;
  private final Strategies strategies = new Strategies();

  public Framing(Metrics metrics, NeverNull neverNull) {
    this.metrics = metrics;
    this.neverNull = neverNull;
  }

  /**
   * @param labels by release point
   */
  public Map<Integer, List<Strategy>> of(
      Plan plan, Map<Integer, Optional<List<List<Object>>>> labels, Norm norm) {
    Map<Integer, List<Strategy>> found = new HashMap<>();
    for (ReleasePoint point : plan.question().releases()) {
      if (point.set().isPresent() && labels.get(point.id()).isPresent()) {
        List<Planned> planned =
            plan.measurements().stream().filter(p -> p.release().id() == point.id()).toList();
        List<Strategy> own =
            strategies.of(
                point,
                planned,
                labels.get(point.id()).get(),
                CompleteLabels.of(point, neverNull),
                norm,
                (p, set, released) ->
                    SetSensitivity.of(p, set, released, plan.neighbors(), metrics));
        if (!own.isEmpty()) {
          found.put(point.id(), own);
        }
      }
    }
    return found;
  }

  /** The same of release points whose rows people own; their levels are chosen later. */
  public Map<Integer, List<Strategy>> ofPeople(
      Plan plan, Map<Integer, Optional<List<List<Object>>>> labels) {
    Map<Integer, List<Strategy>> found = new HashMap<>();
    for (ReleasePoint point : plan.question().releases()) {
      if (point.set().isPresent() && labels.get(point.id()).isPresent()) {
        List<Planned> planned =
            plan.measurements().stream().filter(p -> p.release().id() == point.id()).toList();
        List<Strategy> own =
            strategies.ofPeople(
                point, planned, labels.get(point.id()).get(), CompleteLabels.of(point, neverNull));
        if (!own.isEmpty()) {
          found.put(point.id(), own);
        }
      }
    }
    return found;
  }

  /** Measurements of many statements put together. */
  public List<SharedFrame> shared(
      List<Member> members, Neighbors neighbors, Norm norm, StrategyChoice choice) {
    return choice == StrategyChoice.EVEN
        ? List.of()
        : new FrameMaker(
                norm,
                (p, set, released) -> SetSensitivity.of(p, set, released, neighbors, metrics),
                choice == StrategyChoice.MWEM)
            .of(members);
  }

  /** The measurements of a statement that could be estimated together with those of others. */
  public List<Member> members(Prepared prepared, int statement, double weight) {
    List<Member> members = new ArrayList<>();
    for (ReleasePoint point : prepared.plan().question().releases()) {
      Optional<List<List<Object>>> labels = prepared.labels().get(point.id());
      List<Planned> planned = prepared.of(point);
      if (labels.isEmpty() || prepared.plan().read(point) != point) {
        return List.of();
      }
      for (int place = 0; place < planned.size(); place++) {
        members.add(
            new Member(
                statement,
                point,
                place,
                planned.get(place),
                labels.get(),
                CompleteLabels.of(point, neverNull),
                weight));
      }
    }
    return members;
  }

  /** The errors of a plan whose measurements are made so. */
  public static Errors errors(Plan plan, Errors errors, Map<Integer, List<Strategy>> strategies) {
    Map<Integer, FittedNoise> fits = new HashMap<>();
    for (ReleasePoint point : plan.question().releases()) {
      for (Strategy strategy : strategies.getOrDefault(point.id(), List.of())) {
        fits.put(strategy.measurement().output().id(), strategy.errors(point));
      }
    }
    return fits.isEmpty() ? errors : errors.with(fits).in(plan.question());
  }
}
