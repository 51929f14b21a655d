package flexdp.footprint;

import flexdp.algebra.Column;
import flexdp.algebra.Equalities;
import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.Function;
import flexdp.algebra.Nulls;
import flexdp.algebra.Padding;
import flexdp.algebra.Relation;
import flexdp.algebra.Subquery;
import flexdp.algebra.Tree;
import flexdp.algebra.WindowCall;
import flexdp.budget.ChargedParts;
import flexdp.policy.Partition;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * The parts of partitioned tables that all of a question reads, collected from the relations that
 * it is answered from. Rows of other parts change nothing in any of them.
 */
public final class Footprints {
  private final Map<String, PartSet> parts = new HashMap<>();
  private final Map<String, Partition> partitions = new HashMap<>();
  private final Set<String> whole = new HashSet<>();

  /** Reads what a relation needs. */
  public void add(Relation relation) {
    if (!isPartitioned(relation)) {
      return;
    }
    if (hasTwins(relation)) {
      addWhole(relation);
      return;
    }
    new ReadParts(this::found).visit(relation, List.of());
  }

  private static boolean isPartitioned(Relation relation) {
    boolean[] found = {false};
    Tree.visit(
        relation,
        r -> found[0] |= r instanceof Relation.Scan scan && scan.table().charged().isPresent());
    return found[0];
  }

  /** Something reads all rows of the tables of a relation. */
  public void addWhole(Relation relation) {
    Tree.visit(
        relation,
        r -> {
          if (r instanceof Relation.Scan scan) {
            whole.add(scan.table().name());
          }
        });
  }

  private void found(Relation.Scan scan, PartSet read) {
    String table = scan.table().name();
    partitions.put(table, scan.table().charged().orElseThrow());
    parts.merge(table, read, (one, other) -> one.or(List.of(other)));
  }

  /** Conditions name columns by id: two scans that shared one could not be told apart. */
  private static boolean hasTwins(Relation relation) {
    Set<Integer> seen = new HashSet<>();
    boolean[] twins = {false};
    Tree.visit(
        relation,
        r -> {
          if (r instanceof Relation.Scan scan) {
            for (Column column : scan.columns()) {
              twins[0] |= !seen.add(column.id());
            }
          }
        });
    return twins[0];
  }

  /**
   * By table; one that is missing is read as a whole. So is one of which no part can matter: such a
   * question is not worth a rule.
   */
  public SortedMap<String, ChargedParts> parts() {
    SortedMap<String, ChargedParts> all = new TreeMap<>();
    parts.forEach(
        (table, read) -> {
          Optional<SortedSet<String>> names =
              whole.contains(table) ? Optional.empty() : read.names(ChargedParts.MOST);
          names
              .filter(n -> !n.isEmpty())
              .ifPresent(
                  n -> all.put(table, new ChargedParts(partitions.get(table).identity(), n)));
        });
    return all;
  }

  /**
   * The footprint of a relation. Conditions go down the tree, such that rows for which one of them
   * is not true do not matter; at each scan of a partitioned table they say which parts do. A
   * condition goes below an operator only if rows for which it is not true, and rows that are not
   * there, are the same to all other rows.
   */
  private static final class ReadParts {
    /** Larger expressions are not followed: columns made of them say nothing about parts. */
    private static final int LARGEST = 20;

    private final BiConsumer<Relation.Scan, PartSet> found;

    /**
     * @param found takes the parts that a scan of a partitioned table needs
     */
    ReadParts(BiConsumer<Relation.Scan, PartSet> found) {
      this.found = found;
    }

    /**
     * @param conditions rows for which one of them is not true do not matter
     */
    void visit(Relation relation, List<Expr> conditions) {
      switch (relation) {
        case Relation.Scan scan -> scan(scan, conditions);
        case Relation.Values ignored -> {}
        case Relation.Released ignored -> {}
        case Relation.Filter r -> visit(r.input(), with(conditions, r.predicate()));
        case Relation.Project r -> visit(r.input(), below(r, conditions));
        case Relation.Join r -> join(r, conditions);
        case Relation.Where r -> {
          r.subqueries().forEach(this::subquery);
          visit(r.input(), with(conditions, expanded(r.predicate(), r.subqueries())));
        }
        case Relation.Attach r -> {
          r.subqueries().forEach(this::subquery);
          visit(r.input(), conditions);
        }
        case Relation.Distinct r -> visit(r.input(), conditions);
        case Relation.Aggregate r -> visit(r.input(), below(r, conditions));
        case Relation.SetOperation r -> {
          visit(r.left(), renamed(conditions, r.columns(), r.left().columns()));
          visit(r.right(), renamed(conditions, r.columns(), r.right().columns()));
        }
        // Rows that are thrown away later still decide which others come first.
        case Relation.Limit r -> visit(r.input(), List.of());
        case Relation.TopRows r -> visit(r.input(), about(columns(r), conditions));
        case Relation.Window r -> visit(r.input(), about(columns(r), conditions));
      }
    }

    private void scan(Relation.Scan scan, List<Expr> conditions) {
      Optional<Partition> partition = scan.table().charged();
      if (partition.isEmpty()) {
        return;
      }
      int column =
          scan.columns().stream()
              .filter(c -> c.name().equals(partition.get().column()))
              .map(Column::id)
              .findFirst()
              .orElseThrow();
      PartKey key = new PartKey(column, partition.get());
      PartCondition parts = new PartCondition(key);
      PartSet read = key.all();
      for (Expr condition : conditions) {
        read = read.and(parts.whenTrue(condition));
      }
      found.accept(scan, read);
    }

    private void join(Relation.Join join, List<Expr> conditions) {
      BitSet refused = new BitSet();
      conditions.forEach(c -> refused.or(Nulls.refusedWhereTrue(c)));
      Padding padding =
          Padding.needed(join.kind(), isAny(refused, join.left()), isAny(refused, join.right()));
      List<Expr> on = List.of(join.condition());
      switch (padding.kind()) {
        case INNER -> {
          visit(join.left(), with(conditions, join.condition()));
          visit(join.right(), with(conditions, join.condition()));
        }
        // Of the side that is kept a row stays whatever ON says. One of the other side that finds
        // no
        // partner does not matter, whatever is thrown away above; one that does replaces padding.
        case LEFT -> {
          visit(join.left(), padding.exchanged() ? on : conditions);
          visit(join.right(), padding.exchanged() ? conditions : on);
        }
        case FULL -> {
          visit(join.left(), List.of());
          visit(join.right(), List.of());
        }
      }
    }

    private static boolean isAny(BitSet refused, Relation side) {
      return side.columns().stream().anyMatch(c -> refused.get(c.id()));
    }

    /** Rows that do not take part do not matter, whether some, none or a value is asked for. */
    private void subquery(Subquery subquery) {
      visit(subquery.relation(), List.of(subquery.condition()));
    }

    /**
     * Where EXISTS is true, its condition is true for some row. Of NOT EXISTS nothing follows: a
     * row for which the condition is never true stays.
     */
    private static Expr expanded(Expr predicate, List<Subquery> subqueries) {
      Map<Integer, Expr> conditions = new HashMap<>();
      for (Subquery subquery : subqueries) {
        if (subquery instanceof Subquery.Exists exists && !exists.negated()) {
          conditions.put(exists.output().id(), exists.condition());
        }
      }
      return expanded(predicate, conditions);
    }

    private static Expr expanded(Expr predicate, Map<Integer, Expr> conditions) {
      return switch (predicate) {
        case Expr.Ref ref -> conditions.getOrDefault(ref.column(), ref);
        case Expr.Call call ->
            call.function() == Function.AND || call.function() == Function.OR
                ? call.with(call.arguments().stream().map(a -> expanded(a, conditions)).toList())
                : call;
        case Expr.Literal literal -> literal;
        case Expr.Cast cast -> cast;
        case Expr.Case choice -> choice;
      };
    }

    /** A group in which no row is wanted is not wanted, where every row has all keys. */
    private static List<Expr> below(Relation.Aggregate aggregate, List<Expr> conditions) {
      boolean plain =
          aggregate.groupingSets().size() == 1
              && aggregate.groupingSets().getFirst().size() == aggregate.keys().size();
      if (!plain) {
        return List.of();
      }
      BitSet keys = new BitSet();
      aggregate.keys().forEach(key -> keys.set(key.id()));
      List<Expr> all = new ArrayList<>(conditions);
      aggregate.having().ifPresent(all::add);
      return about(keys, all);
    }

    /** Conditions over what outputs are computed from, where that is one column. */
    private static List<Expr> below(Relation.Project project, List<Expr> conditions) {
      Map<Integer, Expr> outputs = new HashMap<>();
      for (Relation.Project.Output output : project.outputs()) {
        if (isSmall(output.expr())) {
          outputs.put(output.column().id(), output.expr());
        }
      }
      return conditions.stream()
          .map(
              c ->
                  Tree.rewrite(
                      c,
                      part ->
                          part instanceof Expr.Ref ref
                              ? Optional.ofNullable(outputs.get(ref.column()))
                              : Optional.empty()))
          .toList();
    }

    private static boolean isSmall(Expr expr) {
      int[] size = {0, 0};
      Tree.parts(
          expr,
          part -> {
            size[0]++;
            size[1] += part instanceof Expr.Ref ? 1 : 0;
          });
      return size[0] <= LARGEST && size[1] <= 1;
    }

    private static List<Expr> renamed(
        List<Expr> conditions, List<Column> names, List<Column> others) {
      Map<Integer, Expr> by = new HashMap<>();
      for (int i = 0; i < names.size(); i++) {
        by.put(names.get(i).id(), others.get(i).ref());
      }
      return conditions.stream()
          .map(
              c ->
                  Tree.rewrite(
                      c,
                      part ->
                          part instanceof Expr.Ref ref
                              ? Optional.ofNullable(by.get(ref.column()))
                              : Optional.empty()))
          .toList();
    }

    private static List<Expr> with(List<Expr> conditions, Expr more) {
      List<Expr> all = new ArrayList<>(conditions);
      all.addAll(Equalities.conjuncts(more));
      return all;
    }

    /** Conditions that read no other columns than these. */
    private static List<Expr> about(BitSet columns, List<Expr> conditions) {
      List<Expr> some = new ArrayList<>();
      for (Expr condition : conditions) {
        for (Expr term : Equalities.conjuncts(condition)) {
          BitSet others = Exprs.reads(term);
          others.andNot(columns);
          if (others.isEmpty()) {
            some.add(term);
          }
        }
      }
      return some;
    }

    private static BitSet columns(List<Expr> exprs) {
      BitSet columns = new BitSet();
      for (Expr expr : exprs) {
        if (expr instanceof Expr.Ref ref) {
          columns.set(ref.column());
        }
      }
      return columns;
    }

    /** The columns by which every rank is divided. */
    private static BitSet columns(Relation.TopRows top) {
      BitSet common = columns(top.partition());
      top.ranks().forEach(rank -> common.and(columns(rank.partition())));
      return common;
    }

    /** The columns by which every window is divided. */
    private static BitSet columns(Relation.Window window) {
      BitSet common = new BitSet();
      window.input().columns().forEach(c -> common.set(c.id()));
      for (WindowCall call : window.calls()) {
        common.and(columns(call.partition()));
      }
      return common;
    }
  }
}
