package flexdp.gateway.render;

import flexdp.algebra.Expr;
import flexdp.algebra.Tree;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What measurements read: columns as they are, and expressions that are computed below them. */
final class Operands {
  private final Dialect dialect;
  private final ExprRenderer expressions;
  private final Stages stages;
  private final Map<Expr, Operand> terms = new HashMap<>();

  Operands(Dialect dialect, ExprRenderer expressions, Stages stages) {
    this.dialect = dialect;
    this.expressions = expressions;
    this.stages = stages;
  }

  /** What is read in one place. */
  Operand once(String name, Expr expr) {
    if (expr instanceof Expr.Ref) {
      return expressions.operand(expr);
    }
    stages.compute(name, expressions.sql(expr), columns(expr));
    return Operand.named(name, expr.type());
  }

  /** What is read in several places. */
  Operand severally(String name, Expr expr) {
    return expr instanceof Expr.Ref
        ? expressions.operand(expr)
        : named(name, expr, expressions.sql(expr), columns(expr));
  }

  /**
   * What is clamped, which makes checks by the way.
   *
   * @param onGrid whether all values of its type are on the grid
   */
  Operand clamped(String name, Expr expr, boolean onGrid) {
    if (onGrid && terms.containsKey(expr)) {
      return terms.get(expr);
    }
    Optional<Operand> computed = onGrid ? dialect.computed(expr, this::part) : Optional.empty();
    if (computed.isPresent()) {
      Set<String> read = new LinkedHashSet<>();
      expr.children().forEach(child -> read.addAll(readBy(child)));
      Operand named = named(name, expr, computed.get().sql(), read);
      Operand term = new Operand(named.expr(), named.sql(), computed.get().end());
      terms.put(expr, term);
      return term;
    }
    return dialect.clampsFormless() && expressions.isUnformed(expr)
        ? named(name, expr, expressions.clampable(expr), columns(expr))
        : severally(name, expr);
  }

  private Operand named(String name, Expr expr, String sql, Set<String> read) {
    if (dialect.repeatsColumns()) {
      return Operand.named(stages.once(name, sql, read), expr.type());
    }
    stages.compute(name, sql, read);
    return Operand.named(name, expr.type());
  }

  /** Part of what is computed, by its name where it was computed before. */
  private String part(Expr expr) {
    return terms.containsKey(expr) ? terms.get(expr).sql() : expressions.sql(expr);
  }

  private Set<String> readBy(Expr part) {
    return terms.containsKey(part) ? Set.of(terms.get(part).sql()) : columns(part);
  }

  private static Set<String> columns(Expr expr) {
    Set<String> read = new LinkedHashSet<>();
    Tree.references(expr, id -> read.add(ExprRenderer.name(id)));
    return read;
  }
}
