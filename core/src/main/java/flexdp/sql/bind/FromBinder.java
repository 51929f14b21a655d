package flexdp.sql.bind;

import flexdp.algebra.Column;
import flexdp.algebra.Relation;
import flexdp.failure.Position;
import flexdp.failure.RejectionCode;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Table;
import flexdp.sql.function.Rejections;
import flexdp.sql.join.FromTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWithItem;

/** Binds FROM. */
final class FromBinder {
  private static final int MOST_JOINS = 1_000;

  private final BindingContext binder;

  FromBinder(BindingContext binder) {
    this.binder = binder;
  }

  /** The rows and names of a FROM clause. */
  BoundFrom bind(SqlNode node, TableExpressions ctes, Optional<Scope> outer) {
    List<SqlJoin> joins = new ArrayList<>();
    SqlNode first = node;
    while (first instanceof SqlJoin join) {
      joins.add(join);
      first = join.getLeft();
    }
    if (joins.size() > MOST_JOINS) {
      throw Rejections.of(
          RejectionCode.TOO_COMPLEX,
          "The query joins more than " + MOST_JOINS + " tables.",
          "Join fewer tables.",
          node);
    }
    BoundFrom start = item(first, ctes, outer);
    if (joins.isEmpty()) {
      return start;
    }
    JoinChainBinder chain = new JoinChainBinder(start, ctes, outer, binder);
    for (int i = joins.size() - 1; i >= 0; i--) {
      SqlJoin join = joins.get(i);
      SqlNode right = join.getRight();
      chain.add(
          join,
          right instanceof SqlJoin
              ? bind(right, ctes, outer)
              : isLateral(right)
                  ? item(right, ctes, Optional.of(chain.scope()))
                  : item(right, ctes, outer));
    }
    return chain.finish();
  }

  private static boolean isLateral(SqlNode node) {
    return node.getKind() == SqlKind.LATERAL
        || node.getKind() == SqlKind.AS && ((SqlCall) node).operand(0).getKind() == SqlKind.LATERAL;
  }

  private BoundFrom item(SqlNode node, TableExpressions ctes, Optional<Scope> outer) {
    return switch (node.getKind()) {
      case AS -> named((SqlCall) node, ctes, outer);
      case IDENTIFIER -> {
        SqlIdentifier name = (SqlIdentifier) node;
        yield table(name, name.names.get(name.names.size() - 1), ctes);
      }
      case TABLE_REF -> item(((SqlCall) node).operand(0), ctes, outer);
      case JOIN -> bind(node, ctes, outer);
      case LATERAL -> {
        QueryBinder.Derived derived =
            binder.queries.derived(((SqlCall) node).operand(0), ctes, outer, true);
        yield new BoundFrom(
            derived.tree(), List.of(new FromItem("", derived.fields())), derived.lateral());
      }
      case SELECT, UNION, INTERSECT, EXCEPT, WITH, ORDER_BY, VALUES ->
          derived(node, "", ctes, outer);
      case COLLECTION_TABLE -> {
        Relation rows = SeriesBinder.bind(((SqlCall) node).operand(0), ctes, binder);
        FromTree tree = new FromTree.Leaf(rows, Rejections.at(node));
        yield new BoundFrom(tree, List.of(new FromItem("", fieldsOf(rows))));
      }
      case UNNEST -> {
        Relation rows = SeriesBinder.unnested((SqlCall) node, ctes, binder);
        FromTree tree = new FromTree.Leaf(rows, Rejections.at(node));
        yield new BoundFrom(tree, List.of(new FromItem("", fieldsOf(rows))));
      }
      case TABLESAMPLE ->
          throw Rejections.unsupported(
              "TABLESAMPLE", "Leave it out: answers are computed on all rows.", node);
      default ->
          throw Rejections.unsupported(
              node.getKind().toString().replace('_', ' ') + " in FROM",
              "Name a table, or a subquery in brackets.",
              node);
    };
  }

  /** item AS alias (columns). */
  private BoundFrom named(SqlCall as, TableExpressions ctes, Optional<Scope> outer) {
    SqlNode node = as.operand(0);
    String alias = ((SqlIdentifier) as.operand(1)).getSimple();
    BoundFrom from =
        node instanceof SqlIdentifier name ? table(name, alias, ctes) : item(node, ctes, outer);
    List<FromItem.Field> fields = new ArrayList<>();
    for (FromItem source : from.sources()) {
      for (FromItem.Field field : source.fields()) {
        if (!field.hidden()) {
          fields.add(field);
        }
      }
    }
    int given = as.operandCount() - 2;
    if (given == 0
        && (node.getKind() == SqlKind.COLLECTION_TABLE || node.getKind() == SqlKind.UNNEST)
        && !fields.getFirst().name().equals("range")) {
      // As in PostgreSQL, whose function it is; RANGE is DuckDB's and keeps its name.
      fields.set(0, new FromItem.Field(alias, fields.getFirst().expr(), false));
    }
    if (given > fields.size()) {
      throw Rejections.of(
          RejectionCode.UNKNOWN_COLUMN,
          "'" + alias + "' has " + fields.size() + " columns, not " + given + ".",
          "Name as many columns as there are.",
          as);
    }
    for (int i = 0; i < given; i++) {
      String column = ((SqlIdentifier) as.operand(i + 2)).getSimple();
      fields.set(i, new FromItem.Field(column, fields.get(i).expr(), false));
    }
    return new BoundFrom(from.tree(), List.of(new FromItem(alias, fields)), from.lateral());
  }

  private BoundFrom table(SqlIdentifier name, String alias, TableExpressions ctes) {
    Optional<TableExpressions> cte = ctes.find(name);
    if (cte.isPresent()) {
      return common(cte.get(), alias, name);
    }
    if (isDual(name) && !binder.tables.has(name)) {
      Relation one = new Relation.Values(List.of(), List.of(List.of()));
      return new BoundFrom(
          new FromTree.Leaf(one, Rejections.at(name)), List.of(new FromItem(alias, List.of())));
    }
    Table table = binder.tables.resolve(name);
    Position at = Rejections.at(name);
    List<Column> columns = new ArrayList<>(table.columns().size());
    List<FromItem.Field> fields = new ArrayList<>(table.columns().size());
    for (ColumnSpec spec : table.columns()) {
      Column column = binder.ids.column(spec.name(), spec.type(), spec.nullable());
      columns.add(column);
      fields.add(new FromItem.Field(spec.name(), column.ref(), false));
    }
    FromTree tree = new FromTree.Leaf(new Relation.Scan(table, columns, at), at);
    return new BoundFrom(tree, List.of(new FromItem(alias, fields)));
  }

  /** The table of one row that some databases want where there is nothing to read from. */
  private static boolean isDual(SqlIdentifier name) {
    return name.isSimple() && name.getSimple().equalsIgnoreCase("dual");
  }

  /** A common table expression: its text bound anew. */
  private BoundFrom common(TableExpressions cte, String alias, SqlIdentifier at) {
    SqlWithItem item = cte.item();
    BoundFrom from = derived(item.query, alias, cte.within(), Optional.empty());
    if (item.columnList == null) {
      return from;
    }
    List<FromItem.Field> fields = from.sources().get(0).fields();
    if (item.columnList.size() > fields.size()) {
      throw Rejections.of(
          RejectionCode.UNKNOWN_COLUMN,
          "'"
              + item.name
              + "' has "
              + fields.size()
              + " columns, not "
              + item.columnList.size()
              + ".",
          "Name as many columns as there are.",
          at);
    }
    List<FromItem.Field> renamed = new ArrayList<>(fields);
    for (int i = 0; i < item.columnList.size(); i++) {
      String name = ((SqlIdentifier) item.columnList.get(i)).getSimple();
      renamed.set(i, new FromItem.Field(name, fields.get(i).expr(), false));
    }
    return new BoundFrom(from.tree(), List.of(new FromItem(alias, renamed)));
  }

  private BoundFrom derived(
      SqlNode query, String alias, TableExpressions ctes, Optional<Scope> outer) {
    QueryBinder.Derived derived = binder.queries.derived(query, ctes, outer, false);
    return new BoundFrom(derived.tree(), List.of(new FromItem(alias, derived.fields())));
  }

  static List<FromItem.Field> fieldsOf(Relation relation) {
    List<FromItem.Field> fields = new ArrayList<>();
    for (Column column : relation.columns()) {
      fields.add(new FromItem.Field(column.name(), column.ref(), false));
    }
    return fields;
  }
}
