package flexdp.sql.anatomy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.SqlWithItem;

/** Walks a parse tree and counts; see {@link Anatomy}. */
final class Anatomist {
  private final AnatomySources sources = new AnatomySources();
  private final Set<String> operators = new TreeSet<>();
  private final List<Anatomy.Join> joins = new ArrayList<>();
  private final List<String> aggregates = new ArrayList<>();
  private boolean selfJoin;
  private int clauses;

  Anatomy examine(SqlNode root) {
    walk(root);
    Optional<SqlSelect> outermost = AnatomySources.outermost(root);
    return new Anatomy(
        operators,
        joins,
        selfJoin,
        outermost.filter(s -> AnatomyAggregates.isStatistical(s, sources.scope(s))).isPresent(),
        aggregates,
        clauses,
        outermost.map(s -> s.getSelectList().size()).orElse(0));
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
        sources.with(with);
        walk(with.withList);
        walk(with.body);
      }
      case SqlWithItem item -> {
        clauses++;
        walk(item.query);
      }
      case SqlNodeList list -> list.forEach(this::walk);
      case SqlJoin join -> {
        operators.add("JOIN");
        clauses++;
        walk(join.getLeft());
        walk(join.getRight());
        if (join.getCondition() != null) {
          clauses++;
          walk(join.getCondition());
        }
      }
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
        if (AnatomyAggregates.isAggregate(call)) {
          aggregates.add(AnatomyAggregates.name(call));
        }
      }
    }
    // A function over a window gives one value per row: no aggregate.
    boolean window = call.getKind() == SqlKind.OVER && call.operand(0) instanceof SqlCall;
    if (window) {
      ((SqlCall) call.operand(0)).getOperandList().forEach(this::walk);
      walk(call.operand(1));
    } else {
      call.getOperandList().forEach(this::walk);
    }
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
    if (select.getFrom() instanceof SqlJoin) {
      AnatomyJoins found = new AnatomyJoins(sources, sources.scope(select), select.getWhere());
      found.read(select.getFrom());
      joins.addAll(found.joins());
      selfJoin |= found.selfJoin();
    }
    walk(select.getSelectList());
    walk(select.getFrom());
    walk(select.getWhere());
    walk(select.getGroup());
    walk(select.getHaving());
    walk(select.getQualify());
    walk(select.getOrderList());
  }
}
