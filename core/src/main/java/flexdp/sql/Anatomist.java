package flexdp.sql;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.SqlWithItem;

/** Walks a parse tree and counts; see {@link Anatomy}. */
final class Anatomist {
  private static final Set<String> AGGREGATES =
      Set.of(
          "COUNT",
          "SUM",
          "AVG",
          "MIN",
          "MAX",
          "MEDIAN",
          "STDDEV",
          "STDDEV_POP",
          "STDDEV_SAMP",
          "VARIANCE",
          "VAR_POP",
          "VAR_SAMP",
          "PERCENTILE_CONT",
          "PERCENTILE_DISC",
          "APPROX_PERCENTILE",
          "APPROXIMATE_PERCENTILE",
          "APPROX_DISTINCT",
          "APPROX_COUNT_DISTINCT",
          "NDV",
          "COUNT_IF",
          "COUNTIF",
          "BOOL_OR",
          "BOOL_AND",
          "ANY_VALUE",
          "ARRAY_AGG",
          "STRING_AGG",
          "GROUP_CONCAT",
          "LISTAGG",
          "QUANTILE",
          "QUANTILE_CONT");

  private final Set<String> operators = new TreeSet<>();
  private final List<Anatomy.Join> joins = new ArrayList<>();
  private final List<String> aggregates = new ArrayList<>();
  private boolean selfJoin;
  private int clauses;

  Anatomy examine(SqlNode root) {
    walk(root);
    SqlSelect outermost = outermost(root);
    return new Anatomy(
        operators,
        joins,
        selfJoin,
        outermost != null && isStatistical(outermost),
        aggregates,
        clauses,
        outermost == null ? 0 : outermost.getSelectList().size());
  }

  private static SqlSelect outermost(SqlNode node) {
    SqlNode at = node;
    while (true) {
      switch (at) {
        case SqlOrderBy order -> at = order.query;
        case SqlWith with -> at = with.body;
        case SqlSelect select -> {
          return select;
        }
        case SqlBasicCall call when !call.getOperandList().isEmpty() ->
            at = call.getOperandList().get(0);
        case null, default -> {
          return null;
        }
      }
    }
  }

  private void walk(SqlNode node) {
    switch (node) {
      case null -> {}
      case SqlSelect select -> select(select);
      case SqlOrderBy order -> {
        clauses += order.orderList.isEmpty() ? 0 : 1;
        clauses += order.fetch == null ? 0 : 1;
        walk(order.query);
        walk(order.orderList);
      }
      case SqlWith with -> {
        walk(with.withList);
        walk(with.body);
      }
      case SqlWithItem item -> {
        clauses++;
        walk(item.query);
      }
      case SqlNodeList list -> list.forEach(this::walk);
      case SqlJoin join -> join(join);
      case SqlCall call -> call(call);
      default -> {}
    }
  }

  private void call(SqlCall call) {
    switch (call.getKind()) {
      case UNION, EXCEPT, INTERSECT -> {
        operators.add(call.getKind().name());
        clauses += call.operandCount() - 1;
      }
      case AND, OR -> clauses += call.operandCount() - 1;
      default -> {
        String name = name(call);
        if (AGGREGATES.contains(name)) {
          aggregates.add(name);
        }
      }
    }
    call.getOperandList().forEach(this::walk);
  }

  private static String name(SqlCall call) {
    return call.getOperator() instanceof SqlFunction function
        ? function.getName().toUpperCase(Locale.ROOT)
        : "";
  }

  private void select(SqlSelect select) {
    operators.add("SELECT");
    clauses++;
    clauses += select.getFrom() == null ? 0 : 1;
    clauses += select.getWhere() == null ? 0 : 1;
    clauses += select.getGroup() == null ? 0 : 1;
    clauses += select.getHaving() == null ? 0 : 1;
    clauses += select.getOrderList() == null ? 0 : 1;
    clauses += select.getFetch() == null ? 0 : 1;
    Set<String> tables = new HashSet<>();
    Set<String> derived = new HashSet<>();
    sources(select.getFrom(), tables, derived);
    walk(select.getSelectList());
    walk(select.getFrom());
    walk(select.getWhere());
    walk(select.getGroup());
    walk(select.getHaving());
    walk(select.getQualify());
    walk(select.getOrderList());
  }

  /** Tables of one FROM; a name that comes twice is a self join. */
  private void sources(SqlNode from, Set<String> tables, Set<String> derived) {
    switch (from) {
      case SqlJoin join -> {
        sources(join.getLeft(), tables, derived);
        sources(join.getRight(), tables, derived);
      }
      case SqlIdentifier table -> {
        if (!tables.add(table.toString().toLowerCase(Locale.ROOT))) {
          selfJoin = true;
        }
      }
      case SqlBasicCall call when call.getKind() == SqlKind.AS -> {
        if (!(call.operand(0) instanceof SqlIdentifier)) {
          derived.add(call.operand(1).toString().toLowerCase(Locale.ROOT));
        }
        sources(call.operand(0), tables, derived);
      }
      case SqlSelect inner -> sources(inner.getFrom(), tables, derived);
      case null, default -> {}
    }
  }

  private void join(SqlJoin join) {
    operators.add("JOIN");
    clauses++;
    Set<String> derived = new HashSet<>();
    sources(join, new HashSet<>(), derived);
    SqlNode on = join.getCondition();
    List<String> keys = new ArrayList<>();
    Anatomy.Condition condition = condition(join, on, keys);
    int base =
        (int)
            keys.stream()
                .filter(
                    k -> !derived.contains(k.contains(".") ? k.substring(0, k.indexOf('.')) : ""))
                .count();
    joins.add(new Anatomy.Join(kind(join), condition, keys, base));
    walk(join.getLeft());
    walk(join.getRight());
    if (on != null) {
      clauses++;
      walk(on);
    }
  }

  private static Anatomy.Kind kind(SqlJoin join) {
    return switch (join.getJoinType()) {
      case LEFT -> Anatomy.Kind.LEFT;
      case RIGHT -> Anatomy.Kind.RIGHT;
      case FULL -> Anatomy.Kind.FULL;
      case CROSS -> Anatomy.Kind.CROSS;
      // A comma is an inner join whose condition stands in WHERE.
      default -> Anatomy.Kind.INNER;
    };
  }

  private static Anatomy.Condition condition(SqlJoin join, SqlNode on, List<String> keys) {
    if (join.isNatural()) {
      return Anatomy.Condition.EQUIJOIN;
    }
    return switch (on) {
      case null -> Anatomy.Condition.NONE;
      case SqlNodeList using -> {
        using.forEach(
            c -> {
              keys.add(c.toString().toLowerCase(Locale.ROOT));
              keys.add(c.toString().toLowerCase(Locale.ROOT));
            });
        yield using.size() == 1 ? Anatomy.Condition.EQUIJOIN : Anatomy.Condition.COMPOUND;
      }
      case SqlCall call -> {
        equalities(call, keys);
        yield classify(call);
      }
      default -> Anatomy.Condition.COMPOUND;
    };
  }

  private static Anatomy.Condition classify(SqlCall call) {
    if (call.operandCount() != 2 || !SqlKind.COMPARISON.contains(call.getKind())) {
      return Anatomy.Condition.COMPOUND;
    }
    SqlNode left = call.operand(0);
    SqlNode right = call.operand(1);
    if (left instanceof SqlIdentifier && right instanceof SqlIdentifier) {
      return call.getKind() == SqlKind.EQUALS
          ? Anatomy.Condition.EQUIJOIN
          : Anatomy.Condition.COLUMN_COMPARISON;
    }
    boolean literal =
        left instanceof SqlIdentifier && right instanceof SqlLiteral
            || left instanceof SqlLiteral && right instanceof SqlIdentifier;
    return literal ? Anatomy.Condition.LITERAL_COMPARISON : Anatomy.Condition.COMPOUND;
  }

  private static void equalities(SqlCall call, List<String> keys) {
    if (call.getKind() == SqlKind.AND) {
      for (SqlNode term : call.getOperandList()) {
        if (term instanceof SqlCall c) {
          equalities(c, keys);
        }
      }
    } else if (call.getKind() == SqlKind.EQUALS
        && call.operand(0) instanceof SqlIdentifier left
        && call.operand(1) instanceof SqlIdentifier right) {
      keys.add(left.toString().toLowerCase(Locale.ROOT));
      keys.add(right.toString().toLowerCase(Locale.ROOT));
    }
  }

  private static boolean isStatistical(SqlSelect select) {
    Set<String> grouped = new HashSet<>();
    boolean groups = select.getGroup() != null && !select.getGroup().isEmpty();
    if (groups) {
      select.getGroup().forEach(g -> grouped.add(text(g)));
    }
    int position = 0;
    boolean any = false;
    for (SqlNode item : select.getSelectList()) {
      position++;
      SqlNode expr = item;
      String alias = "";
      if (item instanceof SqlBasicCall call && call.getKind() == SqlKind.AS) {
        expr = call.operand(0);
        alias = text(call.operand(1));
      }
      if (hasAggregate(expr)) {
        any = true;
      } else if (!(expr instanceof SqlLiteral)
          && !grouped.contains(text(expr))
          && !grouped.contains(alias)
          && !grouped.contains(String.valueOf(position))) {
        return false;
      }
    }
    return any;
  }

  private static boolean hasAggregate(SqlNode node) {
    if (node instanceof SqlSelect) {
      return false;
    }
    if (node instanceof SqlCall call) {
      return AGGREGATES.contains(name(call))
          || call.getOperandList().stream().anyMatch(Anatomist::hasAggregate);
    }
    return false;
  }

  private static String text(SqlNode node) {
    return node.toString().toLowerCase(Locale.ROOT);
  }
}
