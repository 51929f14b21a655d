package flexdp.reuse;

import flexdp.algebra.Expr;
import flexdp.algebra.Tree;
import flexdp.meaning.CanonicalBlock;
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
      case Expr.Ref ref ->
          block.isOfALeaf(ref.column())
              ? Optional.of(ref)
              : block.expression(ref.column()).flatMap(this::of);
      case Expr.Literal literal -> Optional.of(literal);
      case Expr.Cast cast -> Tree.rebuilt(cast, this::of);
      case Expr.Call call -> Tree.rebuilt(call, this::of);
      case Expr.Case choice -> Tree.rebuilt(choice, this::of);
    };
  }
}
