package flexdp.sql.bind;

import flexdp.algebra.Column;
import flexdp.algebra.Relation;
import flexdp.failure.Position;
import flexdp.failure.RejectionCode;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Table;
import flexdp.sql.function.Reject;
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
final class Froms {
  private static final int MOST_JOINS = 1_000;

  private final Binder binder;

  Froms(Binder binder) {
    this.binder = binder;
  }

  /** The rows and names of a FROM clause. */
  From bind(SqlNode node, Ctes ctes, Optional<Scope> outer) {
    List<SqlJoin> joins = new ArrayList<>();
    SqlNode first = node;
    while (first instanceof SqlJoin join) {
      joins.add(join);
      first = join.getLeft();
    }
    if (joins.size() > MOST_JOINS) {
      throw Reject.of(
          RejectionCode.TOO_COMPLEX,
          "The query joins more than " + MOST_JOINS + " tables.",
          "Join fewer tables.",
          node);
    }
    From start = item(first, ctes, outer);
    if (joins.isEmpty()) {
      return start;
    }
    JoinChain chain = new JoinChain(start, ctes, outer, binder);
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

  private From item(SqlNode node, Ctes ctes, Optional<Scope> outer) {
    return switch (node.getKind()) {
      case AS -> named((SqlCall) node, ctes, outer);
      case IDENTIFIER -> {
        SqlIdentifier name = (SqlIdentifier) node;
        yield table(name, name.names.get(name.names.size() - 1), ctes);
      }
      case TABLE_REF -> item(((SqlCall) node).operand(0), ctes, outer);
      case JOIN -> bind(node, ctes, outer);
      case LATERAL -> {
        Queries.Derived derived =
            binder.queries.derived(((SqlCall) node).operand(0), ctes, outer, true);
        yield new From(
            derived.tree(), List.of(new Source("", derived.fields())), derived.lateral());
      }
      case SELECT, UNION, INTERSECT, EXCEPT, WITH, ORDER_BY, VALUES ->
          derived(node, "", ctes, outer);
      case COLLECTION_TABLE -> {
        Relation rows = Series.bind(((SqlCall) node).operand(0), ctes, binder);
        FromTree tree = new FromTree.Leaf(rows, Reject.at(node));
        yield new From(tree, List.of(new Source("", fieldsOf(rows))));
      }
      case UNNEST -> {
        Relation rows = Series.unnested((SqlCall) node, ctes, binder);
        FromTree tree = new FromTree.Leaf(rows, Reject.at(node));
        yield new From(tree, List.of(new Source("", fieldsOf(rows))));
      }
      case TABLESAMPLE ->
          throw Reject.unsupported(
              "TABLESAMPLE", "Leave it out: answers are computed on all rows.", node);
      default ->
          throw Reject.unsupported(
              node.getKind().toString().replace('_', ' ') + " in FROM",
              "Name a table, or a subquery in brackets.",
              node);
    };
  }

  /** item AS alias (columns). */
  private From named(SqlCall as, Ctes ctes, Optional<Scope> outer) {
    SqlNode node = as.operand(0);
    String alias = ((SqlIdentifier) as.operand(1)).getSimple();
    From from =
        node instanceof SqlIdentifier name ? table(name, alias, ctes) : item(node, ctes, outer);
    List<Source.Field> fields = new ArrayList<>();
    for (Source source : from.sources()) {
      for (Source.Field field : source.fields()) {
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
      fields.set(0, new Source.Field(alias, fields.getFirst().expr(), false));
    }
    if (given > fields.size()) {
      throw Reject.of(
          RejectionCode.UNKNOWN_COLUMN,
          "'" + alias + "' has " + fields.size() + " columns, not " + given + ".",
          "Name as many columns as there are.",
          as);
    }
    for (int i = 0; i < given; i++) {
      String column = ((SqlIdentifier) as.operand(i + 2)).getSimple();
      fields.set(i, new Source.Field(column, fields.get(i).expr(), false));
    }
    return new From(from.tree(), List.of(new Source(alias, fields)), from.lateral());
  }

  private From table(SqlIdentifier name, String alias, Ctes ctes) {
    Optional<Ctes> cte = ctes.find(name);
    if (cte.isPresent()) {
      return common(cte.get(), alias, name);
    }
    if (isDual(name) && !binder.tables.has(name)) {
      Relation one = new Relation.Values(List.of(), List.of(List.of()));
      return new From(
          new FromTree.Leaf(one, Reject.at(name)), List.of(new Source(alias, List.of())));
    }
    Table table = binder.tables.resolve(name);
    Position at = Reject.at(name);
    List<Column> columns = new ArrayList<>(table.columns().size());
    List<Source.Field> fields = new ArrayList<>(table.columns().size());
    for (ColumnSpec spec : table.columns()) {
      Column column = binder.ids.column(spec.name(), spec.type(), spec.nullable());
      columns.add(column);
      fields.add(new Source.Field(spec.name(), column.ref(), false));
    }
    FromTree tree = new FromTree.Leaf(new Relation.Scan(table, columns, at), at);
    return new From(tree, List.of(new Source(alias, fields)));
  }

  /** The table of one row that some databases want where there is nothing to read from. */
  private static boolean isDual(SqlIdentifier name) {
    return name.isSimple() && name.getSimple().equalsIgnoreCase("dual");
  }

  /** A common table expression: its text bound anew. */
  private From common(Ctes cte, String alias, SqlIdentifier at) {
    SqlWithItem item = cte.item();
    From from = derived(item.query, alias, cte.within(), Optional.empty());
    if (item.columnList == null) {
      return from;
    }
    List<Source.Field> fields = from.sources().get(0).fields();
    if (item.columnList.size() > fields.size()) {
      throw Reject.of(
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
    List<Source.Field> renamed = new ArrayList<>(fields);
    for (int i = 0; i < item.columnList.size(); i++) {
      String name = ((SqlIdentifier) item.columnList.get(i)).getSimple();
      renamed.set(i, new Source.Field(name, fields.get(i).expr(), false));
    }
    return new From(from.tree(), List.of(new Source(alias, renamed)));
  }

  private From derived(SqlNode query, String alias, Ctes ctes, Optional<Scope> outer) {
    Queries.Derived derived = binder.queries.derived(query, ctes, outer, false);
    return new From(derived.tree(), List.of(new Source(alias, derived.fields())));
  }

  static List<Source.Field> fieldsOf(Relation relation) {
    List<Source.Field> fields = new ArrayList<>();
    for (Column column : relation.columns()) {
      fields.add(new Source.Field(column.name(), column.ref(), false));
    }
    return fields;
  }
}
