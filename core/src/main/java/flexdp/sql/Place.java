package flexdp.sql;

import java.util.Optional;
import org.apache.calcite.sql.SqlNode;

/**
 * Where an expression stands: what its names mean and what it may contain.
 *
 * @param clause for messages: WHERE, ON, GROUP BY ...
 * @param sink takes the subqueries
 * @param aggregation takes the aggregate functions, where they are allowed
 * @param windows takes the window functions, where they are allowed
 * @param aliases names of the select list, where they may be used
 * @param mayCorrelate whether columns of the query around may be read
 */
record Place(
    Scope scope,
    Ctes ctes,
    String clause,
    Sink sink,
    Optional<Aggregation> aggregation,
    Optional<Windows> windows,
    Optional<Aliases> aliases,
    boolean mayCorrelate) {

  /** Finds what an alias of the select list stands for; null when there is none. */
  interface Aliases {
    SqlNode find(String name);
  }

  static Place of(Scope scope, Ctes ctes, String clause, Sink sink) {
    return new Place(
        scope, ctes, clause, sink, Optional.empty(), Optional.empty(), Optional.empty(), false);
  }

  Place correlating() {
    return new Place(scope, ctes, clause, sink, aggregation, windows, aliases, true);
  }

  Place aggregating(Aggregation into) {
    return new Place(scope, ctes, clause, sink, Optional.of(into), windows, aliases, mayCorrelate);
  }

  Place windowing(Windows into) {
    return new Place(
        scope, ctes, clause, sink, aggregation, Optional.of(into), aliases, mayCorrelate);
  }

  Place into(Sink other, String newClause) {
    return new Place(scope, ctes, newClause, other, aggregation, windows, aliases, mayCorrelate);
  }

  Place withoutWindows() {
    return new Place(
        scope, ctes, clause, sink, aggregation, Optional.empty(), aliases, mayCorrelate);
  }

  Place knowing(Aliases names) {
    return new Place(
        scope, ctes, clause, sink, aggregation, windows, Optional.of(names), mayCorrelate);
  }

  /** The same without aliases, for what an alias stands for. */
  Place withoutAliases() {
    return new Place(
        scope, ctes, clause, sink, aggregation, windows, Optional.empty(), mayCorrelate);
  }

  /** The arguments of an aggregate function: plain rows again. */
  Place insideAggregate(Sink below) {
    return new Place(
        scope,
        ctes,
        "an aggregate function",
        below,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        false);
  }

  /** The arguments of a window function. */
  Place insideWindow() {
    return new Place(
        scope, ctes, "a window function", sink, aggregation, Optional.empty(), aliases, false);
  }
}
