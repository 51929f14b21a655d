package flexdp.sql.join;

import flexdp.algebra.Column;
import flexdp.algebra.Equalities;
import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.Function;
import flexdp.algebra.NullRejection;
import flexdp.algebra.OuterJoinSimplification;
import flexdp.algebra.Relation;
import flexdp.algebra.Relation.JoinKind;
import flexdp.sql.function.ColumnIdSequence;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.TreeSet;

/**
 * Makes the join tree of a FROM clause. Conditions go as far down as they may: those on one part
 * become filters of the part, those on several become conditions of the join that first has all of
 * them; nothing goes below the NULL-supplied side of an outer join except its own ON. An outer join
 * whose padded rows a condition above refuses becomes an inner one.
 */
public final class JoinTreeBuilder {
  private final int ids;

  public JoinTreeBuilder(ColumnIdSequence ids) {
    this.ids = ids.count();
  }

  /** The rows of the tree for which all conditions are true. */
  public Relation arrange(FromTree tree, List<Expr> conditions) {
    return build(tree, conditions, new BitSet());
  }

  private Relation build(FromTree tree, List<Expr> conditions, BitSet refused) {
    return switch (tree) {
      case FromTree.Leaf leaf -> filter(leaf.relation(), conditions);
      case FromTree.Inner inner -> inner(inner, conditions, refused);
      case FromTree.Outer outer -> {
        BitSet all = refusedBy(conditions, refused);
        FromTree simpler = simplify(outer, all);
        yield simpler instanceof FromTree.Outer still
            ? outer(still, conditions, all)
            : build(simpler, conditions, refused);
      }
    };
  }

  public static Relation filter(Relation relation, List<Expr> conditions) {
    return conditions.isEmpty() ? relation : new Relation.Filter(relation, Exprs.and(conditions));
  }

  private static BitSet refusedBy(List<Expr> conditions, BitSet already) {
    BitSet all = (BitSet) already.clone();
    for (Expr condition : conditions) {
      all.or(NullRejection.refusedWhereTrue(condition));
    }
    return all;
  }

  /** A join without the padded rows that are refused anyway. */
  private FromTree simplify(FromTree.Outer outer, BitSet refused) {
    OuterJoinSimplification padding =
        OuterJoinSimplification.needed(
            outer.kind(),
            columns(outer.left()).intersects(refused),
            columns(outer.right()).intersects(refused));
    FromTree left = padding.exchanged() ? outer.right() : outer.left();
    FromTree right = padding.exchanged() ? outer.left() : outer.right();
    return padding.kind() == JoinKind.INNER
        ? new FromTree.Inner(List.of(left, right), outer.on(), outer.at())
        : new FromTree.Outer(padding.kind(), left, right, outer.on(), outer.at());
  }

  private Relation outer(FromTree.Outer outer, List<Expr> conditions, BitSet refused) {
    if (outer.kind() == JoinKind.FULL) {
      Relation joined =
          new Relation.Join(
              JoinKind.FULL,
              build(outer.left(), List.of(), new BitSet()),
              build(outer.right(), List.of(), new BitSet()),
              Exprs.and(outer.on()),
              outer.at());
      return filter(joined, conditions);
    }
    BitSet left = columns(outer.left());
    BitSet right = columns(outer.right());
    List<Expr> above = new ArrayList<>();
    List<Expr> ofLeft = new ArrayList<>();
    for (Expr condition : conditions) {
      (within(condition, left) ? ofLeft : above).add(condition);
    }
    List<Expr> on = new ArrayList<>();
    List<Expr> ofRight = new ArrayList<>();
    for (Expr condition : outer.on()) {
      (within(condition, right) ? ofRight : on).add(condition);
    }
    BitSet refusedLeft = (BitSet) refused.clone();
    refusedLeft.and(left);
    Relation joined =
        new Relation.Join(
            JoinKind.LEFT,
            build(outer.left(), ofLeft, refusedLeft),
            build(outer.right(), ofRight, refusedBy(on, new BitSet())),
            Exprs.and(on),
            outer.at());
    return filter(joined, above);
  }

  /** Whether a condition reads these columns only, and at least one. */
  private static boolean within(Expr condition, BitSet columns) {
    BitSet reads = Exprs.reads(condition);
    if (reads.isEmpty()) {
      return false;
    }
    reads.andNot(columns);
    return reads.isEmpty();
  }

  private Relation inner(FromTree.Inner inner, List<Expr> conditions, BitSet refused) {
    List<Expr> all = new ArrayList<>(conditions);
    List<FromTree> parts = new ArrayList<>();
    flatten(inner, parts, all);
    boolean mayHaveOuter = false;
    for (FromTree part : parts) {
      mayHaveOuter |= part instanceof FromTree.Outer;
    }
    BitSet refusedHere = mayHaveOuter ? refusedBy(all, refused) : refused;
    if (mayHaveOuter) {
      openOuterJoins(parts, all, refusedHere);
      refusedHere = refusedBy(all, refused);
    }
    int[] owner = new int[ids];
    for (int i = 0; i < parts.size(); i++) {
      BitSet columns = columns(parts.get(i));
      for (int id = columns.nextSetBit(0); id >= 0; id = columns.nextSetBit(id + 1)) {
        owner[id] = i + 1;
      }
    }
    JoinGraph graph = new JoinGraph(parts.size(), owner);
    for (Expr condition : all) {
      graph.add(condition);
    }
    List<Relation> built = new ArrayList<>(parts.size());
    for (int i = 0; i < parts.size(); i++) {
      built.add(build(parts.get(i), graph.ofPart(i), refusedHere));
    }
    return graph.join(built, parts);
  }

  private static void flatten(FromTree.Inner inner, List<FromTree> parts, List<Expr> conditions) {
    conditions.addAll(inner.conjuncts());
    for (FromTree part : inner.parts()) {
      if (part instanceof FromTree.Inner nested) {
        flatten(nested, parts, conditions);
      } else {
        parts.add(part);
      }
    }
  }

  /** Takes apart the outer joins that the conditions make inner, until none is left. */
  private void openOuterJoins(List<FromTree> parts, List<Expr> conditions, BitSet refused) {
    for (int i = 0; i < parts.size(); i++) {
      if (parts.get(i) instanceof FromTree.Outer outer) {
        FromTree simpler = simplify(outer, refused);
        if (simpler instanceof FromTree.Inner inner) {
          List<FromTree> opened = new ArrayList<>();
          List<Expr> more = new ArrayList<>();
          flatten(inner, opened, more);
          parts.remove(i);
          parts.addAll(i, opened);
          conditions.addAll(more);
          for (Expr condition : more) {
            refused.or(NullRejection.refusedWhereTrue(condition));
          }
          i = -1;
        }
      }
    }
  }

  public static BitSet columns(FromTree tree) {
    BitSet columns = new BitSet();
    collect(tree, columns);
    return columns;
  }

  private static void collect(FromTree tree, BitSet into) {
    switch (tree) {
      case FromTree.Leaf leaf -> {
        for (Column column : leaf.relation().columns()) {
          into.set(column.id());
        }
      }
      case FromTree.Inner inner -> {
        for (FromTree part : inner.parts()) {
          collect(part, into);
        }
      }
      case FromTree.Outer outer -> {
        collect(outer.left(), into);
        collect(outer.right(), into);
      }
    }
  }

  /**
   * The parts of a FROM clause and the conditions between them. Parts are joined in the order of
   * the text, except that a part waits until an equality connects it with what is joined already: a
   * connected query never becomes a cross join. Every condition is looked at a constant number of
   * times.
   */
  private static final class JoinGraph {
    /** A condition over several parts; it applies once all of them are joined. */
    private static final class Edge {
      final Expr condition;
      final int[] parts;
      final boolean equality;
      int missing;

      Edge(Expr condition, int[] parts, boolean equality) {
        this.condition = condition;
        this.parts = parts;
        this.equality = equality;
        this.missing = parts.length;
      }
    }

    private final int[] owner;
    private final List<List<Expr>> ofPart = new ArrayList<>();
    private final List<List<Edge>> edges = new ArrayList<>();
    private final List<Expr> constant = new ArrayList<>();

    /**
     * @param owner for each column id, one more than the part it belongs to
     */
    JoinGraph(int parts, int[] owner) {
      this.owner = owner;
      for (int i = 0; i < parts; i++) {
        ofPart.add(new ArrayList<>());
        edges.add(new ArrayList<>());
      }
    }

    /** The conditions that read this part alone. */
    List<Expr> ofPart(int part) {
      return ofPart.get(part);
    }

    void add(Expr condition) {
      BitSet parts = partsOf(condition);
      int count = parts.cardinality();
      if (count == 0) {
        constant.add(condition);
      } else if (count == 1) {
        ofPart.get(parts.nextSetBit(0)).add(condition);
      } else {
        Edge edge =
            new Edge(condition, parts.stream().toArray(), count == 2 && isEquality(condition));
        for (int part : edge.parts) {
          edges.get(part).add(edge);
        }
      }
    }

    private BitSet partsOf(Expr expr) {
      BitSet reads = Exprs.reads(expr);
      BitSet parts = new BitSet();
      for (int id = reads.nextSetBit(0); id >= 0; id = reads.nextSetBit(id + 1)) {
        if (owner[id] > 0) {
          parts.set(owner[id] - 1);
        }
      }
      return parts;
    }

    /** Whether the condition equates something of one part with something of the other. */
    private boolean isEquality(Expr condition) {
      if (!(condition instanceof Expr.Call call)) {
        return false;
      }
      return switch (call.function()) {
        case EQ, IS_NOT_DISTINCT ->
            partsOf(call.arguments().get(0)).cardinality() == 1
                && partsOf(call.arguments().get(1)).cardinality() == 1;
        case OR -> {
          for (Expr alternative : call.arguments()) {
            if (!someEquality(alternative)) {
              yield false;
            }
          }
          yield true;
        }
        default -> false;
      };
    }

    private boolean someEquality(Expr alternative) {
      if (alternative instanceof Expr.Call call && call.function() == Function.AND) {
        for (Expr term : Equalities.conjuncts(alternative)) {
          if (isEquality(term)) {
            return true;
          }
        }
        return false;
      }
      return isEquality(alternative);
    }

    /** Joins the parts, whose own conditions have been applied already. */
    Relation join(List<Relation> built, List<FromTree> parts) {
      BitSet joined = new BitSet();
      Relation whole = null;
      for (int start = joined.nextClearBit(0);
          start < built.size();
          start = joined.nextClearBit(0)) {
        List<Expr> pending = new ArrayList<>();
        Relation component = component(start, built, parts, joined, pending);
        whole =
            whole == null
                ? JoinTreeBuilder.filter(component, pending)
                : new Relation.Join(
                    Relation.JoinKind.INNER,
                    whole,
                    component,
                    Exprs.and(pending),
                    parts.get(start).at());
      }
      return JoinTreeBuilder.filter(whole, constant);
    }

    /**
     * The connected parts around one.
     *
     * @param pending takes conditions that became applicable but read other components too
     */
    private Relation component(
        int start, List<Relation> built, List<FromTree> parts, BitSet joined, List<Expr> pending) {
      BitSet members = new BitSet();
      TreeSet<Integer> frontier = new TreeSet<>();
      Relation relation = built.get(start);
      enter(start, joined, members, frontier, new ArrayList<>(), pending);
      while (!frontier.isEmpty()) {
        int next = frontier.pollFirst();
        List<Expr> on = new ArrayList<>();
        enter(next, joined, members, frontier, on, pending);
        relation =
            new Relation.Join(
                Relation.JoinKind.INNER,
                relation,
                built.get(next),
                Exprs.and(on),
                parts.get(next).at());
      }
      return relation;
    }

    private void enter(
        int part,
        BitSet joined,
        BitSet members,
        TreeSet<Integer> frontier,
        List<Expr> on,
        List<Expr> pending) {
      joined.set(part);
      members.set(part);
      for (Edge edge : edges.get(part)) {
        edge.missing--;
        if (edge.missing == 0) {
          (isInside(edge, members) ? on : pending).add(edge.condition);
        } else if (edge.equality) {
          for (int other : edge.parts) {
            if (!joined.get(other)) {
              frontier.add(other);
            }
          }
        }
      }
    }

    private static boolean isInside(Edge edge, BitSet members) {
      for (int part : edge.parts) {
        if (!members.get(part)) {
          return false;
        }
      }
      return true;
    }
  }
}
