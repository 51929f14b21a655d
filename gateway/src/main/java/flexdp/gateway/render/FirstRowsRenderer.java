package flexdp.gateway.render;

import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.algebra.SortKey;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Renders the first rows of each part. What several places of a statement read is found once. */
final class FirstRowsRenderer {
  private final RelationRenderer relations;
  private final ScanRenderer scans;
  private final Map<Relation.TopRows, DroppedRows> dropped = new IdentityHashMap<>();
  private final Map<String, String> shared = new LinkedHashMap<>();

  FirstRowsRenderer(RelationRenderer relations, ScanRenderer scans) {
    this.relations = relations;
    this.scans = scans;
  }

  String select(Relation.TopRows top) {
    if (!FirstOfHash.is(top)) {
      return ranked(top);
    }
    Optional<List<Relation.Scan>> tables =
        DroppedRows.tables(top).filter(all -> all.stream().allMatch(scans::namesRows));
    if (tables.isEmpty()) {
      return new FirstOfHash(relations, top).sql();
    }
    DroppedRows rows = dropped.get(top);
    if (rows == null) {
      List<String> names = tables.get().stream().map(t -> relations.fresh("r")).toList();
      for (int i = 0; i < names.size(); i++) {
        scans.number(tables.get().get(i), names.get(i));
      }
      rows = new DroppedRows(relations, scans, top, tables.get(), names);
      shared.putAll(rows.found());
      dropped.put(top, rows);
    }
    return rows.others();
  }

  /** What stands before a statement, with a space behind it. */
  String with() {
    return shared.isEmpty()
        ? ""
        : shared.entrySet().stream()
            .map(e -> e.getKey() + " AS (" + e.getValue() + ")")
            .collect(Collectors.joining(", ", "WITH ", " "));
  }

  private String ranked(Relation.TopRows top) {
    if (top.also().isEmpty() && isHashed(top)) {
      return rankedOnceHashed(top);
    }
    Map<String, String> extra = new LinkedHashMap<>();
    List<String> conditions = new ArrayList<>();
    for (Relation.TopRows.Rank rank : top.ranks()) {
      String number = relations.fresh("n");
      String over = relations.over(rank.partition(), top.order());
      extra.put(number, "ROW_NUMBER() OVER (" + over + ")");
      conditions.add(among(number + " <= " + rank.count(), rank, top.nullsStay()));
    }
    String numbered = relations.plain(top.columns(), relations.from(top.input()), extra);
    return relations.plain(top.columns(), "(" + numbered + ") AS " + relations.fresh("t"))
        + RelationRenderer.where(String.join(" AND ", conditions));
  }

  private static boolean isHashed(Relation.TopRows top) {
    return !top.order().isEmpty()
        && top.order().getFirst().expr() instanceof Expr.Call call
        && call.function() == Function.HASH;
  }

  /**
   * The first rows in the order of a hash, which costs more than all the rest: nobody's who has no
   * more rows than are read is computed, for all of these stay, in whatever order.
   */
  private String rankedOnceHashed(Relation.TopRows top) {
    String many = relations.fresh("m");
    String number = relations.fresh("n");
    String part = relations.over(top.partition(), List.of());
    String counted =
        relations.plain(
            top.columns(),
            relations.from(top.input()),
            Map.of(many, "COUNT(*) OVER (" + part + ")"));
    SortKey hash = top.order().getFirst();
    String then = relations.over(List.of(), top.order().subList(1, top.order().size()));
    String over =
        part
            + " ORDER BY CASE WHEN "
            + many
            + " > "
            + top.count()
            + " THEN "
            + relations.expressions().sql(hash.expr())
            + " END"
            + then.replaceFirst("^ORDER BY ", ", ");
    String numbered =
        relations.plain(
            top.columns(),
            "(" + counted + ") AS " + relations.fresh("t"),
            Map.of(number, "ROW_NUMBER() OVER (" + over + ")"));
    Relation.TopRows.Rank rank = top.ranks().getFirst();
    return relations.plain(top.columns(), "(" + numbered + ") AS " + relations.fresh("t"))
        + RelationRenderer.where(among(number + " <= " + top.count(), rank, top.nullsStay()));
  }

  private String among(String first, Relation.TopRows.Rank rank, boolean nullsStay) {
    List<String> any = new ArrayList<>(List.of(first));
    if (nullsStay) {
      rank.partition().forEach(e -> any.add(relations.expressions().sql(e) + " IS NULL"));
    }
    return any.size() == 1 ? first : "(" + String.join(" OR ", any) + ")";
  }

  /**
   * The first rows of each owner in the order of a hash, where the database names its rows: all but
   * those that come after them. These are few, for few owners have more rows than are read, and
   * they are found once however often a statement reads the table. What is left reads like the
   * table itself, so the database knows how many rows to expect of it.
   *
   * <p>A row is named together with the parents on its path, so that it is one row of one owner
   * even where a key that was promised to be unique is not.
   */
  private static final class DroppedRows {
    private final RelationRenderer relations;
    private final ScanRenderer scans;
    private final Relation.TopRows top;
    private final List<Relation.Scan> tables;
    private final List<String> names;
    private final String owner;
    private final String heavy;
    private final String who;
    private final String late;

    /**
     * @param tables that are joined
     * @param names of their rows, one for each table, beside its columns
     */
    DroppedRows(
        RelationRenderer relations,
        ScanRenderer scans,
        Relation.TopRows top,
        List<Relation.Scan> tables,
        List<String> names) {
      this.relations = relations;
      this.scans = scans;
      this.tables = List.copyOf(tables);
      this.top = top;
      this.names = List.copyOf(names);
      this.owner = relations.expressions().sql(top.partition().getFirst());
      this.heavy = relations.fresh("h");
      this.who = relations.fresh("w");
      this.late = relations.fresh("w");
    }

    /** The table that is cut, and the parents that are joined to it; nothing if there is more. */
    static Optional<List<Relation.Scan>> tables(Relation.TopRows top) {
      return top.input() instanceof Relation.Project project
              && project.input() instanceof Relation.Filter filter
          ? joined(filter.input())
          : Optional.empty();
    }

    private static Optional<List<Relation.Scan>> joined(Relation relation) {
      if (relation instanceof Relation.Scan scan) {
        return Optional.of(List.of(scan));
      }
      if (relation instanceof Relation.Join join && join.kind() == Relation.JoinKind.INNER) {
        return joined(join.left())
            .flatMap(
                left ->
                    joined(join.right())
                        .map(right -> Stream.concat(left.stream(), right.stream()).toList()));
      }
      return Optional.empty();
    }

    /**
     * Who has more rows than are read, and which of them come late: both by a name. Rows of the
     * others are left out where their owner is read, before anything is joined.
     */
    Map<String, String> found() {
      Map<String, String> found = new LinkedHashMap<>();
      String by = " GROUP BY " + owner + " HAVING COUNT(*) > " + top.count();
      found.put(who, "SELECT " + owner + " AS " + heavy + " FROM " + rows() + by);
      String number = relations.fresh("n");
      Map<String, String> read = new LinkedHashMap<>();
      names.forEach(name -> read.put(name, name));
      read.put(number, "ROW_NUMBER() OVER (" + relations.over(top.partition(), top.order()) + ")");
      int named = ownerBelow();
      Relation.Scan holder =
          tables.stream()
              .filter(t -> t.columns().stream().anyMatch(c -> c.id() == named))
              .findFirst()
              .orElseThrow();
      String isHeavy = ExprRenderer.name(named) + " IN (SELECT " + heavy + " FROM " + who + ")";
      String theirs = scans.narrowed(holder, isHeavy, this::rows);
      found.put(
          late,
          "SELECT "
              + String.join(", ", names)
              + " FROM ("
              + relations.plain(List.of(), theirs, read)
              + ") AS "
              + relations.fresh("t")
              + RelationRenderer.where(number + " > " + top.count()));
      return found;
    }

    /** The column of a table that names the owner, by id. */
    private int ownerBelow() {
      Expr.Ref shown = (Expr.Ref) top.partition().getFirst();
      return ((Relation.Project) top.input())
          .outputs().stream()
              .filter(o -> o.column().id() == shown.column())
              .map(o -> ((Expr.Ref) o.expr()).column())
              .findFirst()
              .orElseThrow();
    }

    /** All rows but those that come late. */
    String others() {
      List<Column> columns = relations.shown(top.columns());
      String list = String.join(", ", names);
      String row = names.size() == 1 ? list : "(" + list + ")";
      return relations.plain(columns, rows())
          + RelationRenderer.where(row + " NOT IN (SELECT " + list + " FROM " + late + ")");
    }

    private String rows() {
      Map<String, String> extra = new LinkedHashMap<>();
      names.forEach(name -> extra.put(name, name));
      String rows = relations.project((Relation.Project) top.input(), extra);
      return "(" + rows + ") AS " + relations.fresh("t");
    }
  }

  /**
   * The first rows of each owner in the order of a hash. Most owners have no more rows than are
   * read, and theirs need neither a hash nor an order: rows of light owners as they are, and the
   * first of heavy ones. Of both only those columns are shown that something reads besides the
   * order: the others are not fetched for light owners.
   */
  static final class FirstOfHash {
    private final RelationRenderer relations;
    private final Relation.TopRows top;
    private final String owner;
    private final List<Column> columns;

    FirstOfHash(RelationRenderer relations, Relation.TopRows top) {
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
          && isHashed(top);
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
          + RelationRenderer.where(heavy + " IS NULL")
          + " UNION ALL "
          + relations.plain(columns, "(" + ranked + ") AS " + relations.fresh("t"))
          + RelationRenderer.where(number + " <= " + top.count());
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
}
