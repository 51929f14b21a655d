package flexdp.decompose;

import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.FreshColumns;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.failure.Position;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.policy.Policy;
import flexdp.query.LabelSource;
import flexdp.query.Labels;
import java.math.BigDecimal;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * SELECT DISTINCT, and GROUP BY without an aggregate, of columns whose labels are listed: the list
 * itself, whatever rows there are. It follows from the question, the policy and public tables, as
 * the labels of a histogram do, so it tells nothing of anybody and costs nothing. A condition on
 * the columns chooses among the labels; other conditions change nothing.
 */
final class DeclaredLabels {
  private DeclaredLabels() {}

  /**
   * The part of a question that asks for labels of one table and for nothing else. What is counted
   * or joined further would be taken for a number of rows, or for labels that rows have.
   */
  static Optional<Relation> askedFor(Relation root) {
    Relation at = root;
    while (at instanceof Relation.Limit || at instanceof Relation.Project p && isPlain(p)) {
      at = at.children().getFirst();
    }
    boolean asked =
        at instanceof Relation.Distinct
            || at instanceof Relation.Aggregate a
                && a.calls().isEmpty()
                && a.groupingSets().size() == 1
                && a.having().isEmpty();
    return asked && isOneTable(at.children().getFirst()) ? Optional.of(at) : Optional.empty();
  }

  private static boolean isPlain(Relation.Project project) {
    return project.outputs().stream().allMatch(o -> o.expr() instanceof Expr.Ref);
  }

  private static boolean isOneTable(Relation relation) {
    Relation at = relation;
    while (at instanceof Relation.Filter || at instanceof Relation.Project) {
      at = at.children().getFirst();
    }
    return at instanceof Relation.Scan;
  }

  /** The labels in place of the distinct rows; nothing where some column has no list. */
  static Optional<Relation> of(
      Relation.Aggregate distinct, Policy policy, FreshColumns fresh, Optional<LocalDateTime> now) {
    Labels labels;
    try {
      labels = LabelFinder.find(distinct, List.of(), policy, fresh, now);
    } catch (Rejection e) {
      if (e.code() == RejectionCode.TOO_MANY_LABELS) {
        throw e;
      }
      return Optional.empty();
    }
    return labels instanceof Labels.Enumerated listed
            && !distinct.keys().isEmpty()
            && listed.sources().stream()
                .noneMatch(s -> s instanceof LabelSource.FromPublic from && from.orNull())
        ? Optional.of(rows(listed, distinct))
        : Optional.empty();
  }

  /** All columns of a relation as keys. */
  static Relation.Aggregate distinct(Relation input) {
    List<Integer> all = new ArrayList<>();
    for (int i = 0; i < input.columns().size(); i++) {
      all.add(i);
    }
    return new Relation.Aggregate(
        input,
        input.columns(),
        List.of(all),
        List.of(),
        List.of(),
        Optional.empty(),
        List.of(),
        Position.START);
  }

  private static Relation rows(Labels.Enumerated listed, Relation.Aggregate distinct) {
    Optional<Relation> all = Optional.empty();
    for (LabelSource source : listed.sources()) {
      Relation one = rows(source, distinct.keys());
      all =
          Optional.of(
              all.<Relation>map(
                      before ->
                          new Relation.Join(
                              Relation.JoinKind.INNER,
                              before,
                              one,
                              Expr.Literal.TRUE,
                              distinct.at()))
                  .orElse(one));
    }
    Relation rows =
        new Relation.Project(
            all.orElseThrow(),
            distinct.keys().stream()
                .map(key -> new Relation.Project.Output(key, key.ref()))
                .toList());
    for (Expr filter : listed.filters()) {
      rows = new Relation.Filter(rows, filter);
    }
    return rows;
  }

  private static Relation rows(LabelSource source, List<Column> keys) {
    List<Column> columns = source.keys().stream().map(keys::get).toList();
    return switch (source) {
      case LabelSource.Constants constants ->
          new Relation.Values(
              columns, constants.rows().stream().map(row -> literals(row, columns)).toList());
      case LabelSource.FromPublic from -> {
        List<Relation.Project.Output> outputs = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
          outputs.add(new Relation.Project.Output(columns.get(i), from.columns().get(i).ref()));
        }
        yield new Relation.Distinct(new Relation.Project(from.relation(), outputs));
      }
    };
  }

  private static List<Expr.Literal> literals(List<Object> row, List<Column> columns) {
    List<Expr.Literal> literals = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      literals.add(new Expr.Literal(row.get(i), columns.get(i).type()));
    }
    return literals;
  }

  /** Whether no row can pass: programs ask WHERE 1 = 0 for the names of columns. */
  static boolean isNever(Expr predicate) {
    return switch (predicate) {
      case Expr.Literal literal -> Boolean.FALSE.equals(literal.value()) || literal.isNull();
      case Expr.Call call when call.function() == Function.AND ->
          call.arguments().stream().anyMatch(DeclaredLabels::isNever);
      case Expr.Call call ->
          call.function() == Function.EQ
              && call.arguments().get(0) instanceof Expr.Literal a
              && call.arguments().get(1) instanceof Expr.Literal b
              && a.value() instanceof BigDecimal x
              && b.value() instanceof BigDecimal y
              && x.compareTo(y) != 0;
      case Expr.Ref ignored -> false;
      case Expr.Case ignored -> false;
      case Expr.Cast ignored -> false;
    };
  }
}
