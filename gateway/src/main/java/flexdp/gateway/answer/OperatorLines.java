package flexdp.gateway.answer;

import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.algebra.Subquery;
import flexdp.algebra.Tree;
import flexdp.sensitivity.Applied;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The operators of a relation, each with the rules of docs/rules.md that bounded it. */
final class OperatorLines {
  private static final String BLOCKS =
      "nested GROUP BY blocks: their median tells of a typical block, not of all rows together";

  private final Applied applied;
  private final List<String> lines = new ArrayList<>();

  private OperatorLines(Applied applied) {
    this.applied = applied;
  }

  /** Outermost first, indented by depth. */
  static List<String> of(Relation relation, Applied applied) {
    OperatorLines operators = new OperatorLines(applied);
    operators.visit(relation, 0);
    return operators.lines;
  }

  private void line(int depth, List<String> rules, String what) {
    lines.add(
        String.format(
            Locale.ROOT, "%s%-14s %s", "  ".repeat(depth), String.join(", ", rules), what));
  }

  private void line(int depth, Relation operator, String what) {
    boolean free = Tree.isPublic(operator);
    line(depth, free ? List.of("S-PUBLIC") : applied.at(operator), what);
  }

  private void visit(Relation relation, int depth) {
    int below = depth + 1;
    switch (relation) {
      case Relation.Scan scan ->
          line(
              depth,
              scan,
              (scan.table().isPublic() ? "public table " : "table ") + scan.table().name());
      case Relation.Values values -> line(depth, values, values.rows().size() + " constant rows");
      case Relation.Filter filter -> {
        line(depth, filter, "WHERE");
        visit(filter.input(), below);
      }
      case Relation.Project project -> {
        line(depth, project, "SELECT list");
        visit(project.input(), below);
      }
      case Relation.Join join -> {
        line(depth, join, join.kind() + " JOIN");
        visit(join.left(), below);
        visit(join.right(), below);
      }
      case Relation.Where where -> {
        line(depth, where, "WHERE with " + where.subqueries().size() + " subqueries");
        visit(where.input(), below);
        where.subqueries().forEach(subquery -> visit(subquery, below));
      }
      case Relation.Attach attach -> {
        line(depth, attach, "scalar subqueries in SELECT");
        visit(attach.input(), below);
        attach.subqueries().forEach(subquery -> visit(subquery.relation(), below));
      }
      case Relation.Distinct distinct -> {
        line(depth, distinct, "DISTINCT");
        visit(distinct.input(), below);
      }
      case Relation.Aggregate aggregate -> {
        line(depth, aggregate, isOfBlocks(aggregate) ? BLOCKS : "nested GROUP BY");
        visit(aggregate.input(), below);
      }
      case Relation.SetOperation operation -> {
        line(depth, operation, operation.kind() + (operation.all() ? " ALL" : ""));
        visit(operation.left(), below);
        visit(operation.right(), below);
      }
      case Relation.Limit limit -> {
        line(depth, limit, "nested ORDER BY");
        visit(limit.input(), below);
      }
      case Relation.TopRows top -> {
        line(
            depth,
            top,
            String.join(
                " and ", top.ranks().stream().map(r -> "ROW_NUMBER() <= " + r.count()).toList()));
        visit(top.input(), below);
      }
      case Relation.Window window -> {
        line(depth, window, "window functions");
        visit(window.input(), below);
      }
      case Relation.Released ignored -> {}
    }
  }

  /** Whether it is grouped by the hash of something, as DP_BLOCK makes it. */
  private static boolean isOfBlocks(Relation.Aggregate aggregate) {
    boolean[] found = {false};
    if (aggregate.input() instanceof Relation.Project project) {
      for (Relation.Project.Output output : project.outputs()) {
        if (aggregate.keys().contains(output.column())) {
          Tree.parts(
              output.expr(),
              part ->
                  found[0] |= part instanceof Expr.Call call && call.function() == Function.HASH);
        }
      }
    }
    return found[0];
  }

  private void visit(Subquery subquery, int depth) {
    String what =
        switch (subquery) {
          case Subquery.Exists exists -> exists.negated() ? "NOT EXISTS" : "EXISTS";
          case Subquery.Scalar ignored -> "scalar subquery";
        };
    line(depth, applied.at(subquery), what);
    visit(subquery.relation(), depth + 1);
  }
}
