package flexdp.sql.bind;

import flexdp.algebra.Relation;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.policy.Policy;
import flexdp.policy.Wording;
import flexdp.sql.function.Present;
import flexdp.sql.join.Pruning;
import flexdp.sql.join.WrittenOut;
import flexdp.sql.text.ParsedQuery;
import java.time.LocalDateTime;
import java.util.Optional;
import org.apache.calcite.sql.SqlNode;

/**
 * Makes a relation of a question: its tables and columns are those of the policy, its functions
 * those of the list, and the clock stands still. Whether the relation may be answered is decided
 * later.
 */
public final class SqlBinder {
  private final Tables tables;
  private final LocalDateTime now;
  private final Wording dialect;

  public SqlBinder(Policy policy, LocalDateTime now) {
    this.tables = new Tables(policy);
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
    Present present = new Present(now);
    Binder binder = new Binder(tables, present, dialect);
    try {
      Relation bound =
          binder.queries.bind(query, Ctes.NONE, Optional.empty(), Queries.Wanted.RESULT);
      WrittenOut.check(bound);
      return new Bound(new Pruning().prune(bound), !present.wasRead());
    } catch (StackOverflowError e) {
      throw Rejection.of(
          RejectionCode.TOO_COMPLEX,
          "The query is nested too deeply.",
          "Split it over common table expressions.");
    }
  }
}
