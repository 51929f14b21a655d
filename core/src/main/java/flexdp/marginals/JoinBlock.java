package flexdp.marginals;

import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Column;
import flexdp.algebra.Equalities;
import flexdp.algebra.Expr;
import flexdp.algebra.Relation;
import flexdp.fingerprint.CanonicalText;
import flexdp.fingerprint.QueryFingerprint;
import flexdp.policy.Type;
import flexdp.query.Labels;
import flexdp.query.Measurement;
import flexdp.query.NoisyAggregate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * A release point taken apart: the rows of its FROM, and conditions, keys and measurements over
 * their columns. Conditions with subqueries belong to the rows: one row elsewhere may decide them
 * for many.
 *
 * @param identity equal for equal rows, whose columns then stand in the same order
 */
record JoinBlock(
    Relation rows,
    List<Expr> conditions,
    List<Expr> keys,
    List<Measurement> measurements,
    String identity) {

  /** Nothing for what is not additive, and for a table that stands beside itself. */
  static Optional<JoinBlock> of(NoisyAggregate point) {
    List<Expr> keys = new ArrayList<>(point.keys().stream().<Expr>map(Column::ref).toList());
    List<Expr> conditions = new ArrayList<>();
    List<Measurement> measurements = new ArrayList<>(point.measurements());
    Relation rows = point.input();
    while (true) {
      if (rows instanceof Relation.Filter filter) {
        conditions.addAll(Equalities.conjuncts(filter.predicate()));
        rows = filter.input();
      } else if (rows instanceof Relation.Project project) {
        UnaryOperator<Expr> inlined = expr -> inlined(expr, project);
        keys.replaceAll(inlined);
        conditions.replaceAll(inlined);
        measurements.replaceAll(m -> m.mapped(inlined));
        rows = project.input();
      } else {
        break;
      }
    }
    boolean additive = measurements.stream().allMatch(Measurement::isAdditive);
    return additive && !hasTwins(rows)
        ? Optional.of(new JoinBlock(rows, conditions, keys, measurements, identity(rows, point)))
        : Optional.empty();
  }

  private static Expr inlined(Expr expr, Relation.Project project) {
    Map<Integer, Expr> outputs = new HashMap<>();
    project.outputs().forEach(o -> outputs.put(o.column().id(), o.expr()));
    return AlgebraWalker.rewrite(
        expr,
        part ->
            part instanceof Expr.Ref ref && outputs.containsKey(ref.column())
                ? Optional.of(outputs.get(ref.column()))
                : Optional.empty());
  }

  private static boolean hasTwins(Relation rows) {
    Set<String> tables = new HashSet<>();
    boolean[] twins = {false};
    AlgebraWalker.visit(
        rows,
        r -> {
          if (r instanceof Relation.Scan scan) {
            twins[0] |= !tables.add(scan.table().name());
          }
        });
    return twins[0];
  }

  private static String identity(Relation rows, NoisyAggregate point) {
    int unused = rows.columns().stream().mapToInt(Column::id).max().orElse(0) + 1;
    Measurement.Count count =
        new Measurement.Count(
            new Column(unused, "n", Type.BIGINT, false),
            new Measurement.Origin("COUNT", "count", Optional.empty(), point.at()),
            Optional.empty(),
            Optional.empty());
    NoisyAggregate all =
        new NoisyAggregate(
            0,
            rows,
            List.of(),
            List.of(List.of()),
            List.of(),
            List.of(count),
            new Labels.None(),
            point.at());
    StringBuilder text = new StringBuilder(QueryFingerprint.of(all));
    rows.columns().forEach(c -> text.append(' ').append(c.name()).append(':').append(c.type()));
    return text.toString();
  }

  /** The text of an expression, equal for equal ones over equal rows. */
  String text(Expr expr) {
    return CanonicalText.of(expr, id -> "c" + place(id));
  }

  private int place(int id) {
    for (int i = 0; i < rows.columns().size(); i++) {
      if (rows.columns().get(i).id() == id) {
        return i;
      }
    }
    throw new IllegalArgumentException("not a column of these rows");
  }

  /** What is measured, whatever it is for. */
  String text(Measurement m) {
    return CanonicalText.measured(
            m, m.argument().map(this::text), m.filter().map(f -> " if " + text(f)).orElse(""))
        + m.output().type();
  }

  /** An expression over equal rows as one over these. */
  Expr from(JoinBlock other, Expr expr) {
    return AlgebraWalker.rewrite(
        expr,
        part ->
            part instanceof Expr.Ref ref
                ? Optional.of(rows.columns().get(other.place(ref.column())).ref())
                : Optional.empty());
  }
}
