package flexdp.gateway.render;

import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.Function;
import flexdp.query.Labels;
import flexdp.query.Measurement;
import flexdp.query.NoisyAggregate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The bins of a few known labels as so many numbers without any labels: one for each bin and
 * measurement, of the rows that have the label. Then rows are grouped by their owner alone, which
 * takes a fraction of the time, and nothing has to be put together by owner afterwards.
 *
 * @param point without keys
 * @param rows the numbers of rows of each label, where these are wanted
 */
record PivotedBins(
    NoisyAggregate point, List<PersonStatement.Value> values, List<Measurement> rows) {
  /** More conditions on every row take longer than groups do. */
  private static final int MOST = 24;

  PivotedBins {
    values = List.copyOf(values);
    rows = List.copyOf(rows);
  }

  PersonStatement.Value value(int index) {
    return values.get(index);
  }

  /** Nothing where bins are better found by grouping. */
  static Optional<PivotedBins> of(
      NoisyAggregate point, List<List<Object>> labels, Optional<Measurement> row) {
    int each = point.measurements().size() + (row.isPresent() ? 1 : 0);
    boolean fits =
        !point.keys().isEmpty()
            && point.groupingSets().size() == 1
            && point.groupingSets().getFirst().size() == point.keys().size()
            && !labels.isEmpty()
            && labels.size() * each <= MOST
            && point.measurements().stream().allMatch(Measurement.Additive.class::isInstance);
    if (!fits) {
      return Optional.empty();
    }
    List<Measurement> measurements = new ArrayList<>();
    List<PersonStatement.Value> values = new ArrayList<>();
    List<Measurement> rows = new ArrayList<>();
    for (List<Object> label : labels) {
      Expr condition = condition(point.keys(), label);
      row.ifPresent(r -> rows.add(within(r, condition)));
      for (int m = 0; m < point.measurements().size(); m++) {
        measurements.add(within(point.measurements().get(m), condition));
        values.add(new PersonStatement.Value(m, Optional.of(label)));
      }
    }
    return Optional.of(
        new PivotedBins(
            new NoisyAggregate(
                point.id(),
                point.input(),
                List.of(),
                List.of(List.of()),
                List.of(),
                measurements,
                new Labels.None(),
                point.at()),
            values,
            rows));
  }

  private static Expr condition(List<Column> keys, List<Object> label) {
    List<Expr> terms = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      Expr key = keys.get(i).ref();
      Object value = label.get(i);
      terms.add(
          value == null
              ? Exprs.test(Function.IS_NULL, key)
              : Exprs.test(Function.EQ, key, new Expr.Literal(value, key.type())));
    }
    return Exprs.and(terms);
  }

  private static Measurement within(Measurement measurement, Expr condition) {
    List<Expr> terms = new ArrayList<>(List.of(condition));
    measurement.filter().ifPresent(terms::add);
    return measurement.where(Exprs.and(terms));
  }
}
