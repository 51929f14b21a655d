package flexdp.cut;

import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.Fresh;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.policy.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The rows of a place whose measurements are drawn at several release points: side by side, joined
 * by their labels. All of them have the same labels, each once.
 */
final class SharedRows {
  /** Columns of the place, and of the release point that has them. */
  record Part(int release, Map<Integer, Integer> of) {}

  private SharedRows() {}

  static Relation of(List<Column> columns, List<Integer> keys, List<Part> parts, Fresh fresh) {
    Part first = parts.getFirst();
    Relation all = released(first, columns.stream().filter(c -> has(first, c)).toList());
    for (Part part : parts.subList(1, parts.size())) {
      List<Column> there = new ArrayList<>();
      List<Integer> of = new ArrayList<>();
      Expr condition = new Expr.Literal(true, Type.BOOLEAN);
      for (Column column : columns) {
        boolean isKey = keys.contains(column.id());
        if (!has(part, column) || !isKey && all.columns().contains(column)) {
          continue;
        }
        Column named =
            isKey ? fresh.column(column.name(), column.type(), column.nullable()) : column;
        there.add(named);
        of.add(part.of().get(column.id()));
        if (isKey) {
          Expr same = Exprs.call(Function.IS_NOT_DISTINCT, Type.BOOLEAN, column.ref(), named.ref());
          condition =
              condition instanceof Expr.Literal
                  ? same
                  : Exprs.call(Function.AND, Type.BOOLEAN, condition, same);
        }
      }
      all =
          new Relation.Join(
              Relation.JoinKind.INNER,
              all,
              new Relation.Released(part.release(), there, of),
              condition,
              flexdp.failure.Position.START);
    }
    return all.columns().equals(columns)
        ? all
        : new Relation.Project(
            all, columns.stream().map(c -> new Relation.Project.Output(c, c.ref())).toList());
  }

  private static boolean has(Part part, Column column) {
    return part.of().containsKey(column.id());
  }

  private static Relation released(Part part, List<Column> columns) {
    return new Relation.Released(
        part.release(), columns, columns.stream().map(c -> part.of().get(c.id())).toList());
  }
}
