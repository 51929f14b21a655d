package flexdp.gateway.prepare;

import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.failure.BudgetError;
import flexdp.failure.ConfigurationError;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.forecast.Forecast;
import flexdp.gateway.api.ErrorTarget;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.ledger.BudgetExhausted;
import flexdp.metrics.Metrics;
import flexdp.plan.ErrorModel;
import flexdp.plan.Plan;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Turns an error that an analyst allows into the least ε that keeps it with probability 95 %. Only
 * public numbers take part: the structure of the question, released metrics, and for percentages an
 * answer that the analyst has paid for or a released row count.
 */
public final class Accuracy {
  /** An earlier answer serves percentages when it cost at least this. */
  public static final BigDecimal LEAST = new BigDecimal("0.001");

  private static final int LEAST_POWER = -8;
  private static final int MOST_POWER = 4;

  /** ε has four digits. */
  private static final int DIGITS = 3;

  private static final MathContext SHOWN = new MathContext(3, RoundingMode.CEILING);

  /** A column and how wrong it may be. */
  private record Target(Column column, Expr definition, BigDecimal error) {}

  private final QueryRequest request;
  private final ErrorPredictions predictions;
  private final Metrics metrics;
  private final List<List<Object>> earlier;
  private final Function<BigDecimal, Plan> planner;
  private final Optional<BigDecimal> usual;
  private final List<Target> targets = new ArrayList<>();

  /**
   * @param earlier the rows of an answer to the same question that the analyst has paid for; none
   *     when there is no such answer
   * @param planner plans the question at an ε
   * @param usual the policy's ε of one question, for comparison
   */
  public Accuracy(
      QueryRequest request,
      Plan plan,
      Metrics metrics,
      List<List<Object>> earlier,
      Function<BigDecimal, Plan> planner,
      Optional<BigDecimal> usual) {
    this.request = request;
    this.predictions = new ErrorPredictions(plan.query());
    this.metrics = metrics;
    this.earlier = earlier;
    this.planner = planner;
    this.usual = usual;
    if (request.options().epsilon().isPresent()) {
      throw ConfigurationError.of(
          ConfigurationError.Code.BAD_USAGE,
          "an epsilon and an error are given, and each decides the other",
          "Leave one of them out.");
    }
    aim(plan);
  }

  private void aim(Plan plan) {
    ErrorTarget within = request.within().orElseThrow();
    ErrorModel errors = errors(plan);
    for (Column column : predictions.columns()) {
      if (within.column().map(name -> !name.equalsIgnoreCase(column.name())).orElse(false)) {
        continue;
      }
      Expr definition =
          predictions
              .definition(column)
              .orElseThrow(() -> unknown(column, "has no error that is known beforehand", ""));
      if (!predictions.isPublic(definition, errors) && isByPeople(plan)) {
        throw unknown(
            column,
            "has noise whose level τ is chosen with the answer",
            "Have the owner release profiles of people (flexdp collect --release). ");
      }
      if (!predictions.isPublic(definition, errors)) {
        throw unknown(
            column,
            "has noise that is scaled by private max frequencies",
            "Have the owner release metrics (flexdp collect --release) or declare the join key"
                + " unique. ");
      }
      if (predictions.error(definition, errors).isEmpty()) {
        throw unknown(column, dependence(column, definition, errors), "");
      }
      BigDecimal error =
          within.relative()
              ? within.error().multiply(reference(column, definition, errors))
              : within.error();
      targets.add(new Target(column, definition, error));
    }
    if (targets.isEmpty()) {
      throw ConfigurationError.of(
          ConfigurationError.Code.BAD_USAGE,
          "no noisy column of the answer is meant: "
              + within.column().orElse("nothing in it is noisy"),
          "Name a column of the result that is an aggregate, or none.");
    }
  }

  private static boolean isByPeople(Plan plan) {
    return plan.query().releases().stream().anyMatch(plan::isByPeople);
  }

  private String dependence(Column column, Expr definition, ErrorModel errors) {
    return predictions
        .average(column, definition, errors)
        .map(
            average ->
                "is an average, whose error depends on how many rows there are"
                    + usual
                        .map(
                            e ->
                                ": with epsilon "
                                    + e.toPlainString()
                                    + " it is about "
                                    + shown(average.total())
                                    + " divided by that number")
                        .orElse(""))
        .orElse("is computed from noisy numbers in a way that its error depends on the answer");
  }

  /** The public number that a percentage is of. */
  private BigDecimal reference(Column column, Expr definition, ErrorModel errors) {
    String now =
        usual
            .flatMap(e -> predictions.error(definition, errors).map(w -> sentence(e, column, w)))
            .orElse("");
    int place = predictions.ids().indexOf(column.id());
    Optional<BigDecimal> least =
        earlier.stream()
            .map(row -> row.get(place))
            .map(
                value ->
                    value instanceof Number n
                        ? new BigDecimal(n.toString()).abs()
                        : BigDecimal.ZERO)
            .min(BigDecimal::compareTo);
    Optional<BigDecimal> rows = predictions.rows(definition, metrics);
    BigDecimal reference =
        least
            .or(() -> rows)
            .orElseThrow(
                () ->
                    Rejection.of(
                        RejectionCode.ACCURACY_UNKNOWN,
                        "A percentage of '"
                            + column.name()
                            + "' needs a public number to be a percentage of.",
                        "Give an error in the answer's own units, as in --within 100; or ask once"
                            + " with a small epsilon, and then for a percentage of that answer."
                            + now));
    if (reference.signum() == 0) {
      throw Rejection.of(
          RejectionCode.ACCURACY_UNKNOWN,
          "A cell of '"
              + column.name()
              + "' was 0 in the earlier answer, and nothing is within"
              + " a percentage of 0.",
          "Give an error in the answer's own units, as in --within 100." + now);
    }
    return reference;
  }

  /**
   * The least ε of four digits that keeps every error.
   *
   * @throws Rejection when none does
   */
  public BigDecimal epsilon() {
    int power = LEAST_POWER;
    while (power <= MOST_POWER && !isEnough(BigDecimal.ONE.scaleByPowerOfTen(power))) {
      power++;
    }
    if (power > MOST_POWER) {
      throw Rejection.of(
          RejectionCode.ACCURACY_UNKNOWN,
          "No epsilon up to 10000 keeps that error.",
          "Allow a larger error. " + today());
    }
    BigInteger unit = BigInteger.TEN.pow(DIGITS);
    BigInteger high = unit.multiply(BigInteger.TEN);
    BigInteger low = unit;
    int scale = power - DIGITS - 1;
    while (low.compareTo(high) < 0) {
      BigInteger middle = low.add(high).shiftRight(1);
      if (isEnough(new BigDecimal(middle).scaleByPowerOfTen(scale))) {
        high = middle;
      } else {
        low = middle.add(BigInteger.ONE);
      }
    }
    BigDecimal found = new BigDecimal(high).scaleByPowerOfTen(scale).stripTrailingZeros();
    return found.scale() < 0 ? found.setScale(0) : found;
  }

  private boolean isEnough(BigDecimal epsilon) {
    Optional<List<BigDecimal>> errors = errorsAt(epsilon);
    if (errors.isEmpty()) {
      return false;
    }
    for (int i = 0; i < targets.size(); i++) {
      if (errors.get().get(i).compareTo(targets.get(i).error()) > 0) {
        return false;
      }
    }
    return true;
  }

  private Optional<List<BigDecimal>> errorsAt(BigDecimal epsilon) {
    try {
      ErrorModel errors = errors(planner.apply(epsilon));
      List<BigDecimal> all = new ArrayList<>();
      for (Target target : targets) {
        all.add(predictions.error(target.definition(), errors).orElseThrow());
      }
      return Optional.of(all);
    } catch (Rejection | ConfigurationError e) {
      return Optional.empty(); // an ε too small or too large for a mechanism
    }
  }

  /** What is public of the noise, and what profiles of people foretell of the rest. */
  private ErrorModel errors(Plan plan) {
    ErrorModel known = ErrorModel.of(plan, metrics, QueryOptions.RULES);
    Map<Integer, Optional<List<List<Object>>>> labels = new HashMap<>();
    plan.query().releases().forEach(point -> labels.put(point.id(), Optional.empty()));
    return Forecast.of(plan, metrics, labels)
        .map(foretold -> known.and(foretold.noise(), Map.of(), plan.query()))
        .orElse(known);
  }

  /** What the policy's usual ε would give. */
  private String today() {
    return usual.flatMap(e -> words(e)).map(w -> "With the policy's epsilon " + w).orElse("");
  }

  private static String sentence(BigDecimal epsilon, Column column, BigDecimal error) {
    return " With the policy's epsilon "
        + epsilon.toPlainString()
        + " the error would be "
        + column.name()
        + " ± "
        + shown(error)
        + ".";
  }

  private Optional<String> words(BigDecimal epsilon) {
    return errorsAt(epsilon)
        .filter(errors -> !errors.isEmpty())
        .map(
            errors -> {
              List<String> words = new ArrayList<>();
              for (int i = 0; i < errors.size(); i++) {
                words.add(targets.get(i).column().name() + " ± " + shown(errors.get(i)));
              }
              return epsilon.toPlainString()
                  + " the error would be "
                  + String.join(", ", words)
                  + ".";
            });
  }

  /** The refusal of a budget that does not cover the ε, with what it does cover. */
  public BudgetError possible(BudgetExhausted refusal) {
    Optional<String> left =
        refusal
            .standing()
            .largestNext()
            .filter(e -> e.signum() > 0)
            .flatMap(this::words)
            .map(w -> " With epsilon " + w);
    return BudgetError.of(refusal.getMessage(), refusal.hint() + left.orElse(""));
  }

  private static String shown(BigDecimal number) {
    BigDecimal rounded = number.round(SHOWN).stripTrailingZeros();
    return rounded.toPlainString();
  }

  private Rejection unknown(Column column, String why, String first) {
    return Rejection.of(
        RejectionCode.ACCURACY_UNKNOWN,
        "'" + column.name() + "' " + why + ".",
        first + "Ask with an epsilon, or name a column whose error is known: --within count=100.");
  }
}
