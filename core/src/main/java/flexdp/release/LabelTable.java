package flexdp.release;

import flexdp.algebra.Expr;
import flexdp.compute.EvaluableExpressions;
import flexdp.compute.Evaluator;
import flexdp.compute.ValueConversion;
import flexdp.compute.ValueOrdering;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.query.LabelSource;
import flexdp.query.Labels;
import flexdp.query.NoisyAggregate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The labels of a histogram, found without looking at protected rows (guarantee §7). They form a
 * set under the equality of their columns: a label that stood twice would average its noise away.
 */
public final class LabelTable {
  private final NoisyAggregate point;
  private final Function<LabelSource.FromPublic, List<List<Object>>> publicRows;
  private final int most;

  /**
   * @param publicRows the rows of a source's relation
   * @param most the public limit on labels
   */
  public LabelTable(
      NoisyAggregate point,
      Function<LabelSource.FromPublic, List<List<Object>>> publicRows,
      int most) {
    this.point = point;
    this.publicRows = publicRows;
    this.most = most;
  }

  /** A row of values per label, one for each key. Not for thresholded labels, which need data. */
  public List<List<Object>> rows() {
    return switch (point.labels()) {
      case Labels.None ignored -> List.of(List.of());
      case Labels.Supplied supplied -> distinct(supplied.rows());
      case Labels.Enumerated enumerated -> distinct(filtered(enumerated));
      case Labels.Thresholded ignored ->
          throw new IllegalStateException("thresholded labels come from data");
    };
  }

  private List<List<Object>> filtered(Labels.Enumerated enumerated) {
    List<List<Object>> rows = product(enumerated.sources());
    Evaluator evaluator = new Evaluator(point.keys());
    for (Expr filter : enumerated.filters()) {
      if (!EvaluableExpressions.is(filter)) {
        continue; // labels that no row has are shown as such
      }
      Evaluator.Value predicate = evaluator.compile(filter);
      rows.removeIf(row -> !Evaluator.isTrue(predicate.on(row)));
    }
    return rows;
  }

  private List<List<Object>> product(List<LabelSource> sources) {
    List<List<Object>> rows = new ArrayList<>();
    rows.add(new ArrayList<>(Collections.nCopies(point.keys().size(), null)));
    for (LabelSource source : sources) {
      List<List<Object>> values = values(source);
      check((long) rows.size() * values.size());
      List<List<Object>> longer = new ArrayList<>(rows.size() * values.size());
      for (List<Object> row : rows) {
        for (List<Object> value : values) {
          longer.add(extended(row, source.keys(), value));
        }
      }
      rows = longer;
    }
    return rows;
  }

  private List<List<Object>> values(LabelSource source) {
    return switch (source) {
      case LabelSource.Constants constants -> constants.rows();
      case LabelSource.FromPublic fromPublic -> {
        List<List<Object>> rows = publicRows.apply(fromPublic);
        if (!fromPublic.orNull()) {
          yield rows;
        }
        List<List<Object>> more = new ArrayList<>(rows);
        more.add(Collections.nCopies(fromPublic.columns().size(), null));
        yield more;
      }
    };
  }

  private List<Object> extended(List<Object> row, List<Integer> keys, List<Object> value) {
    List<Object> longer = new ArrayList<>(row);
    for (int i = 0; i < keys.size(); i++) {
      longer.set(keys.get(i), value.get(i));
    }
    return longer;
  }

  /** Values in the types of their columns, each combination once. */
  private List<List<Object>> distinct(List<List<Object>> rows) {
    Map<List<Object>, List<Object>> distinct = new LinkedHashMap<>();
    for (List<Object> row : rows) {
      List<Object> typed = new ArrayList<>(row.size());
      boolean lost = false;
      for (int i = 0; i < row.size(); i++) {
        Object value = ValueConversion.to(point.keys().get(i).type(), row.get(i));
        lost |= value == null && row.get(i) != null;
        typed.add(value);
      }
      if (!lost) {
        distinct.putIfAbsent(ValueOrdering.canonical(typed), typed);
      }
    }
    check(distinct.size());
    return List.copyOf(distinct.values());
  }

  private void check(long labels) {
    if (labels > most) {
      throw Rejection.of(
          RejectionCode.TOO_MANY_LABELS,
          "The GROUP BY has more labels than the limit of " + most + ".",
          "Group by fewer or coarser keys, or restrict them in WHERE.",
          point.at());
    }
  }
}
