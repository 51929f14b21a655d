package flexdp.marginals;

import flexdp.cache.LruCache;
import flexdp.noise.Gaussian;
import flexdp.noise.Laplace;
import flexdp.noise.Mechanism;
import flexdp.plan.CalibratedMechanism;
import flexdp.plan.PlannedMeasurement;
import flexdp.query.NoisyAggregate;
import flexdp.workload.BudgetAllocation;
import flexdp.workload.BudgetNorm;
import flexdp.workload.WorkloadGoal;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Decides how the grouping sets of a release point are measured. What is decided depends on the
 * question, on its labels and on public bounds, so two gateways decide the same.
 */
public final class StrategySelection {
  private static final int REMEMBERED = 200;

  /** Below this, shares of it would be too small to be an ε. */
  private static final BigDecimal LEAST_EPSILON = new BigDecimal("1e-3");

  /** How far the numbers of one grouping set move between neighbours. */
  public interface Sensitivities {
    /** In the measurement's own units; absent where that is not public. */
    Optional<BigDecimal> of(PlannedMeasurement planned, List<Integer> set, boolean released);
  }

  /** All that a split depends on. */
  private record Case(
      List<Integer> sizes, List<Integer> wanted, List<Double> moves, BudgetNorm norm) {}

  private final LruCache<Case, BudgetAllocation> splits = new LruCache<>(REMEMBERED);

  /**
   * The measurements of a release point that are better made by cuboids than set by set.
   *
   * @param labels the listed ones, a value per key
   * @param complete groups of keys whose listed labels are all there are
   */
  public List<MeasurementStrategy> of(
      NoisyAggregate point,
      List<PlannedMeasurement> planned,
      List<List<Object>> labels,
      List<List<Integer>> complete,
      BudgetNorm norm,
      Sensitivities sensitivities) {
    Set<Set<Integer>> different = new HashSet<>();
    point.groupingSets().forEach(set -> different.add(Set.copyOf(set)));
    if (different.size() < 2 || point.set().isEmpty()) {
      return List.of();
    }
    Optional<KeyDomain> frame = KeyDomain.of(point, labels, complete);
    List<MeasurementStrategy> strategies = new ArrayList<>();
    for (int m = 0; frame.isPresent() && m < planned.size(); m++) {
      of(point, frame.get(), planned.get(m), m, norm, sensitivities).ifPresent(strategies::add);
    }
    return strategies;
  }

  /**
   * Strategies where what people contribute is clipped: all measurements, or none. One person moves
   * every cuboid by as much, with keys and without; by how much is known when the answer is made,
   * so that sensitivities are those of the lowest level.
   */
  public List<MeasurementStrategy> ofPeople(
      NoisyAggregate point,
      List<PlannedMeasurement> planned,
      List<List<Object>> labels,
      List<List<Integer>> complete) {
    Optional<KeyDomain> frame = KeyDomain.of(point, labels, complete);
    List<MeasurementStrategy> strategies = new ArrayList<>();
    for (int m = 0; frame.isPresent() && m < planned.size(); m++) {
      if (planned.get(m).noise().orElse(null) instanceof CalibratedMechanism.Clipped noise
          && noise.bySet().isPresent()
          && noise.mechanism().adding().compareTo(LEAST_EPSILON) >= 0) {
        BigDecimal moved = noise.ofCuboids().at(0);
        Laplace whole = Laplace.of(noise.mechanism().adding());
        made(point, frame.get(), planned.get(m), m, BudgetNorm.SUM, new Moves(moved, moved), whole)
            .ifPresent(strategies::add);
      }
    }
    return strategies.size() == planned.size() ? strategies : List.of();
  }

  private Optional<MeasurementStrategy> of(
      NoisyAggregate point,
      KeyDomain frame,
      PlannedMeasurement planned,
      int place,
      BudgetNorm norm,
      Sensitivities sensitivities) {
    Optional<Mechanism.Additive> whole = MechanismShares.of(planned);
    if (!planned.measurement().isAdditive()
        || whole.isEmpty()
        || whole.get().epsilon().compareTo(LEAST_EPSILON) < 0) {
      return Optional.empty();
    }
    boolean released =
        whole.get() instanceof Gaussian
            ? isLess(point, planned, sensitivities)
            : MechanismShares.isReleased(whole.get());
    Optional<BigDecimal> none = sensitivities.of(planned, List.of(), released);
    Optional<BigDecimal> some = keyed(point, planned, sensitivities, released);
    if (none.isEmpty() || some.isEmpty() || none.get().signum() <= 0 || some.get().signum() <= 0) {
      return Optional.empty();
    }
    Moves moves = new Moves(none.get(), some.get());
    return made(point, frame, planned, place, norm, moves, whole.get());
  }

  private Optional<MeasurementStrategy> made(
      NoisyAggregate point,
      KeyDomain frame,
      PlannedMeasurement planned,
      int place,
      BudgetNorm norm,
      Moves moves,
      Mechanism.Additive whole) {
    boolean small =
        point.groupingSets().stream()
            .allMatch(set -> frame.lattice().cells(frame.cuboid(set)) <= KeyDomain.MOST_CELLS);
    BudgetAllocation split = split(point, frame, moves, norm);
    return Optional.of(MechanismShares.cuboids(frame, split, moves, whole))
        .filter(ignored -> small)
        .filter(cuboids -> cells(frame, cuboids) <= KeyDomain.MOST_IN_ALL)
        .map(cuboids -> new MeasurementStrategy(frame, planned.measurement(), place, cuboids));
  }

  /**
   * Whether released metrics give a smaller bound than the structure does. Gaussian noise does not
   * say by which of them it was made; both are public.
   */
  private static boolean isLess(
      NoisyAggregate point, PlannedMeasurement planned, Sensitivities sensitivities) {
    Optional<BigDecimal> ceiling = keyed(point, planned, sensitivities, false);
    Optional<BigDecimal> known = keyed(point, planned, sensitivities, true);
    return known.isPresent() && (ceiling.isEmpty() || known.get().compareTo(ceiling.get()) < 0);
  }

  /**
   * The most that any key by itself, or all together, lets counts and sums move. Their bounds look
   * at whether there is a key and not at which (Sensitivity), so these are all equal; the greatest
   * is taken lest that ever changes.
   */
  private static Optional<BigDecimal> keyed(
      NoisyAggregate point,
      PlannedMeasurement planned,
      Sensitivities sensitivities,
      boolean released) {
    List<List<Integer>> sets = new ArrayList<>();
    List<Integer> all = new ArrayList<>();
    for (int key = 0; key < point.keys().size(); key++) {
      sets.add(List.of(key));
      all.add(key);
    }
    sets.add(all);
    BigDecimal most = BigDecimal.ZERO;
    for (List<Integer> set : sets) {
      Optional<BigDecimal> bound = sensitivities.of(planned, set, released);
      if (bound.isEmpty()) {
        return bound;
      }
      most = most.max(bound.get());
    }
    return Optional.of(most);
  }

  /** How far cuboids move: the one without keys, and every other. */
  record Moves(BigDecimal total, BigDecimal keyed) {
    BigDecimal of(KeyDomain frame, int cuboid) {
      return frame.keys(cuboid).isEmpty() ? total : keyed;
    }
  }

  private BudgetAllocation split(
      NoisyAggregate point, KeyDomain frame, Moves moves, BudgetNorm norm) {
    List<Integer> sizes = new ArrayList<>();
    for (int key = 0; key < frame.lattice().keys(); key++) {
      sizes.add(frame.lattice().blocks(key, frame.lattice().finest(key)));
    }
    List<Integer> wanted = point.groupingSets().stream().map(frame::cuboid).sorted().toList();
    double ratio = moves.total().doubleValue() / moves.keyed().doubleValue();
    return splits.of(
        new Case(sizes, wanted, List.of(ratio), norm), () -> split(frame, wanted, ratio, norm));
  }

  private static BudgetAllocation split(
      KeyDomain frame, List<Integer> wanted, double ratio, BudgetNorm norm) {
    double[] full = full(frame, ratio);
    double[] plain = new double[full.length];
    double whole = 0;
    for (int cuboid : wanted) {
      whole += part(frame, cuboid, ratio, norm);
    }
    for (int cuboid : wanted) {
      plain[cuboid] += part(frame, cuboid, ratio, norm) / whole;
    }
    double most =
        switch (norm) {
          case SUM -> 2 * whole * whole;
          case SQUARES -> 2 * whole;
        };
    List<WorkloadGoal> questions = new ArrayList<>();
    for (int cuboid : Set.copyOf(wanted).stream().sorted().toList()) {
      questions.add(new WorkloadGoal(frame.lattice().cell(cuboid), 1, most));
    }
    return BudgetAllocation.of(frame.lattice(), questions, full, plain, norm);
  }

  /** What an even split gives to a set, before it is divided by all of them. */
  private static double part(KeyDomain frame, int cuboid, double ratio, BudgetNorm norm) {
    double moves = frame.keys(cuboid).isEmpty() ? ratio : 1;
    return norm == BudgetNorm.SUM ? moves : moves * moves;
  }

  /** The precision of a cell of each cuboid that gets everything, where others move by 1. */
  static double[] full(KeyDomain frame, Moves moves) {
    return full(frame, moves.total().doubleValue() / moves.keyed().doubleValue());
  }

  private static double[] full(KeyDomain frame, double ratio) {
    double[] full = new double[frame.lattice().size()];
    for (int cuboid = 0; cuboid < full.length; cuboid++) {
      // Blocks are added up here from what the database tells of their labels.
      long told = frame.lattice().cells(frame.cuboid(frame.keys(cuboid)));
      if (frame.lattice().cells(cuboid) <= KeyDomain.MOST_CELLS && told <= KeyDomain.MOST_IN_ALL) {
        double moves = frame.keys(cuboid).isEmpty() ? ratio : 1;
        full[cuboid] = 1 / (2 * moves * moves);
      }
    }
    return full;
  }

  static long cells(KeyDomain frame, List<MeasurementStrategy.Cuboid> cuboids) {
    return cuboids.stream().mapToLong(c -> frame.lattice().cells(c.point())).sum();
  }
}
