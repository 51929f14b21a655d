package flexdp.sql.bind;

import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.NullRejection;
import flexdp.algebra.Relation;
import flexdp.algebra.Relation.SetKind;
import flexdp.failure.RejectionCode;
import flexdp.policy.Type;
import flexdp.sql.function.ColumnIdSequence;
import flexdp.sql.function.Rejections;
import flexdp.sql.function.TypeRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSetOperator;

/** UNION, INTERSECT and EXCEPT. */
final class SetOperationBinder {
  private static final int MOST = 300;

  private SetOperationBinder() {}

  static Relation bind(
      SqlCall query, TableExpressions ctes, Optional<Scope> outer, BindingContext binder) {
    List<SqlCall> chain = new ArrayList<>();
    SqlNode first = query;
    while (first instanceof SqlCall call && call.getOperator() instanceof SqlSetOperator) {
      chain.add(call);
      first = call.operand(0);
    }
    if (chain.size() > MOST) {
      throw Rejections.of(
          RejectionCode.TOO_COMPLEX,
          "More than " + MOST + " queries are combined.",
          "Combine fewer of them.",
          query);
    }
    Relation all = binder.queries.bind(first, ctes, outer, QueryBinder.Wanted.ROWS);
    for (int i = chain.size() - 1; i >= 0; i--) {
      SqlCall call = chain.get(i);
      Relation right = binder.queries.bind(call.operand(1), ctes, outer, QueryBinder.Wanted.ROWS);
      all = combine(call, all, right, binder.ids);
    }
    return all;
  }

  private static Relation combine(
      SqlCall call, Relation left, Relation right, ColumnIdSequence ids) {
    List<Column> ours = left.columns();
    List<Column> theirs = right.columns();
    if (ours.size() != theirs.size()) {
      throw Rejections.types(
          "The queries have " + ours.size() + " and " + theirs.size() + " columns.",
          "Select as many columns in each.",
          Rejections.at(call));
    }
    SetKind kind =
        switch (call.getKind()) {
          case UNION -> SetKind.UNION;
          case INTERSECT -> SetKind.INTERSECT;
          default -> SetKind.EXCEPT;
        };
    List<Type> types = new ArrayList<>();
    for (int i = 0; i < ours.size(); i++) {
      Type type = TypeRules.common(ours.get(i).type(), theirs.get(i).type());
      if (type == null) {
        throw Rejections.types(
            "Column "
                + (i + 1)
                + " is a "
                + ours.get(i).type()
                + " in one query and a "
                + theirs.get(i).type()
                + " in the other.",
            "Convert one of them with CAST.",
            Rejections.at(call));
      }
      types.add(type);
    }
    Relation one = converted(left, types, ids);
    Relation two = converted(right, types, ids);
    List<Column> columns = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      Column first = one.columns().get(i);
      boolean nullable =
          switch (kind) {
            case UNION -> first.nullable() || two.columns().get(i).nullable();
            case INTERSECT, EXCEPT -> first.nullable();
          };
      columns.add(ids.column(ours.get(i).name(), types.get(i), nullable));
    }
    boolean all = ((SqlSetOperator) call.getOperator()).isAll();
    return new Relation.SetOperation(kind, all, one, two, columns, Rejections.at(call));
  }

  /** A relation's rows, each column in the type that it has in the result. */
  private static Relation converted(Relation relation, List<Type> types, ColumnIdSequence ids) {
    List<Column> columns = relation.columns();
    List<Relation.Project.Output> outputs = new ArrayList<>();
    boolean fits = true;
    for (int i = 0; i < types.size(); i++) {
      Column column = columns.get(i);
      Expr expr = TypeRules.convert(column.ref(), types.get(i));
      boolean same = column.type().equals(types.get(i));
      fits &= same;
      outputs.add(
          new Relation.Project.Output(
              same
                  ? column
                  : ids.column(
                      column.name(), types.get(i), NullRejection.possible(expr, ids::isNullable)),
              expr));
    }
    return fits ? relation : new Relation.Project(relation, outputs);
  }
}
