package flexdp.decompose;

import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.FreshColumns;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.query.DpQuery;
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
public record QueryWithIntervals(Relation top, List<Optional<Integer>> places, String note) {
  public QueryWithIntervals {
    places = List.copyOf(places);
  }

  /**
   * @param isPublic whether the noise of a measurement is public, by the column of its output
   * @param tellers by the same, the columns that tell its errors apart
   */
  public static QueryWithIntervals of(
      DpQuery query, IntPredicate isPublic, IntFunction<List<Integer>> tellers) {
    Relation top = query.top();
    FreshColumns fresh = new FreshColumns(top);
    IntervalColumns bars = new IntervalColumns(query.releases(), top, fresh, tellers);
    List<Relation.Project.Output> outputs = new ArrayList<>();
    top.columns().forEach(c -> outputs.add(new Relation.Project.Output(c, c.ref())));
    List<Optional<Integer>> places = new ArrayList<>();
    String note = "";
    for (DpQuery.ResultColumn result : query.columns()) {
      Column column = result.column();
      String missing = isNoisy(result) ? missing(query, bars, column, isPublic) : "";
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
    return new QueryWithIntervals(bars.resolve(new Relation.Project(top, outputs)), places, note);
  }

  private static boolean isNoisy(DpQuery.ResultColumn column) {
    return switch (column.kind()) {
      case AGGREGATE, DERIVED -> true;
      case KEY, CONSTANT -> false;
    };
  }

  /** Why a column has no error bar; empty when it has one. */
  private static String missing(
      DpQuery query, IntervalColumns bars, Column column, IntPredicate isPublic) {
    try {
      Expr written = bars.definition(column.ref(), query.top());
      if (bars.measured(written).stream().allMatch(isPublic::test)) {
        return "";
      }
      return bars.isChosen(written)
          ? "'" + column.name() + "': " + IntervalColumns.CHOSEN
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
  public static Optional<Expr> definition(DpQuery query, Column column) {
    try {
      IntervalColumns bars = bars(query);
      Expr written = bars.definition(column.ref(), query.top());
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
                    o ->
                        AlgebraWalker.parts(
                            o.expr(), e -> found[0] |= IntervalColumns.isInterval(e)));
          }
        });
    return found[0];
  }

  private static IntervalColumns bars(DpQuery query) {
    return new IntervalColumns(query.releases(), query.top(), new FreshColumns(query.top()));
  }

  /** The measurements whose error bars the question itself asks for, in SQL. */
  public static Set<Integer> asked(DpQuery query) {
    List<Expr> ends = new ArrayList<>();
    AlgebraWalker.visit(
        query.top(),
        r ->
            AlgebraWalker.expressions(
                r,
                expr ->
                    AlgebraWalker.parts(
                        expr,
                        part -> {
                          if (IntervalColumns.isInterval(part)) {
                            ends.add(part);
                          }
                        })));
    if (ends.isEmpty()) {
      return Set.of();
    }
    Set<Integer> ids = new HashSet<>();
    IntervalColumns bars = bars(query);
    ends.forEach(end -> ids.addAll(bars.measured(end)));
    return ids;
  }

  /**
   * @param told whether an answer tells the error of a measurement
   * @throws Rejection when the question asks in SQL for error bars of a chosen value that has none
   */
  public static void requireOfChosen(DpQuery query, IntPredicate told) {
    IntervalColumns bars = bars(query);
    if (asked(query).stream().anyMatch(id -> bars.isPicked(id) && !told.test(id))) {
      throw IntervalColumns.chosen();
    }
  }

  /**
   * @throws Rejection when the question asks in SQL for error bars that would be private
   */
  public static void require(DpQuery query, IntPredicate isPublic) {
    if (!asked(query).stream().allMatch(isPublic::test)) {
      if (asked(query).stream().anyMatch(bars(query)::isPicked)) {
        throw IntervalColumns.chosen();
      }
      throw Rejection.of(
          RejectionCode.INTERVAL_UNAVAILABLE,
          "The error bars asked for would show how large private max frequencies are.",
          "Leave DP_INTERVAL_LOW and DP_INTERVAL_HIGH out, or have the owner release metrics"
              + " (flexdp collect --release) or declare the join key unique.");
    }
  }
}
