package flexdp.gateway.hostile;

import flexdp.gateway.hostile.HostileExprs.Name;
import flexdp.gateway.hostile.HostileFrom.Rows;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Random questions, each aimed at a place where values of two kinds meet: joins, set operations,
 * VALUES, labels, partitions, subqueries.
 */
final class HostileSql {
  private final HostileExprs exprs;
  private final HostileFrom froms;
  private final HostileMeetings meetings;
  private final HostileEveryday everyday;
  private final HostileBlocks blocks;
  private final HostileShapes shapes;
  private final HostileConstants constants;

  HostileSql(Random random, List<HostileColumn> columns) {
    this.exprs = new HostileExprs(random);
    this.froms = new HostileFrom(exprs, columns);
    this.meetings = new HostileMeetings(exprs, froms);
    this.everyday = new HostileEveryday(exprs, froms);
    this.blocks = new HostileBlocks(exprs, froms);
    this.shapes = new HostileShapes(exprs, froms);
    this.constants = new HostileConstants(exprs, froms);
  }

  /** What a question is aimed at. */
  enum Aim {
    ROWS,
    LABELS,
    LISTED,
    RAW,
    JOIN,
    CONVERT,
    TWINS,
    DISTINCT,
    WINDOW,
    SUBQUERY,
    SUM,
    NESTED,
    PER_GROUP,
    STATISTIC,
    COMPUTED,
    BLOCKS,
    SETS,
    FIRSTS,
    LOOKED_UP,
    BESIDE,
    WINDOWS,
    CONSTANTS
  }

  String question(Aim aim) {
    froms.begin();
    return switch (aim) {
      case ROWS -> counted(froms.rows(2), 3);
      case LABELS -> labelled();
      case LISTED -> listed();
      case RAW -> raw();
      case CONVERT -> meetings.converted();
      case TWINS -> meetings.twins();
      case JOIN -> counted(froms.joined(), 1);
      case DISTINCT -> distinct();
      case WINDOW -> window();
      case SUBQUERY -> subquery();
      case SUM -> summed();
      case NESTED -> nested();
      case PER_GROUP -> everyday.perGroup();
      case STATISTIC -> everyday.statistic();
      case COMPUTED -> everyday.computedLabels();
      case BLOCKS -> blocks.blocks();
      case SETS -> shapes.sets();
      case FIRSTS -> shapes.firsts();
      case LOOKED_UP -> shapes.lookedUp();
      case BESIDE -> shapes.beside();
      case WINDOWS -> shapes.windows();
      case CONSTANTS -> constants.question();
    };
  }

  /** Questions about the same rows, to be asked together. */
  List<String> together() {
    froms.begin();
    return blocks.together();
  }

  /** Numbers of several kinds beside each other, by labels of the text or of the data. */
  String cells() {
    froms.begin();
    Rows from = exprs.chance(85) ? froms.table(exprs.one("t", "u")) : froms.rows(1);
    List<String> shown = new ArrayList<>();
    int labels = exprs.chance(80) ? 1 : 2;
    for (int i = 0; i < labels; i++) {
      shown.add(cell(from) + " AS g" + i);
    }
    for (int i = 0; i <= exprs.random.nextInt(3); i++) {
      shown.add(number(from) + " AS n" + i);
    }
    return "SELECT "
        + String.join(", ", shown)
        + " FROM "
        + from.sql()
        + froms.where(from)
        + " GROUP BY "
        + (labels == 1 ? "1" : "1, 2");
  }

  private String cell(Rows from) {
    return switch (exprs.random.nextInt(6)) {
      case 0, 1 -> exprs.one(from.scope()).sql();
      case 2 -> everyday.label(from);
      default ->
          "CASE WHEN "
              + exprs.condition(from.scope(), 1)
              + " THEN 1 WHEN "
              + exprs.condition(from.scope(), 1)
              + " THEN 2 WHEN "
              + exprs.condition(from.scope(), 0)
              + " THEN 3 ELSE 4 END";
    };
  }

  private String number(Rows from) {
    return switch (exprs.random.nextInt(9)) {
      case 0 -> "COUNT(*) FILTER (WHERE " + exprs.condition(from.scope(), 1) + ")";
      case 1 -> "COUNT(" + exprs.one(from.scope()).sql() + ")";
      case 2, 3 -> "SUM(" + everyday.clamped(from) + ")";
      case 4 -> exprs.one("AVG(", "AVG(", "STDDEV_POP(", "MEDIAN(") + everyday.clamped(from) + ")";
      case 5 -> "COUNT(DISTINCT " + from.scope().getFirst().sql() + ")";
      default -> "COUNT(*)";
    };
  }

  /** Sums and their kin of values that nothing bounds. */
  String unbounded() {
    froms.begin();
    Rows from = exprs.chance(70) ? froms.rows(1) : froms.joined();
    String filter =
        exprs.chance(20) ? " FILTER (WHERE " + exprs.condition(from.scope(), 1) + ")" : "";
    String call = unbounded(from) + filter + " AS n";
    if (exprs.chance(25)) {
      call += ", " + unbounded(from) + " AS m";
    }
    boolean labelled = exprs.chance(35);
    return "SELECT "
        + (labelled ? "CASE WHEN " + exprs.condition(from.scope(), 1) + " THEN 1 END AS g, " : "")
        + call
        + " FROM "
        + from.sql()
        + froms.where(from)
        + (labelled ? " GROUP BY 1" : "");
  }

  private String unbounded(Rows from) {
    List<Name> numbers = from.scope().stream().filter(n -> n.family().isNumber()).toList();
    return exprs.one(
            "SUM(", "SUM(", "SUM(DISTINCT ", "AVG(", "MIN(", "MAX(", "MEDIAN(", "STDDEV_POP(")
        + (exprs.chance(60) && !numbers.isEmpty()
            ? exprs.one(numbers).sql()
            : exprs.of(
                from.scope(),
                exprs.one(Family.INT, Family.DEC, Family.DBL),
                1 + exprs.random.nextInt(2)))
        + ")";
  }

  private String counted(Rows from, int depth) {
    return "SELECT "
        + exprs.one("COUNT(*)", "COUNT(*)", "COUNT(" + exprs.one(from.scope()).sql() + ")")
        + " AS n FROM "
        + from.sql()
        + (exprs.chance(depth > 1 ? 80 : 12)
            ? " WHERE " + exprs.condition(from.scope(), depth)
            : "");
  }

  private String grouped(String label, Rows from) {
    return "SELECT "
        + label
        + " AS g, COUNT(*) AS n FROM "
        + from.sql()
        + (exprs.chance(50) ? " WHERE " + exprs.condition(from.scope(), 1) : "")
        + " GROUP BY 1";
  }

  /** Labels that are known from the text, of every family. */
  private String labelled() {
    Rows from = froms.rows(1);
    Family family = exprs.chance(20) ? Family.SPAN : exprs.family();
    String label =
        "CASE WHEN "
            + exprs.condition(from.scope(), 1)
            + " THEN "
            + exprs.constant(family)
            + " ELSE "
            + exprs.constant(exprs.chance(70) ? family : exprs.beside(family))
            + " END";
    label =
        switch (exprs.random.nextInt(6)) {
          case 0 -> "CAST(" + label + " AS " + exprs.one(exprs.family().types()) + ")";
          case 1 -> "COALESCE(" + label + ", " + exprs.constant(exprs.beside(family)) + ")";
          case 2 -> exprs.of(from.scope(), exprs.one(Family.BOOL, Family.INT), 1);
          case 3 -> exprs.one(from.scope()).sql();
          default -> label;
        };
    return grouped(label, from);
  }

  /** Labels that a condition lists. */
  private String listed() {
    Rows from = froms.rows(1);
    Family family = exprs.chance(15) ? Family.SPAN : exprs.family();
    String key =
        exprs.chance(40)
            ? "CAST(CASE WHEN "
                + exprs.condition(from.scope(), 1)
                + " THEN "
                + exprs.constant(Family.TEXT)
                + " ELSE "
                + exprs.constant(Family.TEXT)
                + " END AS "
                + (family.types().isEmpty() ? "VARCHAR" : exprs.one(family.types()))
                + ")"
            : exprs.of(from.scope(), family, 2);
    String list = exprs.constant(family) + ", " + exprs.constant(exprs.beside(family));
    return "SELECT z.g AS g, COUNT(*) AS n FROM (SELECT "
        + key
        + " AS g FROM "
        + from.sql()
        + ") z WHERE z.g IN ("
        + list
        + ") GROUP BY z.g";
  }

  /** Labels that thresholding takes from the data. */
  private String raw() {
    Rows from = froms.rows(1);
    Family family = exprs.chance(15) ? Family.SPAN : exprs.family();
    return grouped(
        exprs.chance(50) ? exprs.one(from.scope()).sql() : exprs.of(from.scope(), family, 2), from);
  }

  private String distinct() {
    Rows from = exprs.chance(50) ? froms.joined() : froms.rows(1);
    Name name = exprs.one(from.scope());
    String value =
        exprs.chance(30)
            ? name.sql()
            : exprs.of(List.of(name), exprs.one(Family.TEXT, name.family(), exprs.family()), 2);
    String where =
        exprs.chance(50)
            ? ""
            : " WHERE "
                + name.sql()
                + exprs.one(" = ", " IS NOT DISTINCT FROM ")
                + exprs.constant(exprs.beside(name.family()));
    return exprs.chance(50)
        ? "SELECT COUNT(DISTINCT " + value + ") AS n FROM " + from.sql() + where
        : "SELECT COUNT(*) AS n FROM (SELECT DISTINCT "
            + value
            + " AS c0, "
            + exprs.one(from.scope()).sql()
            + " AS c1 FROM "
            + from.sql()
            + where
            + ") z";
  }

  private String window() {
    Rows from = exprs.chance(60) ? froms.table(exprs.one("t", "u")) : froms.rows(1);
    Family family = exprs.family();
    String value = exprs.of(from.scope(), family, 1);
    String order =
        " ORDER BY "
            + exprs.leaf(from.scope(), exprs.family())
            + exprs.one("", " DESC", " NULLS FIRST")
            + ", "
            + from.scope().get(0).sql();
    String partition =
        exprs.chance(70)
            ? exprs.one(from.scope()).sql()
            : exprs.of(from.scope(), exprs.family(), 1);
    Family result = family;
    String call =
        switch (exprs.random.nextInt(6)) {
          case 0 ->
              "LAG(" + value + ", 1, " + exprs.of(from.scope(), exprs.beside(family), 1) + ")";
          case 1 -> "LEAD(" + value + ")";
          case 2 -> "FIRST_VALUE(" + value + ")";
          case 3 -> exprs.one("MIN(", "MAX(") + value + ")";
          case 4 -> {
            result = Family.INT;
            yield exprs.one("ROW_NUMBER()", "RANK()", "DENSE_RANK()", "NTILE(3)", "COUNT(*)");
          }
          default -> {
            result = Family.DBL;
            yield exprs.one("SUM(", "AVG(", "STDDEV_SAMP(") + exprs.number(from.scope(), 1) + ")";
          }
        };
    Rows z =
        HostileFrom.derived(
            "SELECT "
                + call
                + " OVER (PARTITION BY "
                + partition
                + order
                + ") AS c0, "
                + exprs.one(from.scope()).sql()
                + " AS c1 FROM "
                + from.sql(),
            froms.alias(),
            List.of(result, Family.OPAQUE));
    return "SELECT COUNT(*) AS n FROM "
        + z.sql()
        + " WHERE "
        + exprs.condition(List.of(z.scope().get(0)), 1);
  }

  private String subquery() {
    Rows outer = exprs.chance(70) ? froms.table("t") : froms.rows(1);
    Rows inner = exprs.chance(60) ? froms.table("u") : froms.rows(1);
    Name mine = exprs.one(outer.scope());
    List<Name> partners =
        inner.scope().stream().filter(n -> n.family().meets(mine.family())).toList();
    Name yours = partners.isEmpty() ? exprs.one(inner.scope()) : exprs.one(partners);
    String condition =
        switch (exprs.random.nextInt(5)) {
          case 0 ->
              mine.sql()
                  + " IN (SELECT "
                  + yours.sql()
                  + " FROM "
                  + inner.sql()
                  + froms.where(inner)
                  + ")";
          case 1 -> mine.sql() + " NOT IN (SELECT " + yours.sql() + " FROM " + inner.sql() + ")";
          case 2 ->
              "(SELECT COUNT(*) FROM "
                  + inner.sql()
                  + " WHERE "
                  + yours.sql()
                  + " = "
                  + mine.sql()
                  + ") > 0";
          default ->
              exprs.one("", "NOT ")
                  + "EXISTS (SELECT 1 FROM "
                  + inner.sql()
                  + " WHERE "
                  + yours.sql()
                  + exprs.one(" = ", " IS NOT DISTINCT FROM ")
                  + mine.sql()
                  + ")";
        };
    return "SELECT COUNT(*) AS n FROM "
        + outer.sql()
        + " WHERE "
        + condition
        + (exprs.chance(30) ? " AND " + exprs.condition(outer.scope(), 1) : "");
  }

  private String summed() {
    Rows from = froms.rows(1);
    String value = exprs.number(from.scope(), 2);
    String clamped =
        exprs.chance(30)
            ? value
            : "LEAST(GREATEST("
                + value
                + ", "
                + exprs.one("-5", "0", "-1.5", "-1e3")
                + "), "
                + exprs.one("5", "7.25", "1e3", "100")
                + ")";
    return "SELECT "
        + exprs.one("SUM", "SUM", "AVG", "MEDIAN", "STDDEV_POP")
        + "("
        + clamped
        + ") AS n FROM "
        + from.sql()
        + froms.where(from);
  }

  private String nested() {
    Rows from = exprs.chance(50) ? froms.table("t") : froms.rows(1);
    String key =
        exprs.chance(60)
            ? exprs.one(from.scope()).sql()
            : exprs.of(from.scope(), exprs.family(), 1);
    Family family = exprs.family();
    String aggregate =
        exprs.one(
            "COUNT(*)",
            "MAX(" + exprs.of(from.scope(), family, 1) + ")",
            "MIN(" + exprs.of(from.scope(), family, 1) + ")",
            "SUM(" + exprs.number(from.scope(), 1) + ")",
            "COUNT(DISTINCT " + exprs.of(from.scope(), family, 1) + ")");
    boolean chosen = aggregate.startsWith("M");
    Rows z =
        HostileFrom.derived(
            "SELECT "
                + aggregate
                + " AS c0, "
                + key
                + " AS c1 FROM "
                + from.sql()
                + froms.where(from)
                + " GROUP BY 2",
            froms.alias(),
            List.of(chosen ? family : Family.INT, Family.OPAQUE));
    return "SELECT COUNT(*) AS n FROM "
        + z.sql()
        + " WHERE "
        + exprs.condition(List.of(z.scope().get(0)), 1);
  }
}
