package flexdp.algebra;

import flexdp.failure.Position;
import java.util.ArrayList;
import java.util.List;

/**
 * A subquery that an outer row asks about. Rows of {@code relation} take part when {@code
 * condition} is true, which reads columns of both; everything that reads the subquery alone has
 * been pushed into {@code relation}.
 */
public sealed interface Subquery {
  /** The column by which the outer operator reads the outcome. */
  Column output();

  Relation relation();

  Expr condition();

  Position at();

  /** A relation and those of the subqueries that its rows ask about. */
  static List<Relation> relations(Relation input, List<? extends Subquery> subqueries) {
    List<Relation> all = new ArrayList<>();
    all.add(input);
    subqueries.forEach(s -> all.add(s.relation()));
    return all;
  }

  /** Whether a row takes part; with {@code negated}, whether none does. Never NULL. */
  record Exists(Column output, boolean negated, Relation relation, Expr condition, Position at)
      implements Subquery {
    public Exists {
      NodeChecks.condition(condition);
    }
  }

  /**
   * One value computed from the rows that take part: {@code value} reads the outputs of {@code
   * calls} (and constants).
   */
  record Scalar(
      Column output,
      Relation relation,
      Expr condition,
      List<AggregateCall> calls,
      Expr value,
      Position at)
      implements Subquery {
    public Scalar {
      calls = List.copyOf(calls);
      NodeChecks.condition(condition);
      NodeChecks.held(output, value.type());
    }
  }
}
