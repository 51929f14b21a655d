package flexdp.sql.bind;

import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Relation;
import flexdp.algebra.SortKey;
import flexdp.failure.Position;
import flexdp.failure.RejectionCode;
import flexdp.failure.TimeBudget;
import flexdp.sql.function.LiteralBinder;
import flexdp.sql.function.Rejections;
import flexdp.sql.join.FromTree;
import flexdp.sql.rewrite.AstRewriter;
import flexdp.sql.rewrite.AverageOfGroups;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.SqlWithItem;

/** Binds whole queries: WITH, ORDER BY and LIMIT around SELECT, set operations and VALUES. */
final class QueryBinder {
  private static final int DEEPEST = 60;
  private static final BigDecimal LARGEST = BigDecimal.valueOf(Long.MAX_VALUE);

  private final BindingContext binder;
  private int depth;

  QueryBinder(BindingContext binder) {
    this.binder = binder;
  }

  /** Whether the order of the rows is part of the answer. */
  enum Wanted {
    ROWS,
    RESULT
  }

  /** A query in FROM. */
  record Derived(FromTree tree, List<FromItem.Field> fields, List<Expr> lateral) {
    Derived(FromTree tree, List<FromItem.Field> fields) {
      this(tree, fields, List.of());
    }
  }

  /** OFFSET and LIMIT, and whether ORDER BY matters without them. */
  record RowLimit(long offset, OptionalLong count, boolean ordered) {
    static final RowLimit NONE = new RowLimit(0, OptionalLong.empty(), false);

    Relation apply(Relation rows, List<SortKey> order, Position at) {
      if (offset == 0 && count.isEmpty() && (!ordered || order.isEmpty())) {
        return rows;
      }
      return new Relation.Limit(rows, order, offset, count, at);
    }
  }

  Relation bind(SqlNode query, TableExpressions ctes, Optional<Scope> outer, Wanted wanted) {
    return bind(
        query,
        ctes,
        outer,
        List.of(),
        new RowLimit(0, OptionalLong.empty(), wanted == Wanted.RESULT));
  }

  private Relation bind(
      SqlNode query,
      TableExpressions ctes,
      Optional<Scope> outer,
      List<SqlNode> order,
      RowLimit cut) {
    TimeBudget.step();
    if (++depth > DEEPEST) {
      throw Rejections.of(
          RejectionCode.TOO_COMPLEX,
          "Queries are nested too deeply.",
          "Nest fewer subqueries in each other.",
          query);
    }
    try {
      return switch (query.getKind()) {
        case SELECT -> {
          SqlSelect select = (SqlSelect) query;
          boolean asked = cut.ordered() && areNames(order);
          boolean one = cut.count().isPresent() && cut.count().getAsLong() == 1;
          SqlSelect worded = AstRewriter.of(select, one && cut.offset() == 0);
          SqlSelect meant =
              asked
                  ? AverageOfGroups.rewritten(worded, ctes::standalone, binder.averagesWhole())
                  : worded;
          yield select(meant, ctes, outer).finish(order, cut);
        }
        case WITH -> {
          SqlWith with = (SqlWith) query;
          yield bind(with.body, extend(ctes, with), outer, order, cut);
        }
        case ORDER_BY -> ordered((SqlOrderBy) query, ctes, outer, order, cut);
        case UNION, INTERSECT, EXCEPT ->
            sorted(
                SetOperationBinder.bind((SqlCall) query, ctes, outer, binder), order, cut, query);
        case VALUES -> sorted(ValuesBinder.bind((SqlCall) query, ctes, binder), order, cut, query);
        default ->
            throw Rejections.unsupported(
                query.getKind().toString().replace('_', ' '), "Write a SELECT.", query);
      };
    } finally {
      depth--;
    }
  }

  /** Whether ORDER BY speaks of result columns only. */
  private static boolean areNames(List<SqlNode> order) {
    return order.stream()
        .allMatch(
            key -> {
              SqlNode bare = key;
              while (bare instanceof SqlCall call && call.operandCount() == 1) {
                bare = call.operand(0);
              }
              return bare instanceof SqlLiteral
                  || bare instanceof SqlIdentifier name && name.isSimple();
            });
  }

  private SelectListBinder select(SqlSelect select, TableExpressions ctes, Optional<Scope> outer) {
    SelectBlock block = binder.selects.block(select, ctes, outer, false);
    return new SelectListBinder(binder, select, block, ctes);
  }

  private static TableExpressions extend(TableExpressions ctes, SqlWith with) {
    TableExpressions all = ctes;
    for (SqlNode item : with.withList) {
      all = all.and((SqlWithItem) item);
    }
    return all;
  }

  private Relation ordered(
      SqlOrderBy query,
      TableExpressions ctes,
      Optional<Scope> outer,
      List<SqlNode> order,
      RowLimit cut) {
    RowLimit own =
        new RowLimit(
            number(query.offset).orElse(0),
            number(query.fetch),
            cut.ordered() && order.isEmpty() && cut.count().isEmpty() && cut.offset() == 0);
    List<SqlNode> keys = query.orderList == null ? List.of() : query.orderList;
    Relation inner = bind(query.query, ctes, outer, keys, own);
    return order.isEmpty() && cut.count().isEmpty() && cut.offset() == 0
        ? inner
        : sorted(inner, order, cut, query);
  }

  private static OptionalLong number(SqlNode node) {
    if (node == null) {
      return OptionalLong.empty();
    }
    BigDecimal number = LiteralBinder.whole(node);
    if (number == null || number.signum() < 0 || number.compareTo(LARGEST) > 0) {
      throw Rejections.types(
          "LIMIT and OFFSET must be whole constants.", "Write a number.", Rejections.at(node));
    }
    return OptionalLong.of(number.longValueExact());
  }

  /** ORDER BY over something that is not a SELECT: by names and numbers of its columns. */
  private Relation sorted(Relation rows, List<SqlNode> order, RowLimit cut, SqlNode at) {
    if (order.isEmpty()) {
      return cut.apply(rows, List.of(), Rejections.at(at));
    }
    Scope scope =
        new Scope(List.of(new FromItem("", FromBinder.fieldsOf(rows))), Optional.empty(), true);
    List<Column> columns = rows.columns();
    List<SortKey> keys =
        OrderByBinder.keys(
            order,
            node -> {
              int ordinal = OrderByBinder.ordinal(node, columns.size());
              return ordinal == 0 ? null : columns.get(ordinal - 1).ref();
            },
            node -> {
              ExpressionInputs sink = new ExpressionInputs();
              Expr expr =
                  binder.expressions.bind(
                      node, ExpressionContext.of(scope, TableExpressions.NONE, "ORDER BY", sink));
              if (!sink.isEmpty()) {
                throw SubqueryBinder.misplaced(node);
              }
              return expr;
            },
            binder.dialect);
    return cut.apply(rows, keys, Rejections.at(at));
  }

  /** A query in FROM; one that only picks columns gives its own tables to the joins around. */
  Derived derived(SqlNode query, TableExpressions ctes, Optional<Scope> outer, boolean lateral) {
    SqlNode node = query;
    TableExpressions known = ctes;
    while (true) {
      if (node instanceof SqlWith with) {
        known = extend(known, with);
        node = with.body;
      } else if (node instanceof SqlOrderBy order && order.fetch == null && order.offset == null) {
        node = order.query;
      } else {
        break;
      }
    }
    if (node instanceof SqlSelect select) {
      return derived(select, known, outer, lateral);
    }
    Relation relation = bind(node, known, outer, Wanted.ROWS);
    return new Derived(
        new FromTree.Leaf(relation, Rejections.at(query)), FromBinder.fieldsOf(relation));
  }

  private Derived derived(
      SqlSelect written, TableExpressions ctes, Optional<Scope> outer, boolean lateral) {
    SqlSelect node = AstRewriter.of(written, false);
    if (++depth > DEEPEST) {
      throw Rejections.of(
          RejectionCode.TOO_COMPLEX,
          "Queries are nested too deeply.",
          "Nest fewer subqueries in each other.",
          node);
    }
    try {
      SelectBlock block = binder.selects.block(node, ctes, outer, lateral);
      SelectListBinder list = new SelectListBinder(binder, node, block, ctes);
      List<FromItem.Field> fields = new ArrayList<>();
      if (list.isPassThrough()) {
        for (int i = 0; i < list.exprs().size(); i++) {
          fields.add(new FromItem.Field(list.names().get(i), list.exprs().get(i), false));
        }
        FromTree tree =
            block.conjuncts().isEmpty()
                ? block.tree()
                : new FromTree.Inner(List.of(block.tree()), block.conjuncts(), block.tree().at());
        return new Derived(tree, fields, block.correlated());
      }
      if (!block.correlated().isEmpty()) {
        throw SubqueryBinder.correlatedInside(node);
      }
      Relation relation = list.finish(List.of(), RowLimit.NONE);
      for (Column column : relation.columns()) {
        fields.add(new FromItem.Field(column.name(), column.ref(), false));
      }
      return new Derived(new FromTree.Leaf(relation, Rejections.at(node)), fields);
    } finally {
      depth--;
    }
  }
}
