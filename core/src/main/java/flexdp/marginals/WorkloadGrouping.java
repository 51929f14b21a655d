package flexdp.marginals;

import flexdp.noise.Gaussian;
import flexdp.noise.Laplace;
import flexdp.noise.Mechanism;
import flexdp.plan.CalibratedMechanism;
import flexdp.plan.PlannedMeasurement;
import flexdp.query.Measurement;
import flexdp.query.NoisyAggregate;
import flexdp.workload.BudgetAllocation;
import flexdp.workload.BudgetNorm;
import flexdp.workload.LeastSquares;
import flexdp.workload.MultiplicativeWeights;
import flexdp.workload.WorkloadGoal;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Puts measurements of many statements together: those of one frame read the same rows and measure
 * the same. What would be answered worse than by itself, or does not fit the limits, stays outside.
 * A function of the statements, their labels and public bounds.
 */
public final class WorkloadGrouping {
  private static final int ROUNDS = 6;

  private final BudgetNorm norm;
  private final StrategySelection.Sensitivities sensitivities;
  private final boolean mwem;

  public WorkloadGrouping(BudgetNorm norm, StrategySelection.Sensitivities sensitivities) {
    this(norm, sensitivities, false);
  }

  /**
   * @param mwem whether frames are estimated by multiplicative weights
   */
  public WorkloadGrouping(
      BudgetNorm norm, StrategySelection.Sensitivities sensitivities, boolean mwem) {
    this.norm = norm;
    this.sensitivities = sensitivities;
    this.mwem = mwem;
  }

  public List<WorkloadGroup> of(List<WorkloadQuery> members) {
    Map<String, List<WorkloadKeys.Taken>> groups = new LinkedHashMap<>();
    Map<NoisyAggregate, Optional<JoinBlock>> bases = new HashMap<>();
    for (WorkloadQuery member : members) {
      if (isPlain(member.planned())) {
        bases
            .computeIfAbsent(member.point(), JoinBlock::of)
            .ifPresent(
                base -> {
                  Measurement m = base.measurements().get(member.place());
                  boolean normal =
                      MechanismShares.of(member.planned()).orElseThrow() instanceof Gaussian;
                  String identity = base.identity() + "|" + base.text(m) + "|" + normal;
                  groups
                      .computeIfAbsent(identity, g -> new ArrayList<>())
                      .add(new WorkloadKeys.Taken(member, base, m));
                });
      }
    }
    List<WorkloadGroup> frames = new ArrayList<>();
    groups.values().forEach(group -> frame(group).ifPresent(frames::add));
    return frames;
  }

  /** Public Laplace or Gaussian noise on one grouping set. */
  private static boolean isPlain(PlannedMeasurement planned) {
    return MechanismShares.of(planned).isPresent()
        && planned.release().groupingSets().size() == 1
        && planned.release().groupingSets().getFirst().size() == planned.release().keys().size();
  }

  private Optional<WorkloadGroup> frame(List<WorkloadKeys.Taken> group) {
    List<WorkloadKeys.Taken> left = group;
    for (int round = 0; round < ROUNDS && left.size() > 1; round++) {
      Draft draft = new Draft(left);
      Optional<WorkloadGroup> made = draft.made();
      if (made.isPresent() && made.get().answers().size() == left.size()) {
        return made;
      }
      if (made.isEmpty()) {
        return Optional.empty();
      }
      Set<WorkloadQuery> kept = new HashSet<>();
      made.get().answers().forEach(a -> kept.add(a.member()));
      left = left.stream().filter(t -> kept.contains(t.member())).toList();
    }
    return Optional.empty();
  }

  /** One attempt; what does not fit is left out of what it makes. */
  private final class Draft {
    private final List<WorkloadKeys.Taken> taken;
    private final WorkloadKeys keys;

    Draft(List<WorkloadKeys.Taken> taken) {
      this.taken = taken;
      this.keys = new WorkloadKeys(taken, !mwem);
    }

    Optional<WorkloadGroup> made() {
      return keys.frame().flatMap(frame -> made(frame, keys.point()));
    }

    private Optional<WorkloadGroup> made(KeyDomain frame, NoisyAggregate point) {
      List<WorkloadGroup.Answer> answers = keys.answers(frame);
      PlannedMeasurement first = taken.getFirst().member().planned();
      Measurement measurement = point.measurements().getFirst();
      PlannedMeasurement planned =
          new PlannedMeasurement(point, measurement, first.bound(), first.unit(), first.noise());
      List<Integer> all = List.of(0);
      boolean released = sensitivities.of(planned, all, false).isEmpty();
      Optional<BigDecimal> keyed = sensitivities.of(planned, all, released);
      Optional<BigDecimal> total = sensitivities.of(planned, List.of(), released);
      if (keyed.isEmpty() || total.isEmpty() || keyed.get().signum() <= 0) {
        return Optional.empty();
      }
      StrategySelection.Moves moves = new StrategySelection.Moves(total.get(), keyed.get());
      double[] full = StrategySelection.full(frame, moves);
      List<Mechanism.Additive> parts = new ArrayList<>();
      double[] plain = new double[full.length];
      List<WorkloadGoal> wanted = new ArrayList<>();
      for (WorkloadGroup.Answer answer : answers) {
        CalibratedMechanism noise = answer.member().planned().noise().orElseThrow();
        parts.add(MechanismShares.of(answer.member().planned()).orElseThrow());
        plain[answer.cuboid(frame.lattice())] += 1.0 / answers.size();
        double count = norm == BudgetNorm.SUM ? answers.size() : Math.sqrt(answers.size());
        double alone = noise.sensitivity().doubleValue() / keyed.get().doubleValue() * count;
        wanted.add(
            new WorkloadGoal(
                answer.shares(frame.lattice()), answer.member().weight(), 2 * alone * alone));
      }
      Mechanism.Additive whole = MechanismShares.together(parts, norm, released);
      if (mwem) {
        return whole instanceof Laplace laplace
            ? weighted(frame, point, answers, moves, laplace)
            : Optional.empty();
      }
      BudgetAllocation split = BudgetAllocation.of(frame.lattice(), wanted, full, plain, norm);
      List<MeasurementStrategy.Cuboid> cuboids =
          MechanismShares.cuboids(frame, split, moves, whole);
      if (StrategySelection.cells(frame, cuboids) > KeyDomain.MOST_IN_ALL) {
        return Optional.empty();
      }
      LeastSquares fit = split.fit(frame.lattice(), full);
      List<WorkloadGroup.Answer> good =
          IntStream.range(0, answers.size())
              .filter(
                  i -> fit.variance(wanted.get(i).shares()) <= wanted.get(i).most() * (1 + 1e-6))
              .mapToObj(answers::get)
              .toList();
      return Optional.of(
          new WorkloadGroup(
              point, new MeasurementStrategy(frame, measurement, 0, cuboids), good, keys.names()));
    }

    /** All cuboids that are asked for may be chosen; what is never below zero can be guessed so. */
    private Optional<WorkloadGroup> weighted(
        KeyDomain frame,
        NoisyAggregate point,
        List<WorkloadGroup.Answer> answers,
        StrategySelection.Moves moves,
        Laplace laplace) {
      Measurement measurement = point.measurements().getFirst();
      int nothing = frame.cuboid(List.of());
      List<Integer> candidates =
          answers.stream()
              .map(a -> a.cuboid(frame.lattice()))
              .filter(c -> c != nothing)
              .distinct()
              .sorted()
              .toList();
      if (candidates.isEmpty()
          || MultiplicativeWeights.cells(frame.lattice()) > MultiplicativeWeights.MOST_CELLS
          || MultiplicativeWeights.cells(frame.lattice()) * candidates.size() > Mwem.MOST_WORK
          || measurement.mostTaken().signum() > 0) {
        return Optional.empty();
      }
      Mwem made = Mwem.of(candidates, laplace.epsilon(), norm, moves.total(), moves.keyed());
      List<MeasurementStrategy.Cuboid> read = new ArrayList<>();
      read.add(
          new MeasurementStrategy.Cuboid(
              nothing, new Laplace(made.total(), laplace.released()), moves.total()));
      for (int cuboid : candidates) {
        read.add(
            new MeasurementStrategy.Cuboid(
                cuboid, new Laplace(made.each(), laplace.released()), moves.keyed()));
      }
      return StrategySelection.cells(frame, read) > KeyDomain.MOST_IN_ALL
          ? Optional.empty()
          : Optional.of(
              new WorkloadGroup(
                  point,
                  new MeasurementStrategy(frame, measurement, 0, read),
                  answers,
                  keys.names(),
                  Optional.of(made)));
    }
  }
}
