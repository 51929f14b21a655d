package flexdp.sensitivity;

import flexdp.algebra.AggregateCall;
import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.algebra.Subquery;
import flexdp.failure.Position;
import flexdp.metrics.MaxFrequency;
import flexdp.metrics.Metrics;
import flexdp.metrics.TableMetrics;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Neighbors;
import flexdp.policy.Table;
import flexdp.policy.Type;
import flexdp.query.Labels;
import flexdp.query.Measurement;
import flexdp.query.NoisyAggregate;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/** Builds relations and metrics for tests; every column gets an id of its own. */
final class Trees {
  static final Position AT = new Position(3, 7);

  private int next = 1;

  static Table table(String name, String... columns) {
    List<ColumnSpec> specs = new ArrayList<>();
    List<Set<String>> unique = new ArrayList<>();
    for (String column : columns) {
      boolean key = column.endsWith("!");
      boolean required = key || column.endsWith("+");
      String bare = column.replaceAll("[!+]$", "");
      specs.add(
          new ColumnSpec(
              bare, Type.INTEGER, !required, Optional.empty(), Optional.empty(), Optional.empty()));
      if (key) {
        unique.add(Set.of(bare));
      }
    }
    return new Table(name, false, specs, unique, List.of());
  }

  static Table publicTable(String name, String... columns) {
    Table table = table(name, columns);
    return new Table(name, true, table.columns(), table.uniqueKeys(), List.of());
  }

  static Table unique(Table table, String... columns) {
    List<Set<String>> keys = new ArrayList<>(table.uniqueKeys());
    keys.add(Set.of(columns));
    return new Table(table.name(), table.isPublic(), table.columns(), keys, table.caps());
  }

  Column column(String name) {
    return new Column(next++, name, Type.INTEGER, true);
  }

  Relation.Scan scan(Table table) {
    List<Column> columns =
        table.columns().stream()
            .map(spec -> new Column(next++, spec.name(), spec.type(), spec.nullable()))
            .toList();
    return new Relation.Scan(table, columns, AT);
  }

  static Column col(Relation relation, String name) {
    return relation.columns().stream().filter(c -> c.name().equals(name)).findFirst().orElseThrow();
  }

  static Expr call(Function function, Expr... arguments) {
    Type type =
        switch (function) {
          case PLUS, MOD, TIMES, COALESCE -> Type.INTEGER;
          default -> Type.BOOLEAN;
        };
    return new Expr.Call(function, List.of(arguments), type);
  }

  static Expr eq(Column one, Column two) {
    return call(Function.EQ, one.ref(), two.ref());
  }

  static Expr literal(long value) {
    return new Expr.Literal(BigDecimal.valueOf(value), Type.INTEGER);
  }

  static Relation join(Relation left, Relation right, Expr on) {
    return new Relation.Join(Relation.JoinKind.INNER, left, right, on, AT);
  }

  static Relation left(Relation left, Relation right, Expr on) {
    return new Relation.Join(Relation.JoinKind.LEFT, left, right, on, AT);
  }

  static Relation full(Relation left, Relation right, Expr on) {
    return new Relation.Join(Relation.JoinKind.FULL, left, right, on, AT);
  }

  Relation exists(Relation outer, boolean negated, Relation inner, Expr on) {
    Column output = new Column(next++, "exists", Type.BOOLEAN, false);
    Subquery subquery = new Subquery.Exists(output, negated, inner, on, AT);
    return new Relation.Where(outer, List.of(subquery), output.ref());
  }

  static Relation project(Relation input, Column... columns) {
    List<Relation.Project.Output> outputs = new ArrayList<>();
    for (Column column : columns) {
      outputs.add(new Relation.Project.Output(column, column.ref()));
    }
    return new Relation.Project(input, outputs);
  }

  /** SELECT keys, COUNT(*) GROUP BY keys; the count is the last column. */
  Relation.Aggregate counted(Relation input, Column... keys) {
    Column count = new Column(next++, "count", Type.BIGINT, false);
    return new Relation.Aggregate(
        input,
        List.of(keys),
        List.of(IntStream.range(0, keys.length).boxed().toList()),
        List.of(AggregateCall.countStar(count, AT)),
        List.of(),
        Optional.empty(),
        List.of(count),
        AT);
  }

  private static final Column MEASURED = new Column(100_000, "m", Type.BIGINT, false);
  private static final Measurement.Origin ORIGIN =
      new Measurement.Origin("COUNT", "count", Optional.of("count"), AT);

  static Measurement count() {
    return new Measurement.Count(MEASURED, ORIGIN, Optional.empty(), Optional.empty());
  }

  static Measurement countDistinct(Expr argument) {
    return new Measurement.CountDistinct(MEASURED, ORIGIN, argument, Optional.empty());
  }

  static NoisyAggregate point(Relation input, Measurement measurement, Column... keys) {
    return new NoisyAggregate(
        0,
        input,
        List.of(keys),
        List.of(IntStream.range(0, keys.length).boxed().toList()),
        List.of(),
        List.of(measurement),
        keys.length == 0 ? new Labels.None() : new Labels.Supplied(List.of()),
        AT);
  }

  static Bound paper(Relation input, Metrics metrics, Column... keys) {
    return bound(input, count(), metrics, Neighbors.REPLACE_ONE, RuleSet.PAPER, keys);
  }

  static Bound flexdp(Relation input, Metrics metrics, Column... keys) {
    return bound(input, count(), metrics, Neighbors.ADD_REMOVE_ONE, RuleSet.FLEXDP, keys);
  }

  static Bound bound(
      Relation input,
      Measurement measurement,
      Metrics metrics,
      Neighbors neighbors,
      RuleSet rules,
      Column... keys) {
    return Sensitivity.of(point(input, measurement, keys), measurement, metrics, neighbors, rules);
  }

  /** Metrics as "table.column" or "table.one,two" or "table" (rows), each followed by its value. */
  static Metrics metrics(Object... entries) {
    Map<String, Map<Set<String>, MaxFrequency>> frequencies = new HashMap<>();
    Map<String, BigInteger> rows = new HashMap<>();
    for (int i = 0; i < entries.length; i += 2) {
      String[] name = ((String) entries[i]).split("\\.");
      BigInteger value = BigInteger.valueOf(((Number) entries[i + 1]).longValue());
      frequencies.computeIfAbsent(name[0], n -> new HashMap<>());
      if (name.length == 1) {
        rows.put(name[0], value);
      } else {
        frequencies
            .get(name[0])
            .put(
                Set.of(name[1].split(",")), new MaxFrequency(Optional.of(value), Optional.empty()));
      }
    }
    Map<String, TableMetrics> tables = new HashMap<>();
    frequencies.forEach(
        (table, values) ->
            tables.put(table, new TableMetrics(Optional.ofNullable(rows.get(table)), values)));
    return new Metrics(tables, Map.of());
  }
}
