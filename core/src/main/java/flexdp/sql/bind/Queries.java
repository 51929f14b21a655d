package flexdp.sql.bind;

import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Relation;
import flexdp.algebra.SortKey;
import flexdp.failure.Patience;
import flexdp.failure.Position;
import flexdp.failure.RejectionCode;
import flexdp.sql.function.Literals;
import flexdp.sql.function.Reject;
import flexdp.sql.habit.PerGroup;
import flexdp.sql.habit.Rewording;
import flexdp.sql.join.FromTree;
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
final class Queries {
  private static final int DEEPEST = 60;
  private static final BigDecimal LARGEST = BigDecimal.valueOf(Long.MAX_VALUE);

  private final Binder binder;
  private int depth;

  Queries(Binder binder) {
    this.binder = binder;
  }

  /** Whether the order of the rows is part of the answer. */
  enum Wanted {
    ROWS,
    RESULT
  }

  /** A query in FROM. */
  record Derived(FromTree tree, List<Source.Field> fields, List<Expr> lateral) {
    Derived(FromTree tree, List<Source.Field> fields) {
      this(tree, fields, List.of());
    }
  }

  /** OFFSET and LIMIT, and whether ORDER BY matters without them. */
  record Cut(long offset, OptionalLong count, boolean ordered) {
    static final Cut NONE = new Cut(0, OptionalLong.empty(), false);

    Relation apply(Relation rows, List<SortKey> order, Position at) {
      if (offset == 0 && count.isEmpty() && (!ordered || order.isEmpty())) {
        return rows;
      }
      return new Relation.Limit(rows, order, offset, count, at);
    }
  }

  Relation bind(SqlNode query, Ctes ctes, Optional<Scope> outer, Wanted wanted) {
    return bind(
        query, ctes, outer, List.of(), new Cut(0, OptionalLong.empty(), wanted == Wanted.RESULT));
  }

  private Relation bind(
      SqlNode query, Ctes ctes, Optional<Scope> outer, List<SqlNode> order, Cut cut) {
    Patience.step();
    if (++depth > DEEPEST) {
      throw Reject.of(
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
          SqlSelect worded = Rewording.of(select, one && cut.offset() == 0);
          SqlSelect meant =
              asked ? PerGroup.rewritten(worded, ctes::standalone, binder.averagesWhole()) : worded;
          yield select(meant, ctes, outer).finish(order, cut);
        }
        case WITH -> {
          SqlWith with = (SqlWith) query;
          yield bind(with.body, extend(ctes, with), outer, order, cut);
        }
        case ORDER_BY -> ordered((SqlOrderBy) query, ctes, outer, order, cut);
        case UNION, INTERSECT, EXCEPT ->
            sorted(SetOperations.bind((SqlCall) query, ctes, outer, binder), order, cut, query);
        case VALUES -> sorted(Tuples.bind((SqlCall) query, ctes, binder), order, cut, query);
        default ->
            throw Reject.unsupported(
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

  private SelectList select(SqlSelect select, Ctes ctes, Optional<Scope> outer) {
    Block block = binder.selects.block(select, ctes, outer, false);
    return new SelectList(binder, select, block, ctes);
  }

  private static Ctes extend(Ctes ctes, SqlWith with) {
    Ctes all = ctes;
    for (SqlNode item : with.withList) {
      all = all.and((SqlWithItem) item);
    }
    return all;
  }

  private Relation ordered(
      SqlOrderBy query, Ctes ctes, Optional<Scope> outer, List<SqlNode> order, Cut cut) {
    Cut own =
        new Cut(
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
    BigDecimal number = Literals.whole(node);
    if (number == null || number.signum() < 0 || number.compareTo(LARGEST) > 0) {
      throw Reject.types(
          "LIMIT and OFFSET must be whole constants.", "Write a number.", Reject.at(node));
    }
    return OptionalLong.of(number.longValueExact());
  }

  /** ORDER BY over something that is not a SELECT: by names and numbers of its columns. */
  private Relation sorted(Relation rows, List<SqlNode> order, Cut cut, SqlNode at) {
    if (order.isEmpty()) {
      return cut.apply(rows, List.of(), Reject.at(at));
    }
    Scope scope = new Scope(List.of(new Source("", Froms.fieldsOf(rows))), Optional.empty(), true);
    List<Column> columns = rows.columns();
    List<SortKey> keys =
        OrderBy.keys(
            order,
            node -> {
              int ordinal = OrderBy.ordinal(node, columns.size());
              return ordinal == 0 ? null : columns.get(ordinal - 1).ref();
            },
            node -> {
              Sink sink = new Sink();
              Expr expr =
                  binder.expressions.bind(node, Place.of(scope, Ctes.NONE, "ORDER BY", sink));
              if (!sink.isEmpty()) {
                throw Subqueries.misplaced(node);
              }
              return expr;
            },
            binder.dialect);
    return cut.apply(rows, keys, Reject.at(at));
  }

  /** A query in FROM; one that only picks columns gives its own tables to the joins around. */
  Derived derived(SqlNode query, Ctes ctes, Optional<Scope> outer, boolean lateral) {
    SqlNode node = query;
    Ctes known = ctes;
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
    return new Derived(new FromTree.Leaf(relation, Reject.at(query)), Froms.fieldsOf(relation));
  }

  private Derived derived(SqlSelect written, Ctes ctes, Optional<Scope> outer, boolean lateral) {
    SqlSelect node = Rewording.of(written, false);
    if (++depth > DEEPEST) {
      throw Reject.of(
          RejectionCode.TOO_COMPLEX,
          "Queries are nested too deeply.",
          "Nest fewer subqueries in each other.",
          node);
    }
    try {
      Block block = binder.selects.block(node, ctes, outer, lateral);
      SelectList list = new SelectList(binder, node, block, ctes);
      List<Source.Field> fields = new ArrayList<>();
      if (list.isPassThrough()) {
        for (int i = 0; i < list.exprs().size(); i++) {
          fields.add(new Source.Field(list.names().get(i), list.exprs().get(i), false));
        }
        FromTree tree =
            block.conjuncts().isEmpty()
                ? block.tree()
                : new FromTree.Inner(List.of(block.tree()), block.conjuncts(), block.tree().at());
        return new Derived(tree, fields, block.correlated());
      }
      if (!block.correlated().isEmpty()) {
        throw Subqueries.correlatedInside(node);
      }
      Relation relation = list.finish(List.of(), Cut.NONE);
      for (Column column : relation.columns()) {
        fields.add(new Source.Field(column.name(), column.ref(), false));
      }
      return new Derived(new FromTree.Leaf(relation, Reject.at(node)), fields);
    } finally {
      depth--;
    }
  }
}
