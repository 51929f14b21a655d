package flexdp.cut;

import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.FreshColumns;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.question.Question;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;

/**
 * A question whose result has the ends of error bars behind its own columns.
 *
 * @param top computes the result: the question's columns, then low and high ends
 * @param places where the low end of each result column stands, the high end behind it; absent for
 *     a column without error bars
 * @param note why a noisy column has none; empty when all have
 */
public record Barred(Relation top, List<Optional<Integer>> places, String note) {
  public Barred {
    places = List.copyOf(places);
  }

  /**
   * @param isPublic whether the noise of a measurement is public, by the column of its output
   * @param tellers by the same, the columns that tell its errors apart
   */
  public static Barred of(
      Question question, IntPredicate isPublic, IntFunction<List<Integer>> tellers) {
    Relation top = question.top();
    FreshColumns fresh = new FreshColumns(top);
    ErrorBars bars = new ErrorBars(question.releases(), top, fresh, tellers);
    List<Relation.Project.Output> outputs = new ArrayList<>();
    top.columns().forEach(c -> outputs.add(new Relation.Project.Output(c, c.ref())));
    List<Optional<Integer>> places = new ArrayList<>();
    String note = "";
    for (Question.ResultColumn result : question.columns()) {
      Column column = result.column();
      String missing = isNoisy(result) ? missing(question, bars, column, isPublic) : "";
      if (!isNoisy(result) || isEnd(top, column) || !missing.isEmpty()) {
        places.add(Optional.empty());
        note = missing.isEmpty() || isEnd(top, column) ? note : missing;
        continue;
      }
      places.add(Optional.of(outputs.size()));
      for (Function end : List.of(Function.INTERVAL_LOW, Function.INTERVAL_HIGH)) {
        outputs.add(
            new Relation.Project.Output(
                fresh.column(column.name(), column.type(), true),
                new Expr.Call(end, List.of(column.ref()), column.type())));
      }
    }
    return new Barred(bars.resolve(new Relation.Project(top, outputs)), places, note);
  }

  private static boolean isNoisy(Question.ResultColumn column) {
    return switch (column.kind()) {
      case AGGREGATE, DERIVED -> true;
      case KEY, CONSTANT -> false;
    };
  }

  /** Why a column has no error bar; empty when it has one. */
  private static String missing(
      Question question, ErrorBars bars, Column column, IntPredicate isPublic) {
    try {
      Expr written = bars.definition(column.ref(), question.top());
      if (bars.measured(written).stream().allMatch(isPublic::test)) {
        return "";
      }
      return bars.isChosen(written)
          ? "'" + column.name() + "': " + ErrorBars.CHOSEN
          : "the noise of '" + column.name() + "' " + PRIVATE;
    } catch (Rejection e) {
      return "'" + column.name() + "': " + e.getMessage();
    }
  }

  private static final String PRIVATE =
      "may be larger than the answer: it is scaled by private max frequencies, and released"
          + " metrics would give error bars (flexdp collect --release)";

  /**
   * What a column is in terms of measurements; empty when no error bar is known for it before the
   * answer is.
   */
  public static Optional<Expr> definition(Question question, Column column) {
    try {
      ErrorBars bars = bars(question);
      Expr written = bars.definition(column.ref(), question.top());
      return Optional.of(written).filter(w -> !bars.reachesWindow(w));
    } catch (Rejection e) {
      return Optional.empty();
    }
  }

  /** Whether a column of the result shows an end of an error bar. */
  public static boolean isEnd(Relation top, Column column) {
    boolean[] found = {false};
    AlgebraWalker.visit(
        top,
        r -> {
          if (r instanceof Relation.Project p) {
            p.outputs().stream()
                .filter(o -> o.column().id() == column.id())
                .forEach(
                    o -> AlgebraWalker.parts(o.expr(), e -> found[0] |= ErrorBars.isInterval(e)));
          }
        });
    return found[0];
  }

  private static ErrorBars bars(Question question) {
    return new ErrorBars(question.releases(), question.top(), new FreshColumns(question.top()));
  }

  /** The measurements whose error bars the question itself asks for, in SQL. */
  public static Set<Integer> asked(Question question) {
    List<Expr> ends = new ArrayList<>();
    AlgebraWalker.visit(
        question.top(),
        r ->
            AlgebraWalker.expressions(
                r,
                expr ->
                    AlgebraWalker.parts(
                        expr,
                        part -> {
                          if (ErrorBars.isInterval(part)) {
                            ends.add(part);
                          }
                        })));
    if (ends.isEmpty()) {
      return Set.of();
    }
    Set<Integer> ids = new HashSet<>();
    ErrorBars bars = bars(question);
    ends.forEach(end -> ids.addAll(bars.measured(end)));
    return ids;
  }

  /**
   * @throws Rejection when the question asks in SQL for error bars that would be private
   */
  public static void require(Question question, IntPredicate isPublic) {
    if (!asked(question).stream().allMatch(isPublic::test)) {
      if (asked(question).stream().anyMatch(bars(question)::isPicked)) {
        throw ErrorBars.chosen();
      }
      throw Rejection.of(
          RejectionCode.INTERVAL_UNAVAILABLE,
          "The error bars asked for would show how large private max frequencies are.",
          "Leave DP_INTERVAL_LOW and DP_INTERVAL_HIGH out, or have the owner release metrics"
              + " (flexdp collect --release) or declare the join key unique.");
    }
  }
}
