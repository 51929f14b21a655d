package flexdp.gateway;

import flexdp.algebra.Relation;
import flexdp.algebra.Subquery;
import java.util.ArrayList;
import java.util.List;

/** Says which rule of docs/rules.md bounds each operator of a relation. */
final class OperatorRules {
  private final List<String> lines = new ArrayList<>();

  private OperatorRules() {}

  static List<String> of(Relation relation) {
    OperatorRules rules = new OperatorRules();
    rules.visit(relation, 0);
    return rules.lines;
  }

  private void line(int depth, String rule, String what) {
    lines.add(String.format("%s%-14s %s", "  ".repeat(depth), rule, what));
  }

  private void visit(Relation relation, int depth) {
    int below = depth + 1;
    switch (relation) {
      case Relation.Scan scan ->
          line(
              depth,
              scan.table().isPublic() ? "S-PUBLIC" : "S-TABLE",
              (scan.table().isPublic() ? "public table " : "table ") + scan.table().name());
      case Relation.Values values ->
          line(depth, "S-PUBLIC", values.rows().size() + " constant rows");
      case Relation.Filter filter -> {
        line(depth, "S-FILTER", "WHERE");
        visit(filter.input(), below);
      }
      case Relation.Project project -> {
        line(depth, "S-PROJECT", "SELECT list");
        visit(project.input(), below);
      }
      case Relation.Join join -> {
        line(depth, rule(join), join.kind() + " JOIN");
        visit(join.left(), below);
        visit(join.right(), below);
      }
      case Relation.Where where -> {
        line(depth, "S-SUBQUERY", "WHERE with " + where.subqueries().size() + " subqueries");
        visit(where.input(), below);
        where.subqueries().forEach(subquery -> visit(subquery, below));
      }
      case Relation.Attach attach -> {
        line(depth, "S-ATTACH", "scalar subqueries in SELECT");
        visit(attach.input(), below);
        attach.subqueries().forEach(subquery -> visit(subquery.relation(), below));
      }
      case Relation.Distinct distinct -> {
        line(depth, "S-DISTINCT", "DISTINCT");
        visit(distinct.input(), below);
      }
      case Relation.Aggregate aggregate -> {
        line(depth, rule(aggregate), "nested GROUP BY");
        visit(aggregate.input(), below);
      }
      case Relation.SetOperation operation -> {
        line(depth, "S-" + operation.kind(), operation.kind() + (operation.all() ? " ALL" : ""));
        visit(operation.left(), below);
        visit(operation.right(), below);
      }
      case Relation.Limit limit -> {
        line(depth, limit.count().isPresent() ? "S-LIMIT" : "S-SORT", "nested ORDER BY");
        visit(limit.input(), below);
      }
      case Relation.TopRows top -> {
        line(depth, "S-TOP", "ROW_NUMBER() <= " + top.count());
        visit(top.input(), below);
      }
      case Relation.Window window -> {
        line(depth, "S-WINDOW", "window functions");
        visit(window.input(), below);
      }
      case Relation.Released ignored -> {}
    }
  }

  private void visit(Subquery subquery, int depth) {
    switch (subquery) {
      case Subquery.Exists exists ->
          line(
              depth,
              exists.negated() ? "S-ANTI" : "S-SEMI",
              exists.negated() ? "NOT EXISTS" : "EXISTS");
      case Subquery.Scalar ignored -> line(depth, "S-SCALAR", "scalar subquery");
    }
    visit(subquery.relation(), depth + 1);
  }

  private static String rule(Relation.Join join) {
    return switch (join.kind()) {
      case INNER -> "S-INNER";
      case LEFT -> "S-LEFT";
      case FULL -> "S-FULL";
    };
  }

  private static String rule(Relation.Aggregate aggregate) {
    if (aggregate.groupingSets().size() > 1) {
      return "S-GROUPING-SETS";
    }
    if (aggregate.keys().isEmpty()) {
      return "S-SCALAR-AGGREGATE";
    }
    if (!aggregate.visible().isEmpty()) {
      return "S-GROUP";
    }
    return aggregate.having().isPresent() ? "S-HAVING" : "S-GROUP-KEYS";
  }
}
