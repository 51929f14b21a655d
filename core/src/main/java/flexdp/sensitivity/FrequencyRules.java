package flexdp.sensitivity;

import flexdp.algebra.Column;
import flexdp.algebra.Conversions;
import flexdp.algebra.Expr;
import flexdp.algebra.Relation;
import flexdp.algebra.Relation.Project.Output;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Max frequency mf_κ(C, r), one rule per operator (guarantee §4). */
final class FrequencyRules {
  private FrequencyRules() {}

  static BoundOrReason of(SensitivityAnalysis analysis, Relation relation, FrequencyKey key) {
    if (analysis.isPaper() && key.columns().size() > 1) {
      // Single columns only: the least of theirs.
      return BoundOrReason.min(
          key.columns().stream()
              .map(column -> analysis.frequency(key.where(id -> id == column), relation))
              .toArray(BoundOrReason[]::new));
    }
    return switch (relation) {
      case Relation.Scan scan -> analysis.leaves.frequency(scan, key, analysis.terms);
      case Relation.Values values -> BoundOrReason.of(ConstantRows.mostEqual(values, key));
      // F-FILTER: mf(C, r1), for a part of r1's rows holds no more of a value than all of them.
      case Relation.Filter filter -> analysis.frequency(key, filter.input());
      case Relation.Where where -> analysis.frequency(key, where.input());
      case Relation.Project project -> project(analysis, project, key);
      case Relation.Join join -> JoinFrequency.of(analysis, join, key);
      case Relation.Attach attach -> passed(analysis, attach.input(), key);
      case Relation.Distinct distinct -> distinct(analysis, distinct, key);
      case Relation.Aggregate aggregate -> AggregateFrequency.of(analysis, aggregate, key);
      case Relation.SetOperation set -> setOperation(analysis, set, key);
      case Relation.Limit limit -> limit(analysis, limit, key);
      case Relation.TopRows top -> topRows(analysis, top, key);
      case Relation.Window window -> passed(analysis, window.input(), key);
      case Relation.Released ignored -> throw new IllegalStateException("above a release point");
    };
  }

  /**
   * F-PROJECT: the frequency of the columns that the outputs rename or convert; what is computed
   * has none. A conversion must keep values apart, and where NULL counts as a value it must not
   * give NULL.
   */
  private static BoundOrReason project(
      SensitivityAnalysis analysis, Relation.Project project, FrequencyKey key) {
    Set<Integer> columns = new TreeSet<>();
    Set<Integer> withNull = new TreeSet<>();
    for (int id : key.columns()) {
      boolean nullCounts = key.withNull().contains(id);
      for (Output output : project.outputs()) {
        if (output.column().id() == id) {
          source(output.expr(), nullCounts)
              .ifPresent(
                  ref -> {
                    columns.add(ref.column());
                    if (nullCounts) {
                      withNull.add(ref.column());
                    }
                  });
        }
      }
    }
    Set<Integer> below = analysis.ids(project.input());
    for (int id : key.columns()) {
      if (below.contains(id) && columns.add(id) && key.withNull().contains(id)) {
        withNull.add(id);
      }
    }
    FrequencyKey left = new FrequencyKey(columns, withNull);
    return left.isEmpty() && !key.isEmpty()
        ? analysis.rows(project.input(), () -> computed(project, key))
        : analysis.frequency(left, project.input());
  }

  /** Says of a conversion what it does, since SQL may have left it unsaid. */
  private static Rejection computed(Relation.Project project, FrequencyKey key) {
    return project.outputs().stream()
        .filter(output -> key.columns().contains(output.column().id()))
        .flatMap(output -> JoinKeys.converted(output.expr()).stream())
        .findFirst()
        .orElseGet(FrequencyRules::computed);
  }

  private static Optional<Expr.Ref> source(Expr expr, boolean nullCounts) {
    return nullCounts ? Conversions.column(expr) : Conversions.columnUnlessNull(expr);
  }

  /** F-PASS: columns that the operator adds have no frequency of their own. */
  private static BoundOrReason passed(
      SensitivityAnalysis analysis, Relation input, FrequencyKey key) {
    Set<Integer> below = analysis.ids(input);
    return orComputed(analysis, input, key, key.where(below::contains));
  }

  /** When nothing of a key is left but computed columns, all rows stand in where they may. */
  static BoundOrReason orComputed(
      SensitivityAnalysis analysis, Relation input, FrequencyKey key, FrequencyKey left) {
    return left.isEmpty() && !key.isEmpty()
        ? analysis.rows(input, FrequencyRules::computed)
        : analysis.frequency(left, input);
  }

  static Rejection computed() {
    return Rejection.of(
        RejectionCode.JOIN_KEY_COMPUTED,
        "A join key is an aggregate or a computed column, so its max frequency is not known.",
        "Join on columns of the tables themselves.");
  }

  /** F-DISTINCT: 1 if C is all columns, else mf(C, r1). */
  private static BoundOrReason distinct(
      SensitivityAnalysis analysis, Relation.Distinct distinct, FrequencyKey key) {
    return key.columns().containsAll(analysis.ids(distinct))
        ? BoundOrReason.ONE
        : analysis.frequency(key, distinct.input());
  }

  /**
   * F-SET: UNION ALL sums; UNION sums, or 1 if C is all columns; INTERSECT takes the lesser; EXCEPT
   * the left one, both 1 if C is all columns and ALL was not said.
   */
  private static BoundOrReason setOperation(
      SensitivityAnalysis analysis, Relation.SetOperation set, FrequencyKey key) {
    if (!set.all() && key.columns().containsAll(analysis.ids(set))) {
      return BoundOrReason.ONE;
    }
    BoundOrReason left = analysis.frequency(positioned(key, set, set.left()), set.left());
    return switch (set.kind()) {
      case UNION ->
          analysis.terms.sum(
              "F-UNION", left, analysis.frequency(positioned(key, set, set.right()), set.right()));
      case INTERSECT ->
          analysis.terms.min(
              "F-INTERSECT",
              left,
              analysis.frequency(positioned(key, set, set.right()), set.right()));
      case EXCEPT -> left;
    };
  }

  private static FrequencyKey positioned(
      FrequencyKey key, Relation.SetOperation set, Relation side) {
    return new FrequencyKey(
        positioned(key.columns(), set, side), positioned(key.withNull(), set, side));
  }

  /** The columns of one side that stand where these stand in the result. */
  static Set<Integer> positioned(Set<Integer> ids, Relation.SetOperation set, Relation side) {
    Set<Integer> mapped = new TreeSet<>();
    List<Column> columns = side.columns();
    for (int i = 0; i < set.columns().size(); i++) {
      if (ids.contains(set.columns().get(i).id())) {
        mapped.add(columns.get(i).id());
      }
    }
    return mapped;
  }

  /** F-LIMIT: no more than the limit, no more than before. */
  private static BoundOrReason limit(
      SensitivityAnalysis analysis, Relation.Limit limit, FrequencyKey key) {
    BoundOrReason before = analysis.frequency(key, limit.input());
    return limit.count().isPresent()
        ? analysis.terms.min("F-LIMIT", BoundOrReason.of(limit.count().getAsLong()), before)
        : before;
  }

  /** F-TOP: within a partition no more than the first rows that are kept. */
  private static BoundOrReason topRows(
      SensitivityAnalysis analysis, Relation.TopRows top, FrequencyKey key) {
    BoundOrReason least = analysis.frequency(key, top.input());
    for (Relation.TopRows.Rank rank : top.ranks()) {
      // Where NULL ends no partition, rows with one count only for keys that do not take it.
      boolean within =
          rank.partition().stream()
              .allMatch(
                  e ->
                      Conversions.column(e)
                          .filter(ref -> key.columns().contains(ref.column()))
                          .filter(ref -> !top.nullsStay() || !key.withNull().contains(ref.column()))
                          .isPresent());
      if (within) {
        least = analysis.terms.min("F-TOP", BoundOrReason.of(rank.count()), least);
      }
    }
    return least;
  }
}
