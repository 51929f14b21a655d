package flexdp.gateway.prepare;

import flexdp.algebra.AlgebraWalker;
import flexdp.budget.Account;
import flexdp.budget.Cost;
import flexdp.noise.Mechanism;
import flexdp.noise.ProposeTestRelease;
import flexdp.plan.ErrorModel;
import flexdp.plan.Plan;
import flexdp.plan.PlannedMeasurement;
import flexdp.policy.PrivacyUnit;
import flexdp.query.Labels;
import flexdp.query.NoisyAggregate;
import flexdp.release.ReleasePlan;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A question that is ready to be charged and run: planned, its labels known. Nothing of it comes
 * from protected rows.
 *
 * @param labels by release point; absent where data decide
 * @param errors what is public of its noise
 * @param means what releases need beside the plan
 * @param releases how each release point is made, in the question's order
 */
public record PreparedQuery(
    Plan plan,
    BigDecimal epsilon,
    ReleasePlan.Means means,
    Map<Integer, Optional<List<List<Object>>>> labels,
    ErrorModel errors,
    List<ReleasePlan> releases) {
  public PreparedQuery {
    releases = List.copyOf(releases);
  }

  /** This question with bounds of other metrics; what is charged must not depend on those. */
  public PreparedQuery with(Plan other, ErrorModel of) {
    if (other == plan) {
      return new PreparedQuery(plan, epsilon, means, labels, of, releases);
    }
    List<ReleasePlan> made = releases.stream().map(r -> r.in(other, means)).toList();
    PreparedQuery prepared = new PreparedQuery(other, epsilon, means, labels, of, made);
    boolean free = mechanisms().isEmpty();
    if (!prepared.mechanism().equals(mechanism()) || !free && !prepared.cost().equals(cost())) {
      throw new IllegalStateException("the mechanism would depend on the data");
    }
    return prepared;
  }

  /** The units that pay: every one whose rows contribute, subqueries included. */
  public Set<PrivacyUnit> units() {
    Set<PrivacyUnit> units = new TreeSet<>();
    for (NoisyAggregate point : plan.query().releases()) {
      units.addAll(AlgebraWalker.units(point.input()));
    }
    return units;
  }

  /** The tables whose accounts pay. */
  public Set<String> tables() {
    Set<String> tables = new TreeSet<>();
    for (PrivacyUnit unit : units()) {
      switch (unit) {
        case PrivacyUnit.Row row -> tables.add(row.table());
        case PrivacyUnit.Person person -> tables.add(Account.of(person).toString());
        case PrivacyUnit.Any ignored ->
            throw new IllegalStateException("no account counts everything");
      }
    }
    return tables;
  }

  /** The measurements of a release point. */
  public List<PlannedMeasurement> of(NoisyAggregate point) {
    return plan.of(point);
  }

  /** The sum of what all draws of noise have, where squares are what is shared. */
  public static BigDecimal sum(List<ReleasePlan> releases) {
    List<Mechanism> draws = releases.stream().flatMap(r -> r.draws().stream()).toList();
    return cost(draws, BigDecimal.ZERO).epsilon();
  }

  /** What independent draws cost together. */
  public static Cost cost(List<Mechanism> mechanisms, BigDecimal failure) {
    BigDecimal sum = BigDecimal.ZERO;
    for (Mechanism mechanism : mechanisms) {
      sum = sum.add(mechanism.epsilon());
    }
    return cost(sum, mechanisms, failure);
  }

  /** One for every draw of noise. */
  private List<Mechanism> mechanisms() {
    return releases.stream().flatMap(r -> r.draws().stream()).toList();
  }

  /** The names of the mechanisms, each once. */
  public String mechanism() {
    Set<String> names = new LinkedHashSet<>();
    mechanisms().forEach(m -> names.add(m.name()));
    return names.isEmpty() ? "none" : String.join(", ", names);
  }

  public BigDecimal delta() {
    BigDecimal delta = BigDecimal.ZERO;
    for (Mechanism mechanism : mechanisms()) {
      delta = delta.add(mechanism.delta());
    }
    return delta.add(labelDelta());
  }

  /** Every thresholded histogram may show a label that it should not with this probability. */
  private BigDecimal labelDelta() {
    long histograms =
        plan.query().releases().stream()
            .filter(point -> point.labels() instanceof Labels.Thresholded)
            .count();
    return means.thresholding().orElse(BigDecimal.ZERO).multiply(BigDecimal.valueOf(histograms));
  }

  /** What the ledger charges: the question's whole ε, however it is split. */
  public Cost cost() {
    return cost(epsilon, mechanisms(), labelDelta());
  }

  /** What several questions cost together. */
  public static Cost together(List<PreparedQuery> parts) {
    BigDecimal epsilon = BigDecimal.ZERO;
    BigDecimal failure = BigDecimal.ZERO;
    List<Mechanism> mechanisms = new ArrayList<>();
    for (PreparedQuery part : parts) {
      epsilon = epsilon.add(part.epsilon());
      failure = failure.add(part.labelDelta());
      mechanisms.addAll(part.mechanisms());
    }
    return cost(epsilon, mechanisms, failure);
  }

  /** The part of it that is charged once the test of a proposal is paid for and passed. */
  public Cost rest(Cost test) {
    BigDecimal squares = BigDecimal.ZERO;
    for (Mechanism mechanism : mechanisms()) {
      BigDecimal part =
          mechanism instanceof ProposeTestRelease p ? p.adding() : mechanism.epsilon();
      squares = squares.add(part.multiply(part));
    }
    return new Cost.Pure(epsilon.subtract(test.epsilon()), squares, delta().subtract(test.delta()));
  }

  /** The part of it that one release point costs. */
  public Cost cost(NoisyAggregate point) {
    List<Mechanism> own =
        releases.stream()
            .filter(r -> r.target().id() == point.id())
            .flatMap(r -> r.draws().stream())
            .toList();
    BigDecimal failure =
        point.labels() instanceof Labels.Thresholded
            ? means.thresholding().orElse(BigDecimal.ZERO)
            : BigDecimal.ZERO;
    return cost(own, failure);
  }

  /**
   * The cost of independent parts in the best currency that all of them have: (ε, δ) when one has
   * nothing better, ρ when one has a δ, otherwise pure.
   *
   * @param failure the probability with which labels are shown that should not be
   */
  public static Cost cost(BigDecimal epsilon, List<Mechanism> mechanisms, BigDecimal failure) {
    BigDecimal squares = BigDecimal.ZERO;
    BigDecimal delta = failure;
    Optional<BigDecimal> rho = Optional.of(BigDecimal.ZERO);
    BigDecimal failures = failure;
    for (Mechanism mechanism : mechanisms) {
      squares = squares.add(mechanism.epsilon().multiply(mechanism.epsilon()));
      delta = delta.add(mechanism.delta());
      failures = failures.add(mechanism.failure());
      rho = rho.flatMap(sum -> mechanism.rho().map(sum::add));
    }
    if (rho.isEmpty()) {
      return Cost.approximate(epsilon, delta);
    }
    return mechanisms.stream().allMatch(Mechanism::isPure)
        ? new Cost.Pure(epsilon, squares, failures)
        : CostComposition.gaussian(epsilon, delta, rho.get(), failures);
  }
}
