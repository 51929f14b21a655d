package flexdp.gateway.hostile;

import flexdp.gateway.hostile.HostileExprs.Name;
import flexdp.gateway.hostile.HostileFrom.Rows;
import java.util.List;

/** Questions in which values meet that are equal in one sense and different in another. */
final class HostileMeetings {
  private final HostileExprs exprs;
  private final HostileFrom froms;

  HostileMeetings(HostileExprs exprs, HostileFrom froms) {
    this.exprs = exprs;
    this.froms = froms;
  }

  /** Values of one type meet values of another, and nothing else happens. */
  String converted() {
    Rows t = froms.table("t");
    Rows u = froms.table("u");
    Name mine = exprs.one(t.scope());
    String equal = exprs.one(" = ", " = ", " IS NOT DISTINCT FROM ");
    if (exprs.chance(20)) {
      Name yours = froms.partner(mine, u);
      return "SELECT COUNT(*) AS n FROM t q0 JOIN u q1 ON " + mine.sql() + equal + yours.sql();
    }
    Rows left = exprs.chance(20) ? froms.values() : null;
    if (left == null) {
      Family other = mine.family() == Family.OPAQUE ? Family.OPAQUE : exprs.beside(mine.family());
      String added =
          exprs.chance(60)
              ? exprs.constant(other)
              : exprs.leaf(u.scope(), other) + " FROM " + u.sql();
      left =
          HostileFrom.derived(
              "SELECT "
                  + mine.sql()
                  + " AS c0 FROM t q0 "
                  + exprs.one("UNION ALL", "UNION ALL", "UNION", "EXCEPT ALL", "EXCEPT")
                  + " SELECT "
                  + added,
              froms.alias(),
              List.of(mine.family()));
    }
    Name key = left.scope().get(0);
    if (exprs.chance(20)) {
      return "SELECT COUNT(*) AS n FROM (SELECT COUNT(*) OVER (PARTITION BY "
          + key.sql()
          + ") AS c1 FROM "
          + left.sql()
          + ") z WHERE z.c1 > "
          + exprs.one("1", "100", "200", "210");
    }
    Rows right = froms.table("u");
    Name yours = froms.partner(key, right);
    return "SELECT COUNT(*) AS n FROM "
        + left.sql()
        + " JOIN "
        + right.sql()
        + " ON "
        + key.sql()
        + equal
        + yours.sql();
  }

  /** Something computed from a value, where rules take equal values for the same. */
  String twins() {
    Rows t = froms.table("t");
    Rows u = froms.table("u");
    Name mine = exprs.one(t.scope());
    Name yours = froms.partner(mine, u);
    Name more = exprs.one(t.scope());
    Name theirs = froms.partner(more, u);
    String where =
        exprs.chance(70)
            ? ""
            : " WHERE " + mine.sql() + " = " + exprs.constant(exprs.beside(mine.family()));
    String alone = "t q0" + where;
    String joined =
        "t q0 JOIN u q1 ON "
            + mine.sql()
            + " = "
            + yours.sql()
            + (exprs.chance(50) ? " AND " + more.sql() + " = " + theirs.sql() : "")
            + where;
    String told = told(mine) + (exprs.chance(50) ? " || " + told(more) : "");
    return switch (exprs.random.nextInt(6)) {
      case 0, 1 -> "SELECT COUNT(DISTINCT " + told + ") AS n FROM " + joined;
      case 2 ->
          "SELECT COUNT(*) AS n FROM (SELECT DISTINCT " + told + " AS c0 FROM " + joined + ") z";
      case 3 ->
          "SELECT COUNT(*) AS n FROM (SELECT "
              + told
              + " AS c0, COUNT(*) AS c1 FROM "
              + joined
              + " GROUP BY 1) z WHERE z.c1 > 0";
      case 4 ->
          "SELECT "
              + told(new Name("y.c0", mine.family()))
              + " AS g, COUNT(*) AS n FROM (SELECT DISTINCT "
              + mine.sql()
              + " AS c0 FROM "
              + alone
              + ") y JOIN t q2 ON y.c0 = q2."
              + mine.sql().substring(3)
              + " GROUP BY 1";
      default ->
          "SELECT COUNT(*) AS n FROM (SELECT FIRST_VALUE("
              + told
              + ") OVER (PARTITION BY "
              + mine.sql()
              + " ORDER BY q0.id) AS c0 FROM "
              + joined
              + ") z WHERE z.c0 "
              + exprs.one("LIKE '-%'", "= '0.0'", "<> '-0.0'");
    };
  }

  /** A text that shows what a value is. */
  private String told(Name name) {
    String text = "CAST(" + name.sql() + " AS VARCHAR)";
    return exprs.chance(70)
        ? text
        : exprs.one(
            text + " || ''",
            "CAST(CAST(" + text + " AS DOUBLE) AS VARCHAR)",
            "CAST(COALESCE(" + name.sql() + ", NULL) AS VARCHAR)",
            "CASE WHEN " + text + " LIKE '-%' THEN 'm' ELSE 'p' END",
            "LEFT(" + text + ", 2)");
  }
}
