package flexdp.gateway.engine;

import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.algebra.Subquery;
import flexdp.budget.Account;
import flexdp.decompose.OmittedRows;
import flexdp.decompose.QueryWithIntervals;
import flexdp.gateway.api.Explanation;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.prepare.ErrorPredictions;
import flexdp.gateway.prepare.QueryPartitions;
import flexdp.metrics.Metrics;
import flexdp.noise.Gaussian;
import flexdp.plan.CalibratedMechanism;
import flexdp.plan.ErrorModel;
import flexdp.plan.Plan;
import flexdp.plan.PlannedMeasurement;
import flexdp.policy.Policy;
import flexdp.policy.PrivacyUnit;
import flexdp.query.Labels;
import flexdp.query.NoisyAggregate;
import flexdp.release.ClippingNotes;
import flexdp.release.ReleasePlan;
import flexdp.sensitivity.AppliedRules;
import flexdp.sensitivity.Sensitivity;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
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
      Plan plan, List<ReleasePlan> releases, BigDecimal epsilon, ErrorModel errors) {
    return explain(plan, releases, epsilon, errors, AnswerForecast.NONE);
  }

  /**
   * @param releases how its release points are made
   * @param errors what is public of its noise
   * @param forecast what is foretold of it
   */
  Explanation explain(
      Plan plan,
      List<ReleasePlan> releases,
      BigDecimal epsilon,
      ErrorModel errors,
      AnswerForecast forecast) {
    Set<String> tables = new TreeSet<>();
    List<String> operators = new ArrayList<>();
    BigDecimal delta = BigDecimal.ZERO;
    for (NoisyAggregate point : plan.query().releases()) {
      AlgebraWalker.units(point.input()).forEach(unit -> tables.add(charged(unit)));
      if (point.labels() instanceof Labels.Thresholded) {
        delta = delta.add(policy.privacy().thresholding().orElse(BigDecimal.ZERO));
      }
    }
    for (Gaussian votes : plan.votes()) {
      delta = delta.add(votes.delta());
    }
    if (plan.isAnswerable()) {
      QueryWithIntervals.require(plan.query(), barred(plan, errors));
    }
    List<Explanation.Aggregate> noise = new ArrayList<>();
    AppliedRules applied = new AppliedRules();
    for (PlannedMeasurement planned : plan.measurements()) {
      noise.add(noise(plan, planned, errors, applied));
      delta = delta.add(planned.noise().map(n -> n.mechanism().delta()).orElse(BigDecimal.ZERO));
    }
    for (ReleasePlan release : releases) {
      NoisyAggregate point = release.target();
      if (plan.isByPeople(point)) {
        operators.add(ClippingNotes.route(release, whose(point), plan.countsKeys(point)));
      } else {
        operators.addAll(OperatorLines.of(point.input(), applied));
      }
    }
    return new Explanation(
        plan.query().columns(),
        labels(plan),
        tables,
        plan.measurements().isEmpty() ? BigDecimal.ZERO : epsilon,
        delta,
        operators,
        noise,
        new ErrorWords(plan, releases, metrics, errors, forecast).all(),
        plan.hint(),
        QueryPartitions.of(plan));
  }

  /** A table by its name, a kind of people by that of its account. */
  private static String charged(PrivacyUnit unit) {
    return unit instanceof PrivacyUnit.Person ? Account.of(unit).toString() : unit.name();
  }

  private static String whose(NoisyAggregate point) {
    return AlgebraWalker.units(point.input()).stream()
        .map(PrivacyUnit::name)
        .collect(Collectors.joining(", "));
  }

  /** Which columns have error bars, those among them whose noise is known with the answer only. */
  static IntPredicate barred(Plan plan, ErrorModel errors) {
    Set<Integer> later = new HashSet<>();
    for (PlannedMeasurement planned : plan.measurements()) {
      if (planned.noise().filter(CalibratedMechanism::tellsItsNoise).isPresent()) {
        later.add(planned.measurement().output().id());
      }
    }
    plan.query()
        .readings()
        .forEach(
            (column, of) -> {
              if (later.contains(of)) {
                later.add(column);
              }
            });
    return column -> errors.measures(column) || later.contains(column);
  }

  private Explanation.Aggregate noise(
      Plan plan, PlannedMeasurement planned, ErrorModel errors, AppliedRules applied) {
    boolean byPeople = plan.isByPeople(planned.release());
    String formula =
        byPeople
            ? planned.noise().map(ClippingNotes::formula).orElse("one person: at most τ")
            : Sensitivity.symbolic(
                    planned.release(),
                    planned.measurement(),
                    metrics,
                    plan.neighbors(),
                    QueryOptions.RULES,
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
    String leftOut = OmittedRows.of(plan.query());
    return plan.query().releases().stream()
            .map(point -> point.labels().word())
            .filter(word -> !word.equals("none"))
            .findFirst()
            .orElse("none")
        + (leftOut.isEmpty() ? "" : "; " + leftOut);
  }

  /**
   * Says how wrong the columns of an answer will be, or why that is not known and what would help.
   */
  private static final class ErrorWords {
    private static final MathContext SHOWN = new MathContext(3, RoundingMode.CEILING);
    private static final BigDecimal TWENTY = BigDecimal.valueOf(20);
    private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);

    private final Plan plan;
    private final List<ReleasePlan> releases;
    private final Metrics metrics;
    private final ErrorModel errors;
    private final AnswerForecast forecast;
    private final ErrorPredictions predictions;

    ErrorWords(
        Plan plan,
        List<ReleasePlan> releases,
        Metrics metrics,
        ErrorModel errors,
        AnswerForecast forecast) {
      this.plan = plan;
      this.releases = releases;
      this.metrics = metrics;
      this.errors = errors;
      this.forecast = forecast;
      this.predictions = new ErrorPredictions(plan.query());
    }

    List<Explanation.ColumnError> all() {
      List<Explanation.ColumnError> all = new ArrayList<>();
      if (plan.isAnswerable()) {
        predictions.columns().forEach(column -> all.add(foretold(column, of(column))));
      }
      return all;
    }

    private Explanation.ColumnError foretold(Column column, Explanation.ColumnError error) {
      Optional<Explanation.Foretold> foretold =
          Optional.ofNullable(forecast.columns().get(column.id()));
      String words = error.words();
      if (foretold.isPresent() && error.error().isEmpty()) {
        words = about(column, foretold.get()) + "; " + words;
      }
      return new Explanation.ColumnError(error.column(), error.error(), words, foretold);
    }

    /** What the answer will say exactly. */
    private String about(Column column, Explanation.Foretold foretold) {
      String level =
          predictions.definition(column).stream()
              .flatMap(predictions::measured)
              .map(forecast.levels()::get)
              .filter(java.util.Objects::nonNull)
              .findFirst()
              .map(tau -> ", τ about " + shown(tau.size()) + (tau.byRows() ? " rows" : ""))
              .orElse("");
      String noise =
          foretold.share().isEmpty() ? "nothing but noise" : "about ± " + plain(foretold.noise());
      String cut =
          foretold.cut().signum() == 0
              ? ""
              : ", about " + shown(foretold.cut().multiply(HUNDRED)) + " % cut off";
      return noise + " by released numbers" + level + cut;
    }

    private Explanation.ColumnError of(Column column) {
      Optional<Expr> definition = predictions.definition(column);
      Optional<String> people =
          releases.stream().flatMap(release -> ClippingNotes.error(release).stream()).findFirst();
      if (definition.isEmpty() && people.isPresent() && predictions.isChosen(column)) {
        return unknown(column, "depends on the data; an interval is chosen with the answer");
      }
      if (definition.isEmpty()) {
        return unknown(column, "depends on the data; no error bar is known for such a column");
      }
      if (!predictions.isPublic(definition.get(), errors) && people.isPresent()) {
        return unknown(column, people.get());
      }
      if (!predictions.isPublic(definition.get(), errors)) {
        return unknown(
            column,
            "not public: the noise is scaled by private max frequencies. Released metrics would show"
                + " it (flexdp collect --release), and so would a declared unique key");
      }
      Optional<BigDecimal> error = predictions.error(definition.get(), errors);
      if (error.isPresent()) {
        String words = "± " + plain(error.get()) + relative(definition.get(), error.get());
        return new Explanation.ColumnError(column.name(), error, words);
      }
      return unknown(
          column,
          predictions
              .average(column, definition.get(), errors)
              .map(ErrorWords::average)
              .orElse("depends on the answer: ask with --intervals"));
    }

    private String relative(Expr definition, BigDecimal error) {
      if (error.signum() == 0) {
        return "";
      }
      Optional<BigDecimal> rows = predictions.rows(definition, metrics);
      if (rows.isPresent() && rows.get().signum() > 0) {
        BigDecimal percent = error.multiply(HUNDRED).divide(rows.get(), SHOWN);
        return ", about " + shown(percent) + " % of the released row count " + rows.get();
      }
      return ", which is 5 % of an answer of " + shown(error.multiply(TWENTY));
    }

    /** For numbers of rows at which there is something to say. */
    private static String average(ErrorPredictions.Average average) {
      BigDecimal rows = BigDecimal.TEN;
      while (rows.compareTo(average.rows().multiply(BigDecimal.TWO)) < 0) {
        rows = rows.multiply(BigDecimal.TEN);
      }
      BigDecimal more = rows.multiply(HUNDRED);
      return "depends on the number of rows: ± "
          + shown(average.error(rows).orElseThrow())
          + " with "
          + rows.toPlainString()
          + ", ± "
          + shown(average.error(more).orElseThrow())
          + " with "
          + more.toPlainString();
    }

    private static Explanation.ColumnError unknown(Column column, String words) {
      return new Explanation.ColumnError(column.name(), Optional.empty(), words);
    }

    private static String shown(BigDecimal number) {
      return plain(number.round(SHOWN));
    }

    private static String plain(BigDecimal number) {
      return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
    }
  }

  /** The operators of a relation, each with the rules of docs/rules.md that bounded it. */
  private static final class OperatorLines {
    private static final String BLOCKS =
        "nested GROUP BY blocks: their median tells of a typical block, not of all rows together";

    private final AppliedRules applied;
    private final List<String> lines = new ArrayList<>();

    private OperatorLines(AppliedRules applied) {
      this.applied = applied;
    }

    /** Outermost first, indented by depth. */
    static List<String> of(Relation relation, AppliedRules applied) {
      OperatorLines operators = new OperatorLines(applied);
      operators.visit(relation, 0);
      return operators.lines;
    }

    private void line(int depth, List<String> rules, String what) {
      lines.add(
          String.format(
              Locale.ROOT, "%s%-14s %s", "  ".repeat(depth), String.join(", ", rules), what));
    }

    private void line(int depth, Relation operator, String what) {
      boolean free = AlgebraWalker.isPublic(operator);
      line(depth, free ? List.of("S-PUBLIC") : applied.at(operator), what);
    }

    private void visit(Relation relation, int depth) {
      int below = depth + 1;
      switch (relation) {
        case Relation.Scan scan ->
            line(
                depth,
                scan,
                (scan.table().isPublic() ? "public table " : "table ") + scan.table().name());
        case Relation.Values values -> line(depth, values, values.rows().size() + " constant rows");
        case Relation.Filter filter -> {
          line(depth, filter, "WHERE");
          visit(filter.input(), below);
        }
        case Relation.Project project -> {
          line(depth, project, "SELECT list");
          visit(project.input(), below);
        }
        case Relation.Join join -> {
          line(depth, join, join.kind() + " JOIN");
          visit(join.left(), below);
          visit(join.right(), below);
        }
        case Relation.Where where -> {
          line(depth, where, "WHERE with " + where.subqueries().size() + " subqueries");
          visit(where.input(), below);
          where.subqueries().forEach(subquery -> visit(subquery, below));
        }
        case Relation.Attach attach -> {
          line(depth, attach, "scalar subqueries in SELECT");
          visit(attach.input(), below);
          attach.subqueries().forEach(subquery -> visit(subquery.relation(), below));
        }
        case Relation.Distinct distinct -> {
          line(depth, distinct, "DISTINCT");
          visit(distinct.input(), below);
        }
        case Relation.Aggregate aggregate -> {
          line(depth, aggregate, isOfBlocks(aggregate) ? BLOCKS : "nested GROUP BY");
          visit(aggregate.input(), below);
        }
        case Relation.SetOperation operation -> {
          line(depth, operation, operation.kind() + (operation.all() ? " ALL" : ""));
          visit(operation.left(), below);
          visit(operation.right(), below);
        }
        case Relation.Limit limit -> {
          line(depth, limit, "nested ORDER BY");
          visit(limit.input(), below);
        }
        case Relation.TopRows top -> {
          line(
              depth,
              top,
              String.join(
                  " and ", top.ranks().stream().map(r -> "ROW_NUMBER() <= " + r.count()).toList()));
          visit(top.input(), below);
        }
        case Relation.Window window -> {
          line(depth, window, "window functions");
          visit(window.input(), below);
        }
        case Relation.Released ignored -> {}
      }
    }

    /** Whether it is grouped by the hash of something, as DP_BLOCK makes it. */
    private static boolean isOfBlocks(Relation.Aggregate aggregate) {
      boolean[] found = {false};
      if (aggregate.input() instanceof Relation.Project project) {
        for (Relation.Project.Output output : project.outputs()) {
          if (aggregate.keys().contains(output.column())) {
            AlgebraWalker.parts(
                output.expr(),
                part ->
                    found[0] |= part instanceof Expr.Call call && call.function() == Function.HASH);
          }
        }
      }
      return found[0];
    }

    private void visit(Subquery subquery, int depth) {
      String what =
          switch (subquery) {
            case Subquery.Exists exists -> exists.negated() ? "NOT EXISTS" : "EXISTS";
            case Subquery.Scalar ignored -> "scalar subquery";
          };
      line(depth, applied.at(subquery), what);
      visit(subquery.relation(), depth + 1);
    }
  }
}
