package flexdp.fingerprint;

import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.query.LabelSource;
import flexdp.query.Labels;
import flexdp.query.Measurement;
import flexdp.query.NoisyAggregate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Release points as texts: rows, keys, labels, and measurements in an order of their own. */
public final class CanonicalAggregate {
  private final NoisyAggregate release;
  private final CanonicalBlock.Settled settled;
  private final List<String> keys = new ArrayList<>();
  private final QueryFingerprint fingerprint;

  private CanonicalAggregate(
      NoisyAggregate release, List<Measurement> measurements, QueryFingerprint fingerprint) {
    this.release = release;
    this.fingerprint = fingerprint;
    CanonicalBlock block = CanonicalBlock.of(release.input(), fingerprint);
    List<CanonicalBlock.Item> uses = new ArrayList<>();
    release.keys().forEach(k -> uses.add(names -> names.apply(k.id())));
    measurements.forEach(m -> uses.add(names -> text(m, names)));
    this.settled = block.settle(uses);
    release.keys().forEach(k -> keys.add("k:" + settled.names().apply(k.id())));
  }

  static QueryFingerprint.Form form(NoisyAggregate release, QueryFingerprint fingerprint) {
    CanonicalAggregate text = new CanonicalAggregate(release, release.measurements(), fingerprint);
    Map<Integer, String> columns = new HashMap<>();
    for (int i = 0; i < text.keys.size(); i++) {
      columns.put(release.keys().get(i).id(), text.keys.get(i));
    }
    release
        .groupingIds()
        .forEach(g -> columns.put(g.output().id(), QueryFingerprint.groupingId(g, text.keys)));
    TreeSet<String> measured = new TreeSet<>();
    for (Measurement measurement : release.measurements()) {
      String name = text(measurement, text.settled.names());
      measured.add(name);
      columns.put(measurement.output().id(), name);
    }
    return new QueryFingerprint.Form("release{" + text.rows() + measured + "}", columns);
  }

  /** A measurement by its text, and what the keys are called in it. */
  public record Measured(String text, List<String> keys) {}

  public static Measured measured(
      NoisyAggregate release, Measurement measurement, QueryFingerprint fingerprint) {
    CanonicalAggregate text = new CanonicalAggregate(release, List.of(measurement), fingerprint);
    return new Measured(
        "measure{" + text.rows() + text(measurement, text.settled.names()) + "}",
        List.copyOf(text.keys));
  }

  private String rows() {
    return settled.text() + QueryFingerprint.sets(release.groupingSets(), keys) + labels();
  }

  private static String text(Measurement m, IntFunction<String> names) {
    return CanonicalText.shortened(
        CanonicalText.measured(
            m,
            m.argument().map(a -> CanonicalText.of(a, names)),
            m.filter().map(f -> " if " + CanonicalText.of(f, names)).orElse("")));
  }

  private String labels() {
    List<Integer> all = IntStream.range(0, keys.size()).boxed().toList();
    return switch (release.labels()) {
      case Labels.None ignored -> " no labels";
      case Labels.Thresholded some ->
          " thresholded" + (some.atLeast() > 1 ? " at least " + some.atLeast() : "");
      case Labels.Supplied supplied -> " supplied" + constants(all, supplied.rows());
      case Labels.Enumerated enumerated -> {
        TreeSet<String> sources = new TreeSet<>();
        enumerated.sources().forEach(s -> sources.add(source(s)));
        TreeSet<String> filters = new TreeSet<>();
        for (Expr filter : enumerated.filters()) {
          filters.add(CanonicalText.of(filter, this::keyName));
        }
        yield " enumerated" + sources + filters;
      }
    };
  }

  /** A key by its text; keys keep their ids in the filters of labels. */
  private String keyName(int id) {
    for (int i = 0; i < keys.size(); i++) {
      if (release.keys().get(i).id() == id) {
        return keys.get(i);
      }
    }
    return settled.names().apply(id);
  }

  private String source(LabelSource source) {
    return switch (source) {
      case LabelSource.Constants constants -> constants(constants.keys(), constants.rows());
      case LabelSource.FromPublic table -> {
        List<Integer> order = order(table.keys());
        List<Column> columns = table.columns();
        List<Integer> ids = order.stream().map(i -> columns.get(i).id()).toList();
        yield names(table.keys(), order)
            + fingerprint.ordered(table.relation(), ids)
            + (table.orNull() ? "or null" : "");
      }
    };
  }

  private String constants(List<Integer> which, List<List<Object>> rows) {
    List<Integer> order = order(which);
    TreeSet<String> texts = new TreeSet<>();
    for (List<Object> row : rows) {
      texts.add(order.stream().map(i -> CanonicalText.value(row.get(i))).toList().toString());
    }
    return names(which, order) + CanonicalText.shortened(texts.toString());
  }

  /** Positions within {@code which}, by the texts of the keys. */
  private List<Integer> order(List<Integer> which) {
    return IntStream.range(0, which.size())
        .boxed()
        .sorted(Comparator.comparing(i -> keys.get(which.get(i))))
        .toList();
  }

  private String names(List<Integer> which, List<Integer> order) {
    return order.stream().map(i -> keys.get(which.get(i))).toList().toString();
  }
}
