package flexdp.gateway.render;

import flexdp.algebra.Column;
import flexdp.people.clipping.ClipLevels;
import flexdp.release.Reading;
import java.util.ArrayList;
import java.util.List;

/**
 * From a statement about what each owner has, by one owner and by the other, one about how many
 * have how much. Its columns are: the grouping, the keys, the bucket (−1 where there is no owner),
 * how many people, what they have together, and the most that one of them has.
 */
public final class DegreeBuckets {
  private DegreeBuckets() {}

  /**
   * @param each by grouping sets of keys and one owner, with one cell
   */
  public static String sql(
      TargetDialect dialect,
      ReleaseStatement each,
      List<Column> keys,
      List<Column> owners,
      ClipLevels levels) {
    List<String> groups = new ArrayList<>(List.of("g"));
    keys.forEach(k -> groups.add(ExprRenderer.name(k.id())));
    List<String> nobody = new ArrayList<>();
    owners.forEach(o -> nobody.add(ExprRenderer.name(o.id()) + " IS NULL"));
    StringBuilder bucket = new StringBuilder("CASE WHEN " + String.join(" AND ", nobody));
    bucket.append(" THEN -1");
    for (int level = 0; level <= levels.last(); level++) {
      bucket.append(" WHEN x <= ").append(levels.at(level)).append(" THEN ").append(level);
    }
    bucket.append(" ELSE ").append(levels.last() + 1).append(" END");
    List<String> read = new ArrayList<>(groups);
    owners.forEach(o -> read.add(ExprRenderer.name(o.id())));
    read.add(
        WholeCell.sql(dialect, each.cells().getFirst(), Reading.Degrees.MOST_BITS + 1) + " AS x");
    String list = String.join(", ", groups);
    return "SELECT "
        + list
        + ", lev, COUNT(*) AS people, "
        + dialect.total("x", "")
        + " AS s, MAX(x) AS most FROM (SELECT "
        + list
        + ", x, "
        + bucket
        + " AS lev FROM (SELECT "
        + String.join(", ", read)
        + " FROM ("
        + each.sql()
        + ") AS p) AS q) AS v GROUP BY "
        + list
        + ", lev";
  }
}
