package flexdp.query;

import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Column;
import flexdp.algebra.Relation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A bound query cut at its release points.
 *
 * @param top what is computed from noisy values: a relation whose leaves are {@link
 *     Relation.Released}, {@link Relation.Values} and scans of public tables
 * @param columns what the analyst asked to see, in order
 * @param joins the number of joins, semi joins and anti joins
 * @param listed whether labels are shown because they are listed, and not because rows have them
 */
public record DpQuery(
    Relation top,
    List<NoisyAggregate> releases,
    List<ResultColumn> columns,
    int joins,
    boolean listed) {
  /** A column of the result. */
  public record ResultColumn(Column column, Kind kind, String aggregate) {
    /** What a column shows. */
    public enum Kind {
      KEY,
      AGGREGATE,
      DERIVED,
      CONSTANT
    }
  }

  /** For every column that reads a measurement, the column of the release point that it shows. */
  public Map<Integer, Integer> readings() {
    return readings(top);
  }

  public static Map<Integer, Integer> readings(Relation top) {
    Map<Integer, Integer> shown = new HashMap<>();
    AlgebraWalker.visit(
        top,
        r -> {
          if (r instanceof Relation.Released released) {
            for (int i = 0; i < released.of().size(); i++) {
              shown.put(released.columns().get(i).id(), released.of().get(i));
            }
          }
        });
    return shown;
  }

  /** Every column that shows a measurement as it was drawn, by id. */
  public Map<Integer, Measurement> measurements() {
    return measurements(releases, top);
  }

  public static Map<Integer, Measurement> measurements(
      List<NoisyAggregate> releases, Relation top) {
    Map<Integer, Measurement> all = new HashMap<>();
    releases.forEach(r -> r.measurements().forEach(m -> all.put(m.output().id(), m)));
    readings(top)
        .forEach(
            (column, of) -> {
              if (all.containsKey(of)) {
                all.put(column, all.get(of));
              }
            });
    return all;
  }

  public static Map<Integer, Integer> sets(List<NoisyAggregate> releases, Relation top) {
    Map<Integer, Integer> sets = new HashMap<>();
    for (NoisyAggregate point : releases) {
      point
          .set()
          .ifPresent(set -> point.measurements().forEach(m -> sets.put(m.output().id(), set.id())));
    }
    Map<Integer, Integer> shown = new HashMap<>(sets);
    AlgebraWalker.visit(
        top,
        r -> {
          if (r instanceof Relation.Released released) {
            sets(released, sets, shown);
          }
        });
    return shown;
  }

  private static void sets(
      Relation.Released released, Map<Integer, Integer> sets, Map<Integer, Integer> shown) {
    for (int i = 0; i < released.of().size(); i++) {
      int set = released.of().indexOf(sets.getOrDefault(released.of().get(i), -1));
      if (set >= 0) {
        shown.put(released.columns().get(i).id(), released.columns().get(set).id());
      }
    }
  }

  /** This question with release points of which more is known. */
  public DpQuery with(List<NoisyAggregate> known) {
    return new DpQuery(top, known, columns, joins, listed);
  }

  public DpQuery {
    releases = List.copyOf(releases);
    columns = List.copyOf(columns);
  }
}
