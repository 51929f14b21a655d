package flexdp.reuse;

import flexdp.algebra.Expr;
import flexdp.meaning.CanonicalBlock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Replaces computed columns by what computes them, down to columns of leaves. */
final class Inlining {
  /** Columns computed from computed columns may multiply. */
  private static final int MOST_NODES = 2_000;

  private final CanonicalBlock block;
  private int nodes;

  Inlining(CanonicalBlock block) {
    this.block = block;
  }

  /** Nothing when a subquery takes part, or when it would grow too large. */
  Optional<Expr> of(Expr expr) {
    if (nodes++ > MOST_NODES) {
      return Optional.empty();
    }
    return switch (expr) {
      case Expr.Literal literal -> Optional.of(literal);
      case Expr.Ref ref ->
          block.isOfALeaf(ref.column())
              ? Optional.of(ref)
              : block.expression(ref.column()).flatMap(this::of);
      case Expr.Cast cast -> of(cast.operand()).map(o -> new Expr.Cast(o, cast.type()));
      case Expr.Call call ->
          all(call.arguments()).map(a -> new Expr.Call(call.function(), a, call.type()));
      case Expr.Case c -> choice(c);
    };
  }

  private Optional<Expr> choice(Expr.Case c) {
    List<Expr.Case.Branch> branches = new ArrayList<>();
    for (Expr.Case.Branch branch : c.branches()) {
      Optional<Expr> condition = of(branch.condition());
      Optional<Expr> value = of(branch.value());
      if (condition.isEmpty() || value.isEmpty()) {
        return Optional.empty();
      }
      branches.add(new Expr.Case.Branch(condition.get(), value.get()));
    }
    Optional<Expr> otherwise = c.otherwise().flatMap(this::of);
    return otherwise.isPresent() == c.otherwise().isPresent()
        ? Optional.of(new Expr.Case(branches, otherwise, c.type()))
        : Optional.empty();
  }

  private Optional<List<Expr>> all(List<Expr> exprs) {
    List<Expr> made = new ArrayList<>();
    for (Expr expr : exprs) {
      Optional<Expr> one = of(expr);
      if (one.isEmpty()) {
        return Optional.empty();
      }
      made.add(one.get());
    }
    return Optional.of(made);
  }
}
