package flexdp.question;

import flexdp.algebra.Column;
import flexdp.algebra.Relation;
import java.util.List;

/**
 * A bound query cut at its release points.
 *
 * @param top what is computed from noisy values: a relation whose leaves are {@link
 *     Relation.Released}, {@link Relation.Values} and scans of public tables
 * @param columns what the analyst asked to see, in order
 * @param joins the number of joins, semi joins and anti joins
 */
public record Question(
    Relation top, List<ReleasePoint> releases, List<ResultColumn> columns, int joins) {
  /** A column of the result. */
  public record ResultColumn(Column column, Kind kind, String aggregate) {
    /** What a column shows. */
    public enum Kind {
      KEY,
      AGGREGATE,
      DERIVED,
      CONSTANT
    }
  }

  public Question {
    releases = List.copyOf(releases);
    columns = List.copyOf(columns);
  }
}
