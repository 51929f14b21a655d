package flexdp.gateway.answer;

import flexdp.algebra.Tree;
import flexdp.budget.Account;
import flexdp.cut.Barred;
import flexdp.cut.LeftOut;
import flexdp.gateway.ask.AskOptions;
import flexdp.gateway.ask.Explanation;
import flexdp.gateway.plan.QuestionParts;
import flexdp.metrics.Metrics;
import flexdp.plan.Calibrated;
import flexdp.plan.Errors;
import flexdp.plan.Plan;
import flexdp.plan.Planned;
import flexdp.policy.Policy;
import flexdp.policy.Unit;
import flexdp.question.Labels;
import flexdp.question.Measurement;
import flexdp.question.ReleasePoint;
import flexdp.release.PeopleWords;
import flexdp.release.ReleasePlan;
import flexdp.sensitivity.Applied;
import flexdp.sensitivity.Sensitivity;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;

/** Explains a plan with symbols in place of private numbers. */
public final class Explainer {
  private final Policy policy;
  private final Metrics metrics;

  public Explainer(Policy policy, Metrics metrics) {
    this.policy = policy;
    this.metrics = metrics;
  }

  /** Of a plan of which nothing is foretold. */
  public Explanation explain(
      Plan plan, List<ReleasePlan> releases, BigDecimal epsilon, Errors errors) {
    return explain(plan, releases, epsilon, errors, Outlook.NONE);
  }

  /**
   * @param releases how its release points are made
   * @param errors what is public of its noise
   * @param outlook what is foretold of it
   */
  Explanation explain(
      Plan plan, List<ReleasePlan> releases, BigDecimal epsilon, Errors errors, Outlook outlook) {
    Set<String> tables = new TreeSet<>();
    List<String> operators = new ArrayList<>();
    BigDecimal delta = BigDecimal.ZERO;
    for (ReleasePoint point : plan.question().releases()) {
      Tree.units(point.input()).forEach(unit -> tables.add(charged(unit)));
      if (point.labels() instanceof Labels.Thresholded) {
        delta = delta.add(policy.privacy().thresholding().orElse(BigDecimal.ZERO));
      }
    }
    if (plan.isAnswerable()) {
      Barred.require(plan.question(), barred(plan, errors));
    }
    List<Explanation.Aggregate> noise = new ArrayList<>();
    Applied applied = new Applied();
    for (Planned planned : plan.measurements()) {
      noise.add(noise(plan, planned, errors, applied));
      delta = delta.add(planned.noise().map(n -> n.mechanism().delta()).orElse(BigDecimal.ZERO));
    }
    for (ReleasePlan release : releases) {
      ReleasePoint point = release.target();
      if (plan.isByPeople(point)) {
        operators.add(PeopleWords.route(release, whose(point)));
      } else {
        operators.addAll(OperatorLines.of(point.input(), applied));
      }
    }
    return new Explanation(
        plan.question().columns(),
        labels(plan),
        tables,
        plan.measurements().isEmpty() ? BigDecimal.ZERO : epsilon,
        delta,
        operators,
        noise,
        new ErrorWords(plan, releases, metrics, errors, outlook).all(),
        plan.hint(),
        QuestionParts.of(plan));
  }

  /** A table by its name, a kind of people by that of its account. */
  private static String charged(Unit unit) {
    return unit instanceof Unit.Person ? Account.of(unit).toString() : unit.name();
  }

  private static String whose(ReleasePoint point) {
    return Tree.units(point.input()).stream().map(Unit::name).collect(Collectors.joining(", "));
  }

  /** Which columns have error bars, those among them whose noise is known with the answer only. */
  static IntPredicate barred(Plan plan, Errors errors) {
    Set<Integer> later = new HashSet<>();
    for (Planned planned : plan.measurements()) {
      if (planned.measurement() instanceof Measurement.Amount amount
          && planned.noise().filter(Calibrated.Clipped.class::isInstance).isPresent()) {
        later.add(amount.output().id());
      }
    }
    plan.question()
        .readings()
        .forEach(
            (column, of) -> {
              if (later.contains(of)) {
                later.add(column);
              }
            });
    return column -> errors.measures(column) || later.contains(column);
  }

  private Explanation.Aggregate noise(Plan plan, Planned planned, Errors errors, Applied applied) {
    boolean byPeople = plan.isByPeople(planned.release());
    String formula =
        byPeople
            ? planned.noise().map(PeopleWords::formula).orElse("one person: at most τ")
            : Sensitivity.symbolic(
                    planned.release(),
                    planned.measurement(),
                    metrics,
                    plan.neighbors(),
                    AskOptions.RULES,
                    applied)
                .symbolicFormula();
    boolean scaled = !byPeople && planned.unit().compareTo(BigDecimal.ONE) != 0;
    return new Explanation.Aggregate(
        planned.measurement().origin().column(),
        planned.measurement().origin().aggregate(),
        planned.measurement().origin().part(),
        scaled ? planned.unit().toPlainString() + " × (" + formula + ")" : formula,
        planned.noise().map(n -> n.mechanism().name()),
        planned.noise().map(n -> n.mechanism().epsilon()).orElse(BigDecimal.ZERO),
        Optional.of(planned.measurement().output().id())
            .filter(errors::measures)
            .map(id -> errors.halfWidth(id, 1)));
  }

  private static String labels(Plan plan) {
    String leftOut = LeftOut.of(plan.question());
    return plan.question().releases().stream()
            .map(point -> point.labels().word())
            .filter(word -> !word.equals("none"))
            .findFirst()
            .orElse("none")
        + (leftOut.isEmpty() ? "" : "; " + leftOut);
  }
}
