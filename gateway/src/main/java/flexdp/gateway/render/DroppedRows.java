package flexdp.gateway.render;

import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Relation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The first rows of each owner in the order of a hash, where the database names its rows: all but
 * those that come after them. These are few, for few owners have more rows than are read, and they
 * are found once however often a statement reads the table. What is left reads like the table
 * itself, so the database knows how many rows to expect of it.
 *
 * <p>A row is named together with the parents on its path, so that it is one row of one owner even
 * where a key that was promised to be unique is not.
 */
final class DroppedRows {
  private final Relations relations;
  private final Scans scans;
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
      Relations relations,
      Scans scans,
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
            + Relations.where(number + " > " + top.count()));
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
        + Relations.where(row + " NOT IN (SELECT " + list + " FROM " + late + ")");
  }

  private String rows() {
    Map<String, String> extra = new LinkedHashMap<>();
    names.forEach(name -> extra.put(name, name));
    String rows = relations.project((Relation.Project) top.input(), extra);
    return "(" + rows + ") AS " + relations.fresh("t");
  }
}
