package flexdp.sql.join;

import flexdp.algebra.Equalities;
import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.TreeSet;

/**
 * The parts of a FROM clause and the conditions between them. Parts are joined in the order of the
 * text, except that a part waits until an equality connects it with what is joined already: a
 * connected query never becomes a cross join. Every condition is looked at a constant number of
 * times.
 */
final class JoinGraph {
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
    for (int start = joined.nextClearBit(0); start < built.size(); start = joined.nextClearBit(0)) {
      List<Expr> pending = new ArrayList<>();
      Relation component = component(start, built, parts, joined, pending);
      whole =
          whole == null
              ? Joins.filter(component, pending)
              : new Relation.Join(
                  Relation.JoinKind.INNER,
                  whole,
                  component,
                  Exprs.and(pending),
                  parts.get(start).at());
    }
    return Joins.filter(whole, constant);
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
