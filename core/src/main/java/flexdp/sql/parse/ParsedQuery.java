package flexdp.sql.parse;

import flexdp.failure.Rejection;
import flexdp.policy.InputDialect;
import org.apache.calcite.sql.SqlNode;

/** One query as the grammar read it, for those who look at it more than once. */
public final class ParsedQuery {
  private final SqlNode tree;

  private ParsedQuery(SqlNode tree) {
    this.tree = tree;
  }

  /** Reads a query; throws {@link Rejection} when it is not one SELECT that we can parse. */
  public static ParsedQuery of(String sql) {
    return of(sql, InputDialect.GENERAL);
  }

  /** Reads a query as a database reads it. */
  public static ParsedQuery of(String sql, InputDialect dialect) {
    return new ParsedQuery(SqlFrontEnd.parse(sql, dialect));
  }

  public SqlNode tree() {
    return tree;
  }
}
