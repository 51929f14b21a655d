package flexdp.sensitivity;

import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Conversions;
import flexdp.algebra.Equalities;
import flexdp.algebra.Equality;
import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The equalities by which rows of two relations find each other: alternatives, at least one of
 * which holds for every pair that matches. None at all: the condition requires no equality.
 */
record JoinKeys(List<Alternative> alternatives, Expr condition) {
  /**
   * One conjunction of equalities.
   *
   * @param left columns of the left side, also those that the condition pins to a constant
   * @param leftEqual columns of the left side that equal one of the right
   */
  record Alternative(
      FrequencyKey left,
      FrequencyKey right,
      Set<Integer> leftEqual,
      Set<Integer> rightEqual,
      List<Equality> pairs) {}

  static JoinKeys of(Expr condition, Set<Integer> left, Set<Integer> right, RuleSet rules) {
    if (!Collections.disjoint(left, right)) {
      throw new IllegalStateException("the two sides of a join share columns");
    }
    Set<Integer> pinned = pinned(condition, left, right, rules);
    List<Alternative> alternatives = new ArrayList<>();
    for (List<Equality> equalities : Equalities.of(condition, left, right)) {
      Set<Integer> ones = new TreeSet<>();
      Set<Integer> others = new TreeSet<>();
      Set<Integer> onesNull = new TreeSet<>();
      Set<Integer> othersNull = new TreeSet<>();
      for (Equality equality : equalities) {
        ones.add(equality.left());
        others.add(equality.right());
        if (equality.nullSafe()) {
          onesNull.add(equality.left());
          othersNull.add(equality.right());
        }
      }
      // A column that must also equal something by a plain equality cannot be NULL.
      for (Equality equality : equalities) {
        if (!equality.nullSafe()) {
          onesNull.remove(equality.left());
          othersNull.remove(equality.right());
        }
      }
      FrequencyKey leftKey =
          new FrequencyKey(ones, onesNull).and(FrequencyKey.matching(intersection(pinned, left)));
      FrequencyKey rightKey =
          new FrequencyKey(others, othersNull)
              .and(FrequencyKey.matching(intersection(pinned, right)));
      alternatives.add(new Alternative(leftKey, rightKey, ones, others, equalities));
    }
    return new JoinKeys(alternatives, condition);
  }

  private static Set<Integer> pinned(
      Expr condition, Set<Integer> left, Set<Integer> right, RuleSet rules) {
    if (rules == RuleSet.PAPER) {
      return Set.of();
    }
    Set<Integer> pinned = RelationFacts.pinned(condition);
    pinned.removeIf(column -> !left.contains(column) && !right.contains(column));
    return pinned;
  }

  private static Set<Integer> intersection(Set<Integer> one, Set<Integer> other) {
    Set<Integer> both = new TreeSet<>(one);
    both.retainAll(other);
    return both;
  }

  boolean isEmpty() {
    return alternatives.isEmpty();
  }

  /** Whether nothing at all is required. */
  boolean isCross() {
    return condition instanceof Expr.Literal literal && Boolean.TRUE.equals(literal.value());
  }

  /** Whether an equality is required, but not of columns: of something computed from them. */
  boolean isComputed(Set<Integer> left, Set<Integer> right) {
    return Equalities.conjuncts(condition).stream()
        .anyMatch(
            conjunct ->
                conjunct instanceof Expr.Call call
                    && (call.function() == Function.EQ
                        || call.function() == Function.IS_NOT_DISTINCT)
                    && (reads(call.arguments(), 0, left) && reads(call.arguments(), 1, right)
                        || reads(call.arguments(), 0, right) && reads(call.arguments(), 1, left)));
  }

  /** A conversion in the condition that keeps an equality of columns from being one. */
  Optional<Rejection> converted() {
    return Equalities.conjuncts(condition).stream()
        .filter(
            conjunct ->
                conjunct instanceof Expr.Call call
                    && (call.function() == Function.EQ
                        || call.function() == Function.IS_NOT_DISTINCT))
        .flatMap(conjunct -> ((Expr.Call) conjunct).arguments().stream())
        .flatMap(side -> converted(side).stream())
        .findFirst();
  }

  /** Why a column that is converted has no max frequency; nothing for other expressions. */
  static Optional<Rejection> converted(Expr expr) {
    if (!(expr instanceof Expr.Cast cast)
        || !(cast.operand() instanceof Expr.Ref ref)
        || Conversions.isInjective(ref.type(), cast.type())) {
      return Optional.empty();
    }
    return Optional.of(
        Rejection.of(
            RejectionCode.JOIN_KEY_COMPUTED,
            "A key is converted from "
                + ref.type()
                + " to "
                + cast.type()
                + ", where several values may become one or NULL, so its max frequency is not"
                + " known.",
            "Use columns of one type. If they hold the same values, have the owner declare them"
                + " with the same type."));
  }

  private static boolean reads(List<Expr> arguments, int index, Set<Integer> side) {
    Set<Integer> read = AlgebraWalker.references(arguments.get(index));
    return !read.isEmpty() && side.containsAll(read);
  }
}
