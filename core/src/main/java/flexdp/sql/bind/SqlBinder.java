package flexdp.sql.bind;

import flexdp.algebra.Relation;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.policy.InputDialect;
import flexdp.policy.Policy;
import flexdp.sql.function.BindTime;
import flexdp.sql.join.ColumnPruning;
import flexdp.sql.join.ExpansionLimit;
import flexdp.sql.parse.ParsedQuery;
import java.time.LocalDateTime;
import java.util.Optional;
import org.apache.calcite.sql.SqlNode;

/**
 * Makes a relation of a question: its tables and columns are those of the policy, its functions
 * those of the list, and the clock stands still. Whether the relation may be answered is decided
 * later.
 */
public final class SqlBinder {
  private final PolicyTables tables;
  private final LocalDateTime now;
  private final InputDialect dialect;

  public SqlBinder(Policy policy, LocalDateTime now) {
    this.tables = new PolicyTables(policy);
    this.now = now;
    this.dialect = policy.dialect();
  }

  /**
   * What a text asks for.
   *
   * @param relation its columns are the columns of the result, in order
   * @param timeless whether the text means the same at any time
   */
  public record Bound(Relation relation, boolean timeless) {}

  /** The relation that a text asks for; its columns are the columns of the result, in order. */
  public Relation bind(String sql) {
    return bound(sql).relation();
  }

  public Bound bound(String sql) {
    return bound(ParsedQuery.of(sql, dialect));
  }

  /** What a query asks for that was parsed before. */
  public Bound bound(ParsedQuery parsed) {
    SqlNode query = parsed.tree();
    BindTime present = new BindTime(now);
    BindingContext binder = new BindingContext(tables, present, dialect);
    try {
      Relation bound =
          binder.queries.bind(
              query, TableExpressions.NONE, Optional.empty(), QueryBinder.Wanted.RESULT);
      ExpansionLimit.check(bound);
      return new Bound(new ColumnPruning().prune(bound), !present.wasRead());
    } catch (StackOverflowError e) {
      throw Rejection.of(
          RejectionCode.TOO_COMPLEX,
          "The query is nested too deeply.",
          "Split it over common table expressions.");
    }
  }
}
