package flexdp.sql.habit;

import org.apache.calcite.sql.SqlSelect;

/** A select as it is bound: itself, or another that means the same and has a rule. */
public final class Rewording {
  private Rewording() {}

  /**
   * @param one whether only the first of its rows is wanted
   */
  public static SqlSelect of(SqlSelect select, boolean one) {
    return WholeWindows.rewritten(AgainstAll.rewritten(Existence.rewritten(select)), one);
  }
}
