package flexdp.gateway.verify;

import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Expr;
import flexdp.algebra.Relation;
import flexdp.policy.ColumnSpec;
import flexdp.policy.OwnerPath;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import flexdp.query.DpQuery;
import flexdp.query.LabelSource;
import flexdp.query.Labels;
import flexdp.query.NoisyAggregate;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a question has to do with: which tables, which of their columns, which constants. Databases
 * are made up of that.
 *
 * @param columns by table, those that the question reads
 * @param constants values as in {@link Expr.Literal}
 */
record QuerySubject(Policy policy, Map<String, Set<String>> columns, Set<Object> constants) {
  private static final BigDecimal FEWEST = BigDecimal.valueOf(4);
  private static final BigDecimal MOST = BigDecimal.valueOf(250);

  /**
   * @param relation the whole question
   * @param query the same, cut
   */
  static QuerySubject of(Policy policy, Relation relation, DpQuery query) {
    Map<String, Set<String>> columns = new LinkedHashMap<>();
    Set<Object> constants = new LinkedHashSet<>();
    look(relation, columns, constants);
    for (NoisyAggregate point : query.releases()) {
      look(point.input(), columns, constants);
      if (point.labels() instanceof Labels.Enumerated enumerated) {
        for (LabelSource source : enumerated.sources()) {
          if (source instanceof LabelSource.FromPublic from) {
            look(from.relation(), columns, constants);
          }
        }
      }
    }
    Set<String> names = new LinkedHashSet<>(columns.keySet());
    for (String name : columns.keySet()) {
      for (OwnerPath owner : policy.table(name).orElseThrow().ownership().owners()) {
        owner.hops().forEach(hop -> names.add(hop.table()));
      }
    }
    Map<String, Table> tables = new LinkedHashMap<>();
    policy
        .tables()
        .forEach(
            (name, table) -> {
              if (names.contains(name)) {
                tables.put(name, table);
              }
            });
    Policy part =
        new Policy(policy.database(), policy.privacy(), tables, policy.failures(), policy.people());
    return new QuerySubject(part, columns, constants);
  }

  /** Numbers of rows that the question may wait for, and that a made-up table can have. */
  List<Integer> counts() {
    return constants.stream()
        .filter(BigDecimal.class::isInstance)
        .map(BigDecimal.class::cast)
        .filter(d -> d.compareTo(FEWEST) >= 0 && d.compareTo(MOST) <= 0)
        .map(BigDecimal::intValue)
        .distinct()
        .toList();
  }

  /** Columns, with their tables, whose values say which row or whose row it is. */
  Set<String> naming() {
    Set<String> naming = new HashSet<>();
    for (Table table : policy.tables().values()) {
      GeneratedDatabase.naming(table).forEach(column -> naming.add(table.name() + "." + column));
      for (OwnerPath owner : table.ownership().owners()) {
        for (OwnerPath.Hop hop : owner.hops()) {
          naming.add(hop.table() + "." + hop.key());
          naming.add(hop.table() + "." + hop.column());
        }
      }
    }
    return naming;
  }

  boolean reads(Table table, ColumnSpec column) {
    return columns.getOrDefault(table.name(), Set.of()).contains(column.name());
  }

  private static void look(
      Relation relation, Map<String, Set<String>> columns, Set<Object> constants) {
    Set<Integer> used = new HashSet<>();
    Map<Integer, Map.Entry<String, String>> places = new HashMap<>();
    AlgebraWalker.visit(
        relation,
        r -> {
          AlgebraWalker.expressions(
              r,
              e ->
                  AlgebraWalker.parts(
                      e,
                      part -> {
                        if (part instanceof Expr.Literal literal && literal.value() != null) {
                          constants.add(literal.value());
                        }
                      }));
          AlgebraWalker.expressions(r, e -> AlgebraWalker.references(e, used::add));
          switch (r) {
            case Relation.Scan scan -> {
              columns.computeIfAbsent(scan.table().name(), t -> new TreeSet<>());
              for (int i = 0; i < scan.columns().size(); i++) {
                ColumnSpec spec = scan.table().columns().get(i);
                places.put(scan.columns().get(i).id(), Map.entry(scan.table().name(), spec.name()));
              }
            }
            case Relation.Values values ->
                values
                    .rows()
                    .forEach(
                        row ->
                            row.stream()
                                .filter(v -> !v.isNull())
                                .forEach(v -> constants.add(v.value())));
            case Relation.Aggregate a -> a.keys().forEach(k -> used.add(k.id()));
            case Relation.Distinct d -> d.columns().forEach(c -> used.add(c.id()));
            case Relation.SetOperation s ->
                s.children().forEach(c -> c.columns().forEach(k -> used.add(k.id())));
            case Relation.Filter ignored -> {}
            case Relation.Project ignored -> {}
            case Relation.Join ignored -> {}
            case Relation.Where ignored -> {}
            case Relation.Attach ignored -> {}
            case Relation.Limit ignored -> {}
            case Relation.TopRows ignored -> {}
            case Relation.Window ignored -> {}
            case Relation.Released ignored -> {}
          }
        });
    places.forEach(
        (id, place) -> {
          if (used.contains(id)) {
            columns.get(place.getKey()).add(place.getValue());
          }
        });
  }
}
