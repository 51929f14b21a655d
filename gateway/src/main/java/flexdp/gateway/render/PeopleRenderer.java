package flexdp.gateway.render;

import flexdp.algebra.Column;
import flexdp.algebra.Relation;
import flexdp.people.clipping.ClipLevels;
import flexdp.plan.ClippingPlan;
import flexdp.policy.Type;
import flexdp.query.Labels;
import flexdp.query.Measurement;
import flexdp.query.NoisyAggregate;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The statements that tell what each person contributes, without telling it of anybody: rows are
 * grouped by their owner and the keys first, as a release point is, then by the bucket of the
 * owner's size. One pass for every level.
 */
public final class PeopleRenderer {
  private final TargetDialect dialect;
  private final SqlRenderer renderer;

  /**
   * @param renderer of what each person has
   */
  public PeopleRenderer(TargetDialect dialect, SqlRenderer renderer) {
    this.dialect = dialect;
    this.renderer = renderer;
  }

  /**
   * @param input the rows of the release point with their owner beside them
   * @param owner never NULL
   * @param labels that are looked at, where these are known
   */
  public List<PersonStatement> statements(
      NoisyAggregate point,
      Relation input,
      Column owner,
      ClippingPlan clipping,
      Optional<List<List<Object>>> labels) {
    Optional<Measurement> row =
        clipping.euclidean() && clipping.byRows() ? Optional.of(allRows(point)) : Optional.empty();
    Optional<PivotedBins> few = labels.flatMap(some -> PivotedBins.of(point, some, row));
    List<PersonStatement> made =
        few.isPresent()
            ? statements(
                few.get().point(),
                input,
                owner,
                clipping,
                row.isPresent() ? few.get().rows() : rows(point, clipping),
                few.get()::value)
            : statements(
                point,
                input,
                owner,
                clipping,
                rows(point, clipping),
                i -> new PersonStatement.Value(i, Optional.empty()));
    made.forEach(statement -> dialect.limits().checked(statement.sql()));
    return made;
  }

  /** What sizes are made of beside the measurements. */
  private static List<Measurement> rows(NoisyAggregate point, ClippingPlan clipping) {
    return clipping.byRows() ? List.of(allRows(point)) : List.of();
  }

  private List<PersonStatement> statements(
      NoisyAggregate point,
      Relation input,
      Column owner,
      ClippingPlan clipping,
      List<Measurement> allRows,
      IntFunction<PersonStatement.Value> values) {
    if (isPartly(point, owner)) {
      // Where a set lacks the key that is the owner, rows are told apart by a copy of it.
      Column copy = new Column(Integer.MAX_VALUE - 1, "owner", owner.type(), false);
      return statements(point, withCopy(input, owner, copy), copy, clipping, allRows, values);
    }
    List<Column> keys = new ArrayList<>(point.keys());
    boolean own = keys.stream().anyMatch(k -> k.id() == owner.id());
    if (!own) {
      keys.add(owner);
    }
    List<List<Integer>> sets = new ArrayList<>();
    for (List<Integer> set : point.groupingSets()) {
      List<Integer> all = new ArrayList<>(set);
      if (!own) {
        all.add(keys.size() - 1);
      }
      sets.add(all);
    }
    List<Measurement> measured = new ArrayList<>(point.measurements());
    int rows = measured.size();
    measured.addAll(allRows);
    NoisyAggregate byOwner =
        new NoisyAggregate(
            point.id(),
            input,
            keys,
            sets,
            List.of(),
            measured,
            new Labels.Thresholded(),
            point.at());
    List<PersonStatement> statements = new ArrayList<>();
    for (ReleaseStatement inner : renderer.statements(byOwner)) {
      statements.add(
          new OneStatement(point, owner, clipping, inner, rows, values)
              .statement(statements.isEmpty(), own ? 0 : 1));
    }
    return statements;
  }

  private static boolean isPartly(NoisyAggregate point, Column owner) {
    return IntStream.range(0, point.keys().size())
        .filter(i -> point.keys().get(i).id() == owner.id())
        .anyMatch(i -> point.groupingSets().stream().anyMatch(set -> !set.contains(i)));
  }

  private static Relation withCopy(Relation input, Column owner, Column copy) {
    List<Relation.Project.Output> outputs = new ArrayList<>();
    input.columns().forEach(c -> outputs.add(new Relation.Project.Output(c, c.ref())));
    outputs.add(new Relation.Project.Output(copy, owner.ref()));
    return new Relation.Project(input, outputs);
  }

  private static Measurement allRows(NoisyAggregate point) {
    Measurement.Origin origin =
        new Measurement.Origin("COUNT", "count", Optional.empty(), point.at());
    return new Measurement.Count(
        new Column(Integer.MAX_VALUE, "rows", Type.BIGINT, false),
        origin,
        Optional.empty(),
        Optional.empty());
  }

  /** One statement about owners and keys, turned into one about buckets and keys. */
  private final class OneStatement {
    private final NoisyAggregate point;
    private final Column owner;
    private final ClippingPlan clipping;
    private final ReleaseStatement inner;
    private final int rows;
    private final IntFunction<PersonStatement.Value> of;

    OneStatement(
        NoisyAggregate point,
        Column owner,
        ClippingPlan clipping,
        ReleaseStatement inner,
        int rows,
        IntFunction<PersonStatement.Value> of) {
      this.point = point;
      this.owner = owner;
      this.clipping = clipping;
      this.inner = inner;
      this.rows = rows;
      this.of = of;
    }

    /**
     * @param shift how many keys stand behind those of the release point
     */
    PersonStatement statement(boolean countsPeople, int shift) {
      Map<Integer, String> values = new LinkedHashMap<>();
      List<String> sizes = new ArrayList<>();
      if (inner.bucket().isPresent()) {
        values.put(inner.bucket().get().measurement(), whole("n", BigInteger.ONE));
        sizes.add(whole("n", BigInteger.ONE));
      } else {
        for (ReleaseStatement.Cell cell : inner.cells()) {
          if (cell.measurement() >= rows) {
            sizes.add(WholeCell.sql(dialect, cell, bits()));
          } else {
            values.put(cell.measurement(), WholeCell.sql(dialect, cell, bits()));
          }
        }
      }
      List<String> groups = keys();
      if (inner.hasGrouping()) {
        groups.addFirst("g");
      }
      inner.bucket().ifPresent(b -> groups.add("bucket"));
      boolean single = groups.isEmpty();
      String sized = sized(values, sizes, groups, single);
      return new PersonStatement(
          grouped(sized, values, groups),
          inner.hasGrouping() ? Optional.of(shift) : Optional.empty(),
          inner.bucket(),
          countsPeople,
          values.keySet().stream().map(of::apply).toList());
    }

    private List<String> keys() {
      List<String> names = new ArrayList<>();
      point.keys().forEach(k -> names.add(ExprRenderer.name(k.id())));
      return names;
    }

    private String whole(String column, BigInteger times) {
      return WholeCell.of(dialect, column, times, bits());
    }

    /** Sizes are added up by bins, numbers of rows come from one pass: neither must overflow. */
    private int bits() {
      return clipping.byRows() || clipping.euclidean() ? 61 : clipping.digits() == 0 ? 62 : 40;
    }

    /** Every row with its owner's size beside it, and whether it is the owner's first. */
    private String sized(
        Map<Integer, String> values, List<String> sizes, List<String> groups, boolean single) {
      Map<String, String> read = new LinkedHashMap<>();
      String by = ExprRenderer.name(owner.id());
      read.put(by, by);
      groups.forEach(g -> read.put(g, g));
      values.forEach((m, sql) -> read.put("x" + m, sql));
      for (int i = 0; i < sizes.size(); i++) {
        read.put(i == 0 ? "part" : "part" + i, sizes.get(i));
      }
      // The size is read once for each level, and each value for its size and its share.
      String once = dialect.fence(List.of(), true);
      String parts =
          "(SELECT "
              + RelationRenderer.aliased(read)
              + " FROM ("
              + inner.sql()
              + ") AS p"
              + once
              + ") AS q";
      if (clipping.euclidean()) {
        return squared(read.keySet(), values.keySet(), sizes.size(), parts, single);
      }
      String own =
          clipping.byRows()
              ? "part"
              : values.keySet().stream()
                  .map(m -> "(" + absolute("x" + m) + ")")
                  .collect(Collectors.joining(" + "));
      if (single) {
        return "(SELECT q.*, " + own + " AS weight, 1 AS mark FROM " + parts + once + ") AS w";
      }
      String over = " OVER (PARTITION BY " + by + ")";
      // Every set has all rows of a person, so her size is the same in each.
      boolean bySet = clipping.bySet() && inner.hasGrouping();
      return "(SELECT q.*, "
          + dialect.total(own, bySet ? " OVER (PARTITION BY " + by + ", g)" : over)
          + " AS weight, CASE WHEN ROW_NUMBER()"
          + over
          + " = 1 THEN 1 ELSE 0 END AS mark FROM "
          + parts
          + ") AS w";
    }

    /**
     * Clips by L2: numbers are cut at 2^25 units first and sizes rounded up to units, so that their
     * squares add up exactly whatever is there.
     */
    private String squared(
        Set<String> read, Set<Integer> values, int sizes, String parts, boolean single) {
      String by = ExprRenderer.name(owner.id());
      BigInteger unit = clipping.levels().unit();
      Map<String, String> cut = new LinkedHashMap<>();
      read.forEach(name -> cut.put(name, name));
      for (int m : values) {
        BigInteger most = perSize(m).multiply(unit).shiftLeft(ClippingPlan.MOST_UNITS);
        cut.put("x" + m, cut("x" + m, most));
      }
      List<String> numbers = new ArrayList<>();
      for (int i = 0; i < sizes; i++) {
        String part = i == 0 ? "part" : "part" + i;
        cut.put(part, cut(part, BigInteger.ONE.shiftLeft(ClippingPlan.MOST_UNITS)));
        numbers.add(part);
      }
      String once = dialect.fence(List.of(), true);
      String rows = "SELECT " + RelationRenderer.aliased(cut) + " FROM " + parts + once;
      if (sizes == 0) {
        Map<String, String> up = new LinkedHashMap<>();
        read.forEach(name -> up.put(name, name));
        for (int m : values) {
          up.put("n" + m, units("x" + m, unit));
          numbers.add("n" + m);
        }
        rows = "SELECT " + RelationRenderer.aliased(up) + " FROM (" + rows + ") AS r" + once;
      }
      String from = " AS mark FROM (" + rows + ") AS c" + once + ") AS w";
      if (single) {
        String own = numbers.stream().map(n -> n + " * " + n).collect(Collectors.joining(" + "));
        return "(SELECT c.*, " + own + " AS weight, 1" + from;
      }
      String over = " OVER (PARTITION BY " + by + ")";
      return "(SELECT c.*, "
          + dialect.squares(numbers.getFirst(), over)
          + " AS weight, CASE WHEN ROW_NUMBER()"
          + over
          + " = 1 THEN 1 ELSE 0 END"
          + from;
    }

    private static String cut(String x, BigInteger most) {
      return "CASE WHEN "
          + x
          + " > "
          + most
          + " THEN "
          + most
          + " WHEN "
          + x
          + " < -"
          + most
          + " THEN -"
          + most
          + " ELSE "
          + x
          + " END";
    }

    /** |x| in whole units, rounded up. */
    private String units(String x, BigInteger unit) {
      String size = "(" + absolute(x) + ")";
      return unit.equals(BigInteger.ONE)
          ? size
          : dialect.share(
              "(" + size + " + " + unit.subtract(BigInteger.ONE) + ")",
              unit.toString(),
              BigInteger.ONE,
              BigInteger.ONE.shiftLeft(ClippingPlan.MOST_UNITS));
    }

    private String grouped(String sized, Map<Integer, String> values, List<String> groups) {
      List<String> outer = new ArrayList<>();
      List<String> within = new ArrayList<>();
      outer.add("lev");
      within.add(bucket() + " AS lev");
      groups.forEach(
          g -> {
            outer.add(g);
            within.add(g);
          });
      List<String> by = List.copyOf(outer);
      outer.add("SUM(mark) AS people");
      within.add("mark");
      for (int m : values.keySet()) {
        String x = "x" + m;
        within.add(x);
        within.add(share(x, perSize(m)) + " AS h" + m);
        outer.add(dialect.total(x, "") + " AS s" + m);
        outer.add(dialect.total("h" + m, "") + " AS t" + m);
      }
      return "SELECT "
          + String.join(", ", outer)
          + " FROM (SELECT "
          + String.join(", ", within)
          + " FROM "
          + sized
          + ") AS v GROUP BY "
          + String.join(", ", by);
    }

    /** Truncated toward zero; a sign where the value is the size itself. */
    private String share(String x, BigInteger most) {
      if (clipping.euclidean()) {
        double unit = clipping.byRows() ? 1 : clipping.levels().unit().doubleValue();
        return dialect.rootShare(x, "weight", (1 - 0x1p-40) * (1L << clipping.digits()) / unit);
      }
      if (clipping.digits() == 0) {
        return "CASE WHEN " + x + " > 0 THEN 1 WHEN " + x + " < 0 THEN -1 ELSE 0 END";
      }
      return dialect.share(x, "weight", BigInteger.ONE.shiftLeft(clipping.digits()), most);
    }

    /** The most that a value can be for each unit of its owner's size. */
    private BigInteger perSize(int measurement) {
      return clipping.byRows()
          ? ClippingPlan.perRow(point.measurements().get(measurement))
          : BigInteger.ONE;
    }

    private static String absolute(String x) {
      return "CASE WHEN " + x + " < 0 THEN -" + x + " ELSE " + x + " END";
    }

    private String bucket() {
      ClipLevels levels = clipping.levels();
      StringBuilder cases = new StringBuilder("CASE");
      for (int level = 0; level <= levels.last(); level++) {
        BigInteger most = levels.at(level);
        if (clipping.euclidean()) {
          most = most.divide(levels.unit()).pow(2);
        }
        cases.append(" WHEN weight <= ").append(most).append(" THEN ").append(level);
      }
      return cases.append(" ELSE ").append(levels.last() + 1).append(" END").toString();
    }
  }
}
