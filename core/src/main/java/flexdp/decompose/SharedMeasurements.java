package flexdp.decompose;

import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.FreshColumns;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.fingerprint.CanonicalAggregate;
import flexdp.fingerprint.QueryFingerprint;
import flexdp.policy.Type;
import flexdp.query.Labels;
import flexdp.query.Measurement;
import flexdp.query.NoisyAggregate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Draws equal measurements once (guarantee §2). Two are equal when their canonical texts are: the
 * same rows, keys, labels and bounds, however they were written. A release point all of whose
 * measurements another has is not measured; its place reads the other. One that shares some keeps
 * the rest, and its place joins both by their labels.
 */
final class SharedMeasurements {
  /** Where a measurement is drawn: under these names of keys, in this column. */
  private record Home(NoisyAggregate point, List<String> keys, int column) {}

  /** A release point as it is read by a place: columns of its own and those they show. */
  private record Reading(int release, Map<Integer, Integer> of) {}

  private final FreshColumns fresh;
  private final List<NoisyAggregate> releases;

  /** Whether there is one measurement, which nothing can be equal to. */
  private final boolean alone;

  /** By measurement. */
  private final Map<String, Home> homes = new HashMap<>();

  /** What remains to be measured, by id. */
  private final Map<Integer, NoisyAggregate> measured = new LinkedHashMap<>();

  /** How each place is read, by id. */
  private final Map<Integer, List<Reading>> readings = new HashMap<>();

  private SharedMeasurements(List<NoisyAggregate> releases, FreshColumns fresh) {
    this.releases = releases;
    this.fresh = fresh;
    this.alone = releases.size() == 1 && releases.getFirst().measurements().size() == 1;
    if (alone) {
      return;
    }
    // The largest first, so that most places have all they need in one of them.
    releases.stream()
        .sorted(Comparator.comparing(r -> -r.measurements().size()))
        .forEach(this::place);
  }

  static SharedMeasurements of(List<NoisyAggregate> releases, FreshColumns fresh) {
    return new SharedMeasurements(releases, fresh);
  }

  /** The release points that are left, in their order. */
  List<NoisyAggregate> releases() {
    if (alone) {
      return releases;
    }
    return releases.stream()
        .filter(r -> measured.containsKey(r.id()))
        .map(r -> measured.get(r.id()))
        .toList();
  }

  private void place(NoisyAggregate point) {
    Map<Integer, Integer> own = new HashMap<>();
    List<Measurement> different = within(point, own);
    Map<Integer, Home> elsewhere = new LinkedHashMap<>();
    Map<Integer, CanonicalAggregate.Measured> texts = new HashMap<>();
    if (releases.size() > 1) {
      for (Measurement m : different) {
        CanonicalAggregate.Measured text =
            CanonicalAggregate.measured(point, m, new QueryFingerprint());
        texts.put(m.output().id(), text);
        Home home = homes.get(key(text, m));
        if (home != null) {
          elsewhere.put(m.output().id(), home);
        }
      }
    }
    Map<Integer, Map<Integer, Integer>> others = others(point, elsewhere, texts);
    boolean whole = elsewhere.size() == different.size() && others.size() == 1;
    if (!whole && (!isPlain(point) || others.isEmpty())) {
      others.clear();
      elsewhere.clear();
    }
    List<Reading> read = new ArrayList<>();
    List<Measurement> rest =
        different.stream().filter(m -> !elsewhere.containsKey(m.output().id())).toList();
    if (!rest.isEmpty()) {
      NoisyAggregate left = point.with(rest);
      measured.put(point.id(), left);
      Map<Integer, Integer> columns = new HashMap<>(own);
      columns.keySet().removeIf(c -> elsewhere.containsKey(own.get(c)));
      point.keys().forEach(k -> columns.put(k.id(), k.id()));
      point.groupingIds().forEach(g -> columns.put(g.output().id(), g.output().id()));
      read.add(new Reading(point.id(), columns));
      rest.forEach(m -> home(left, m, texts.get(m.output().id())));
    }
    others.forEach(
        (other, columns) -> {
          own.forEach(
              (column, of) -> {
                if (elsewhere.containsKey(of) && elsewhere.get(of).point().id() == other) {
                  columns.put(column, elsewhere.get(of).column());
                }
              });
          read.add(new Reading(other, columns));
        });
    readings.put(point.id(), read);
  }

  private void home(NoisyAggregate point, Measurement m, CanonicalAggregate.Measured text) {
    if (text != null) {
      homes.put(key(text, m), new Home(point, text.keys(), m.output().id()));
    }
  }

  private static String key(CanonicalAggregate.Measured text, Measurement m) {
    return m.output().type() + text.text();
  }

  /** The measurements of a point, each once; every one's column shows that of its equal. */
  private static List<Measurement> within(NoisyAggregate point, Map<Integer, Integer> own) {
    Map<Integer, String> names =
        point.measurements().size() > 1 ? QueryFingerprint.columns(point) : Map.of();
    Map<String, Measurement> first = new LinkedHashMap<>();
    for (Measurement m : point.measurements()) {
      int id = m.output().id();
      String name = m.output().type() + names.getOrDefault(id, "");
      own.put(id, first.computeIfAbsent(name, n -> m).output().id());
    }
    return List.copyOf(first.values());
  }

  /**
   * The release points that measurements are found in, by id, each with the columns of the keys
   * there. Of several measurements of one point the keys have to be the same ones.
   */
  private static Map<Integer, Map<Integer, Integer>> others(
      NoisyAggregate point,
      Map<Integer, Home> elsewhere,
      Map<Integer, CanonicalAggregate.Measured> texts) {
    Map<Integer, Map<Integer, Integer>> others = new LinkedHashMap<>();
    for (int column : List.copyOf(elsewhere.keySet())) {
      Home home = elsewhere.get(column);
      Optional<Map<Integer, Integer>> keys = keys(point, texts.get(column).keys(), home);
      Map<Integer, Integer> before = others.get(home.point().id());
      if (keys.isEmpty() || before != null && !before.equals(keys.get())) {
        elsewhere.remove(column);
      } else {
        others.put(home.point().id(), keys.get());
      }
    }
    return others;
  }

  /** The keys and grouping ids of a point as columns of another that has the same ones. */
  private static Optional<Map<Integer, Integer>> keys(
      NoisyAggregate point, List<String> names, Home home) {
    Map<Integer, Integer> columns = new HashMap<>();
    for (int i = 0; i < names.size(); i++) {
      int place = home.keys().indexOf(names.get(i));
      if (place < 0) {
        return Optional.empty();
      }
      columns.put(point.keys().get(i).id(), home.point().keys().get(place).id());
    }
    for (Relation.Aggregate.GroupingId g : point.groupingIds()) {
      String name = QueryFingerprint.groupingId(g, names);
      Optional<Relation.Aggregate.GroupingId> same =
          home.point().groupingIds().stream()
              .filter(o -> QueryFingerprint.groupingId(o, home.keys()).equals(name))
              .findFirst();
      if (same.isEmpty()) {
        return Optional.empty();
      }
      columns.put(g.output().id(), same.get().output().id());
    }
    return Optional.of(columns);
  }

  /** Whether labels tell the cells apart and the same ones are shown whatever is measured. */
  private static boolean isPlain(NoisyAggregate point) {
    return point.groupingSets().size() == 1 && !(point.labels() instanceof Labels.Thresholded);
  }

  /** A relation above release points that reads what is left of them. */
  Relation read(Relation top) {
    return alone ? top : reading(top);
  }

  private Relation reading(Relation top) {
    return switch (top) {
      case Relation.Released r -> shared(r);
      case Relation.Filter r -> new Relation.Filter(reading(r.input()), r.predicate());
      case Relation.Project r -> new Relation.Project(reading(r.input()), r.outputs());
      case Relation.Join r ->
          new Relation.Join(r.kind(), reading(r.left()), reading(r.right()), r.condition(), r.at());
      case Relation.Distinct r -> new Relation.Distinct(reading(r.input()));
      case Relation.SetOperation r ->
          new Relation.SetOperation(
              r.kind(), r.all(), reading(r.left()), reading(r.right()), r.columns(), r.at());
      case Relation.Limit r ->
          new Relation.Limit(reading(r.input()), r.order(), r.offset(), r.count(), r.at());
      case Relation.Window r -> new Relation.Window(reading(r.input()), r.calls());
      case Relation.TopRows r -> r.over(reading(r.input()));
      // Public as a whole, or rejected before.
      case Relation.Scan r -> r;
      case Relation.Values r -> r;
      case Relation.Where r -> r;
      case Relation.Attach r -> r;
      case Relation.Aggregate r -> r;
    };
  }

  private Relation shared(Relation.Released place) {
    NoisyAggregate point =
        releases.stream().filter(r -> r.id() == place.release()).findFirst().orElseThrow();
    return SharedRows.of(
        place.columns(),
        point.keys().stream().map(Column::id).toList(),
        readings.get(place.release()).stream()
            .map(r -> new SharedRows.Part(r.release(), r.of()))
            .toList(),
        fresh);
  }

  /**
   * The rows of a place whose measurements are drawn at several release points: side by side,
   * joined by their labels. All of them have the same labels, each once.
   */
  private static final class SharedRows {
    /** Columns of the place, and of the release point that has them. */
    record Part(int release, Map<Integer, Integer> of) {}

    private SharedRows() {}

    static Relation of(
        List<Column> columns, List<Integer> keys, List<Part> parts, FreshColumns fresh) {
      Part first = parts.getFirst();
      Relation all = released(first, columns.stream().filter(c -> has(first, c)).toList());
      for (Part part : parts.subList(1, parts.size())) {
        List<Column> there = new ArrayList<>();
        List<Integer> of = new ArrayList<>();
        Expr condition = new Expr.Literal(true, Type.BOOLEAN);
        for (Column column : columns) {
          boolean isKey = keys.contains(column.id());
          if (!has(part, column) || !isKey && all.columns().contains(column)) {
            continue;
          }
          Column named =
              isKey ? fresh.column(column.name(), column.type(), column.nullable()) : column;
          there.add(named);
          of.add(part.of().get(column.id()));
          if (isKey) {
            Expr same =
                Exprs.call(Function.IS_NOT_DISTINCT, Type.BOOLEAN, column.ref(), named.ref());
            condition =
                condition instanceof Expr.Literal
                    ? same
                    : Exprs.call(Function.AND, Type.BOOLEAN, condition, same);
          }
        }
        all =
            new Relation.Join(
                Relation.JoinKind.INNER,
                all,
                new Relation.Released(part.release(), there, of),
                condition,
                flexdp.failure.Position.START);
      }
      return all.columns().equals(columns)
          ? all
          : new Relation.Project(
              all, columns.stream().map(c -> new Relation.Project.Output(c, c.ref())).toList());
    }

    private static boolean has(Part part, Column column) {
      return part.of().containsKey(column.id());
    }

    private static Relation released(Part part, List<Column> columns) {
      return new Relation.Released(
          part.release(), columns, columns.stream().map(c -> part.of().get(c.id())).toList());
    }
  }
}
