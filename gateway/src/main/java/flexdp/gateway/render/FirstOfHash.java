package flexdp.gateway.render;

import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import java.util.List;
import java.util.Map;

/**
 * The first rows of each owner in the order of a hash. Most owners have no more rows than are read,
 * and theirs need neither a hash nor an order: rows of light owners as they are, and the first of
 * heavy ones. Of both only those columns are shown that something reads besides the order: the
 * others are not fetched for light owners.
 */
final class FirstOfHash {
  private final Relations relations;
  private final Relation.TopRows top;
  private final String owner;
  private final List<Column> columns;

  FirstOfHash(Relations relations, Relation.TopRows top) {
    this.relations = relations;
    this.top = top;
    this.columns = relations.shown(top.columns());
    this.owner = relations.expressions().sql(top.partition().getFirst());
  }

  /** By one column that is never NULL, so that an equality finds all rows of an owner. */
  static boolean is(Relation.TopRows top) {
    return top.partition().size() == 1
        && top.also().isEmpty()
        && top.partition().getFirst() instanceof Expr.Ref ref
        && top.input() instanceof Relation.Project
        && top.input().columns().stream().anyMatch(c -> c.id() == ref.column() && !c.nullable())
        && !top.order().isEmpty()
        && top.order().getFirst().expr() instanceof Expr.Call call
        && call.function() == Function.HASH;
  }

  /** Who is heavy is found out once and used twice. */
  String sql() {
    String who = relations.fresh("w");
    String heavy = relations.fresh("h");
    String number = relations.fresh("n");
    String found =
        "SELECT "
            + owner
            + " AS "
            + heavy
            + " FROM "
            + relations.from(top.input())
            + " GROUP BY "
            + owner
            + " HAVING COUNT(*) > "
            + top.count();
    String rank = "ROW_NUMBER() OVER (" + relations.over(top.partition(), top.order()) + ")";
    String ranked = relations.plain(columns, joined("INNER", who, heavy), Map.of(number, rank));
    return "WITH "
        + who
        + " AS ("
        + found
        + ") "
        + relations.plain(columns, joined("LEFT", who, heavy))
        + Relations.where(heavy + " IS NULL")
        + " UNION ALL "
        + relations.plain(columns, "(" + ranked + ") AS " + relations.fresh("t"))
        + Relations.where(number + " <= " + top.count());
  }

  /** All rows, beside their owner's name where she has more than are read. */
  private String joined(String kind, String who, String heavy) {
    return relations.from(top.input())
        + " "
        + kind
        + " JOIN "
        + who
        + " ON "
        + heavy
        + " = "
        + owner;
  }
}
