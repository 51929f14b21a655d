package flexdp.bench;

import flexdp.failure.Failure;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.Explanation;
import flexdp.gateway.api.QueryRequest;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How a question fared.
 *
 * @param refusal why there is no answer
 * @param cells beside what they say they are: without the rows that nobody owns
 * @param ofAll beside what was asked: all rows
 * @param told whether an error of every number was told or foretold before paying
 * @param warned whether it was said before paying that the answer will be noise
 * @param foretold which part of its noisiest number was foretold to be noise; not a number where
 *     nothing was
 * @param plain milliseconds of the same text sent to the database, the median
 * @param asked milliseconds of asking, the median
 */
record Scored(
    Optional<Failure> refusal,
    Cells cells,
    Cells ofAll,
    boolean told,
    boolean warned,
    double foretold,
    double plain,
    double asked) {
  /** The most that half of the cells may be off, of the truth. */
  static final double ERROR = 0.05;

  /** The most that half of the intervals may reach to either side, of the truth. */
  static final double WIDTH = 0.25;

  static final double TIMES = 10;
  static final double MILLIS = 1000;

  /** A question that takes so long is asked once. */
  private static final double PATIENCE = 15_000;

  /** What is said in words before an answer that will be of no use. */
  private static final List<String> WARNINGS =
      List.of(
          "will be noise", "will be cut off", "labels will be missing", "no error bar is known");

  static Scored of(Asking asking, QuestionSet.Question question, QueryRequest request, int n)
      throws SQLException {
    Cells cells = new Cells();
    Cells ofAll = new Cells();
    List<Double> without = new ArrayList<>();
    List<Double> with = new ArrayList<>();
    boolean told = false;
    boolean warned = false;
    double foretold = Double.NaN;
    TrueAnswer owned = TrueAnswer.of(asking.plain(), question.ofOwnedRows());
    try {
      Explanation before = asking.flexdp().explain(request);
      long numbers = before.columns().stream().filter(Cells::isNumber).count();
      told =
          before.errors().stream()
                  .filter(e -> e.error().isPresent() || e.foretold().isPresent())
                  .count()
              >= numbers;
      warned = isWarned(before);
      foretold = foretold(before);
      for (int i = 0; i < n && (i == 0 || with.getFirst() < PATIENCE); i++) {
        long start = System.nanoTime();
        TrueAnswer truth = TrueAnswer.of(asking.plain(), question.sql());
        long middle = System.nanoTime();
        AnalystView answer = asking.flexdp().ask(request);
        long end = System.nanoTime();
        without.add((middle - start) / 1e6);
        with.add((end - middle) / 1e6);
        cells.add(answer, owned, question.isCutOff());
        ofAll.add(answer, truth, question.isCutOff());
      }
      return new Scored(
          Optional.empty(),
          cells,
          ofAll,
          told,
          warned,
          foretold,
          Cells.median(without),
          Cells.median(with));
    } catch (Failure e) {
      return new Scored(
          Optional.of(e), cells, ofAll, told, warned, foretold, Double.NaN, Double.NaN);
    }
  }

  private static boolean isWarned(Explanation before) {
    return Stream.of(
            Stream.of(before.labels(), before.hint()),
            before.operators().stream(),
            before.warnings().stream(),
            before.errors().stream().map(Explanation.ColumnError::words))
        .flatMap(words -> words)
        .map(words -> words.toLowerCase(Locale.ROOT))
        .anyMatch(words -> WARNINGS.stream().anyMatch(words::contains));
  }

  private static double foretold(Explanation before) {
    return before.errors().stream()
        .flatMap(e -> e.foretold().stream())
        .mapToDouble(f -> f.share().map(Number::doubleValue).orElse(Double.POSITIVE_INFINITY))
        .max()
        .orElse(Double.NaN);
  }

  boolean isAnswered() {
    return refusal.isEmpty();
  }

  private boolean isNear() {
    return isAnswered() && cells.isNear();
  }

  boolean isQuick() {
    return isAnswered() && (asked <= TIMES * plain || asked <= MILLIS);
  }

  boolean isUseful() {
    return isNear() && isQuick();
  }

  /** Whether the answer is also useful where rows that nobody owns were meant. */
  boolean isUsefulOfAll() {
    return isAnswered() && ofAll.isNear() && isQuick();
  }

  double ratio() {
    return asked / plain;
  }

  /** Whether it was answered with numbers of no use, and nothing had said so. */
  boolean isUnwarned() {
    return isAnswered() && !isNear() && !warned;
  }

  String verdict() {
    if (isUseful()) {
      return "useful";
    }
    return refusal
        .map(failure -> "refused: " + failure.codeName())
        .orElseGet(() -> isNear() ? "too slow" : cells.weakness());
  }
}
