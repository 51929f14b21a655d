package flexdp.gateway.answer;

import flexdp.algebra.Tree;
import flexdp.budget.Account;
import flexdp.cut.Barred;
import flexdp.cut.LeftOut;
import flexdp.gateway.ask.AskOptions;
import flexdp.gateway.ask.Explanation;
import flexdp.gateway.plan.QuestionParts;
import flexdp.metrics.Metrics;
import flexdp.plan.Errors;
import flexdp.plan.Plan;
import flexdp.plan.Planned;
import flexdp.policy.Policy;
import flexdp.policy.Unit;
import flexdp.question.Labels;
import flexdp.question.ReleasePoint;
import flexdp.sensitivity.Applied;
import flexdp.sensitivity.Sensitivity;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Explains a plan with symbols in place of private numbers. */
public final class Explainer {
  private final Policy policy;
  private final Metrics metrics;

  public Explainer(Policy policy, Metrics metrics) {
    this.policy = policy;
    this.metrics = metrics;
  }

  /**
   * @param errors what is public of its noise
   */
  public Explanation explain(Plan plan, BigDecimal epsilon, Errors errors) {
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
      Barred.require(plan.question(), PeopleErrors.barred(plan, errors));
    }
    List<Explanation.Aggregate> noise = new ArrayList<>();
    Applied applied = new Applied();
    for (Planned planned : plan.measurements()) {
      noise.add(noise(plan, planned, errors, applied));
      delta = delta.add(planned.noise().map(n -> n.mechanism().delta()).orElse(BigDecimal.ZERO));
    }
    for (ReleasePoint point : plan.question().releases()) {
      if (plan.isByPeople(point)) {
        operators.add(route(plan, point));
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
        new ErrorWords(plan, metrics, errors).all(),
        plan.hint(),
        QuestionParts.of(plan));
  }

  /** A table by its name, a kind of people by that of its account. */
  private static String charged(Unit unit) {
    return unit instanceof Unit.Person ? Account.of(unit).toString() : unit.name();
  }

  private static String route(Plan plan, ReleasePoint point) {
    String whose =
        Tree.units(point.input()).stream().map(Unit::name).collect(Collectors.joining(", "));
    return PeopleNotes.route(plan, point, whose);
  }

  private Explanation.Aggregate noise(Plan plan, Planned planned, Errors errors, Applied applied) {
    boolean byPeople = plan.isByPeople(planned.release());
    String formula =
        byPeople
            ? planned.noise().map(PeopleNotes::formula).orElse("one person: at most τ")
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
