package flexdp.gateway.answer;

import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.gateway.ask.Explanation;
import flexdp.gateway.plan.Predictions;
import flexdp.metrics.Metrics;
import flexdp.plan.Errors;
import flexdp.plan.Plan;
import flexdp.release.PeopleWords;
import flexdp.release.ReleasePlan;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Says how wrong the columns of an answer will be, or why that is not known and what would help.
 */
final class ErrorWords {
  private static final MathContext SHOWN = new MathContext(3, RoundingMode.CEILING);
  private static final BigDecimal TWENTY = BigDecimal.valueOf(20);
  private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);

  private final Plan plan;
  private final List<ReleasePlan> releases;
  private final Metrics metrics;
  private final Errors errors;
  private final Outlook outlook;
  private final Predictions predictions;

  ErrorWords(
      Plan plan, List<ReleasePlan> releases, Metrics metrics, Errors errors, Outlook outlook) {
    this.plan = plan;
    this.releases = releases;
    this.metrics = metrics;
    this.errors = errors;
    this.outlook = outlook;
    this.predictions = new Predictions(plan.question());
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
        Optional.ofNullable(outlook.columns().get(column.id()));
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
            .map(outlook.levels()::get)
            .filter(java.util.Objects::nonNull)
            .findFirst()
            .map(tau -> ", τ about " + shown(tau.size()) + (tau.byRows() ? " rows" : ""))
            .orElse("");
    String noise =
        foretold.share().isEmpty() ? "nothing but noise" : "about ± " + plain(foretold.noise());
    return noise + " by released numbers" + level;
  }

  private Explanation.ColumnError of(Column column) {
    Optional<Expr> definition = predictions.definition(column);
    if (definition.isEmpty()) {
      return unknown(column, "depends on the data; no error bar is known for such a column");
    }
    Optional<String> people =
        releases.stream().flatMap(release -> PeopleWords.error(release).stream()).findFirst();
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
  private static String average(Predictions.Average average) {
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
