package flexdp.sql;

import flexdp.RejectionCode;
import flexdp.algebra.Column;
import flexdp.algebra.Relation;
import flexdp.algebra.Relation.SetKind;
import flexdp.policy.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSetOperator;

/** UNION, INTERSECT and EXCEPT. */
final class SetOperations {
  private static final int MOST = 300;

  private SetOperations() {}

  static Relation bind(SqlCall query, Ctes ctes, Optional<Scope> outer, Binder binder) {
    List<SqlCall> chain = new ArrayList<>();
    SqlNode first = query;
    while (first instanceof SqlCall call && call.getOperator() instanceof SqlSetOperator) {
      chain.add(call);
      first = call.operand(0);
    }
    if (chain.size() > MOST) {
      throw Reject.of(
          RejectionCode.TOO_COMPLEX,
          "More than " + MOST + " queries are combined.",
          "Combine fewer of them.",
          query);
    }
    Relation all = binder.queries.bind(first, ctes, outer, Queries.Wanted.ROWS);
    for (int i = chain.size() - 1; i >= 0; i--) {
      SqlCall call = chain.get(i);
      Relation right = binder.queries.bind(call.operand(1), ctes, outer, Queries.Wanted.ROWS);
      all = combine(call, all, right, binder.ids);
    }
    return all;
  }

  private static Relation combine(SqlCall call, Relation left, Relation right, Ids ids) {
    List<Column> ours = left.columns();
    List<Column> theirs = right.columns();
    if (ours.size() != theirs.size()) {
      throw Reject.types(
          "The queries have " + ours.size() + " and " + theirs.size() + " columns.",
          "Select as many columns in each.",
          Reject.at(call));
    }
    SetKind kind =
        switch (call.getKind()) {
          case UNION -> SetKind.UNION;
          case INTERSECT -> SetKind.INTERSECT;
          default -> SetKind.EXCEPT;
        };
    List<Type> types = new ArrayList<>();
    List<Column> columns = new ArrayList<>();
    for (int i = 0; i < ours.size(); i++) {
      Type type = TypeRules.common(ours.get(i).type(), theirs.get(i).type());
      if (type == null) {
        throw Reject.types(
            "Column "
                + (i + 1)
                + " is a "
                + ours.get(i).type()
                + " in one query and a "
                + theirs.get(i).type()
                + " in the other.",
            "Convert one of them with CAST.",
            Reject.at(call));
      }
      types.add(type);
      boolean nullable =
          switch (kind) {
            case UNION -> ours.get(i).nullable() || theirs.get(i).nullable();
            case INTERSECT, EXCEPT -> ours.get(i).nullable();
          };
      columns.add(ids.column(ours.get(i).name(), type, nullable));
    }
    boolean all = ((SqlSetOperator) call.getOperator()).isAll();
    return new Relation.SetOperation(
        kind, all, typed(left, types, ids), typed(right, types, ids), columns, Reject.at(call));
  }

  /** The same rows, a column of bare NULLs given the type that it has on the other side. */
  private static Relation typed(Relation relation, List<Type> types, Ids ids) {
    List<Column> columns = relation.columns();
    boolean fits = true;
    for (int i = 0; i < types.size(); i++) {
      fits &=
          columns.get(i).type().kind() != Type.Kind.NULL || types.get(i).kind() == Type.Kind.NULL;
    }
    if (fits) {
      return relation;
    }
    List<Relation.Project.Output> outputs = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      Column column = columns.get(i);
      boolean bare = column.type().kind() == Type.Kind.NULL;
      outputs.add(
          bare
              ? new Relation.Project.Output(
                  ids.column(column.name(), types.get(i), true), Exprs.nullOf(types.get(i)))
              : new Relation.Project.Output(column, column.ref()));
    }
    return new Relation.Project(relation, outputs);
  }
}
