package flexdp.release;

import flexdp.algebra.Column;
import flexdp.algebra.Equalities;
import flexdp.algebra.Equality;
import flexdp.algebra.Relation;
import flexdp.compute.Evaluator;
import flexdp.compute.ValueOrdering;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A join of noisy or public rows: by hashing on the equalities of its condition, if it has any. */
final class JoinExecution {
  /** More rows than anybody reads; a product of a few results would not fit into memory. */
  static final int MOST = 500_000;

  /**
   * How many pairs of rows are looked at, at most; where no equality finds them, that takes
   * seconds.
   */
  private static final long MOST_PAIRS = 5_000_000;

  private final Relation.Join join;
  private final RowTable left;
  private final RowTable right;
  private final List<Equality> equalities;
  private final Evaluator.Value condition;

  JoinExecution(Relation.Join join, RowTable left, RowTable right) {
    this.join = join;
    this.left = left;
    this.right = right;
    List<Column> both = new ArrayList<>(left.columns());
    both.addAll(right.columns());
    this.condition = new Evaluator(both).compile(join.condition());
    List<List<Equality>> alternatives = Equalities.of(join.condition(), ids(left), ids(right));
    this.equalities = alternatives.size() == 1 ? alternatives.get(0) : List.of();
  }

  private static Set<Integer> ids(RowTable rows) {
    Set<Integer> ids = new HashSet<>();
    rows.columns().forEach(c -> ids.add(c.id()));
    return ids;
  }

  RowTable rows() {
    Map<List<Object>, List<Integer>> index = new HashMap<>();
    for (int i = 0; i < right.rows().size(); i++) {
      List<Object> key = key(right, right.rows().get(i), false);
      if (key != null) {
        index.computeIfAbsent(key, k -> new ArrayList<>()).add(i);
      }
    }
    List<List<Object>> joined = new ArrayList<>();
    BitSet found = new BitSet();
    long pairs = 0;
    for (List<Object> one : left.rows()) {
      boolean matched = false;
      List<Object> key = key(left, one, true);
      for (int i : key == null ? List.<Integer>of() : index.getOrDefault(key, List.of())) {
        if (++pairs > MOST_PAIRS) {
          throw tooMany();
        }
        List<Object> row = pair(one, right.rows().get(i));
        if (Evaluator.isTrue(condition.on(row))) {
          if (joined.size() == MOST) {
            throw tooMany();
          }
          joined.add(row);
          found.set(i);
          matched = true;
        }
      }
      if (!matched && join.kind() != Relation.JoinKind.INNER) {
        joined.add(pair(one, nulls(right)));
      }
    }
    if (join.kind() == Relation.JoinKind.FULL) {
      for (int i = found.nextClearBit(0); i < right.rows().size(); i = found.nextClearBit(i + 1)) {
        joined.add(pair(nulls(left), right.rows().get(i)));
      }
    }
    return new RowTable(join.columns(), joined);
  }

  private Rejection tooMany() {
    return Rejection.of(
        RejectionCode.TOO_COMPLEX,
        "This join of noisy results compares, or may have, too many rows.",
        "Join them on their labels with =, or restrict the labels of each in WHERE.",
        join.at());
  }

  /** What a row is found by; null when a NULL keeps it from matching anything. */
  private List<Object> key(RowTable rows, List<Object> row, boolean isLeft) {
    List<Object> key = new ArrayList<>(equalities.size());
    for (Equality equality : equalities) {
      Object value = row.get(rows.index(isLeft ? equality.left() : equality.right()));
      if (value == null && !equality.nullSafe()) {
        return null;
      }
      key.add(ValueOrdering.canonical(value));
    }
    return key;
  }

  private static List<Object> pair(List<Object> one, List<Object> two) {
    List<Object> row = new ArrayList<>(one.size() + two.size());
    row.addAll(one);
    row.addAll(two);
    return row;
  }

  private static List<Object> nulls(RowTable rows) {
    return new ArrayList<>(Collections.nCopies(rows.columns().size(), null));
  }
}
