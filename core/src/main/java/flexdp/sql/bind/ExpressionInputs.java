package flexdp.sql.bind;

import flexdp.algebra.Relation;
import flexdp.algebra.Subquery;
import flexdp.failure.Position;
import java.util.ArrayList;
import java.util.List;

/** What the expressions of one place need beside the columns in sight; filled while they bind. */
final class ExpressionInputs {
  /**
   * A subquery that does not depend on the row: its only row is joined to every row.
   *
   * @param always whether it has a row in every database
   */
  record OneRow(Relation relation, boolean always, Position at) {}

  private final List<Subquery> subqueries = new ArrayList<>();
  private final List<OneRow> rows = new ArrayList<>();
  private boolean correlated;

  void add(Subquery subquery) {
    subqueries.add(subquery);
  }

  void add(OneRow row) {
    rows.add(row);
  }

  void correlate() {
    correlated = true;
  }

  List<Subquery> subqueries() {
    return subqueries;
  }

  List<OneRow> rows() {
    return rows;
  }

  /** Whether a column of the query around was read. */
  boolean isCorrelated() {
    return correlated;
  }

  boolean isEmpty() {
    return subqueries.isEmpty() && rows.isEmpty() && !correlated;
  }
}
