package flexdp.gateway.verify;

import flexdp.Analyzer;
import flexdp.algebra.Tree;
import flexdp.failure.DatabaseError;
import flexdp.gateway.ask.Ask;
import flexdp.gateway.ask.AskOptions;
import flexdp.gateway.plan.Planning;
import flexdp.gateway.plan.Rendered;
import flexdp.metrics.Metrics;
import flexdp.plan.Calibrated;
import flexdp.plan.EnforcedCaps;
import flexdp.plan.Plan;
import flexdp.plan.Planned;
import flexdp.policy.Policy;
import flexdp.policy.Unit;
import flexdp.question.Question;
import flexdp.question.ReleasePoint;
import flexdp.sensitivity.Applied;
import flexdp.sensitivity.Sensitivity;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** One question, asked of states of made-up databases as a gateway would ask it. */
final class Trial implements AutoCloseable {
  /** What came of reading a state. */
  sealed interface Outcome {}

  record Read(ExactResults values) implements Outcome {}

  /**
   * It could not be read.
   *
   * @param why the database's own words; the data are nobody's
   */
  record Failed(String why) implements Outcome {}

  private final Policy policy;
  private final Question question;
  private final Ask ask;
  private final Analyzer analyzer;
  private final Ground ground;
  private final Rendered rendered;
  private final Set<Unit> units = new TreeSet<>();
  private Optional<Plan> always = Optional.empty();
  private Map<Integer, Optional<List<List<Object>>>> labels = Map.of();

  /**
   * @param policy the whole one
   */
  Trial(Policy policy, Question question, Storage storage, Ask ask, Analyzer analyzer) {
    this.policy = policy;
    this.question = question;
    this.ask = ask;
    this.analyzer = analyzer;
    this.ground = new Ground(storage);
    this.rendered = new Rendered(ground.database());
    for (ReleasePoint point : question.releases()) {
      units.addAll(Tree.units(point.input()));
    }
  }

  Set<Unit> units() {
    return units;
  }

  /** What is stored otherwise than the policy says, in words. */
  List<String> stored() {
    return ground.stored();
  }

  /** Another database; its public tables decide labels and, at times, the whole plan. */
  void begin(MadeUp data) {
    ground.begin(data);
    always = Optional.empty();
    Metrics metrics = ground.metrics();
    Plan plan = planned(metrics, Map.of());
    labels = ExactResults.labels(policy, plan, ground.database(), rendered);
    plan = planned(metrics, labels);
    if (plan.measurements().stream().allMatch(p -> isPublic(p, metrics))) {
      always = Optional.of(plan);
    }
  }

  /** Whether a bound is the same whatever protected rows there are. */
  private boolean isPublic(Planned planned, Metrics metrics) {
    if (planned.noise().isPresent()
        && (planned.noise().get() instanceof Calibrated.Clipped
            || planned.noise().get() instanceof Calibrated.Descended)) {
      return true;
    }
    return Sensitivity.symbolic(
            planned.release(),
            planned.measurement(),
            metrics,
            policy.privacy().neighbors(),
            AskOptions.RULES,
            new Applied())
        .isConstant();
  }

  private Plan planned(Metrics metrics, Map<Integer, Optional<List<List<Object>>>> known) {
    Planning planning = new Planning(policy, metrics, analyzer);
    Question capped = EnforcedCaps.in(question, metrics, policy.privacy().neighbors());
    Plan plan = planning.planned(ask, capped, metrics);
    return plan.isAnswerable() || known.isEmpty() ? plan : planning.replanned(ask, capped, known);
  }

  Outcome read(State state) {
    ground.go(state);
    try {
      Plan plan = always.orElseGet(() -> planned(ground.metrics(), labels));
      return new Read(ExactResults.read(policy, plan, labels, ground.database(), rendered));
    } catch (DatabaseError e) {
      return new Failed(ground.said() + " (" + e.codeName() + ")");
    } catch (IllegalStateException | ArithmeticException | IllegalArgumentException e) {
      return new Failed(e.getClass().getSimpleName() + ": " + e.getMessage());
    }
  }

  @Override
  public void close() {
    ground.close();
  }
}
