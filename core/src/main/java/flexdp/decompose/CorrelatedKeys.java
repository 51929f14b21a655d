package flexdp.decompose;

import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Relation;
import flexdp.compute.ValueOrdering;
import flexdp.properties.Lineage;
import flexdp.query.LabelSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * Keys that are computed from one column of one row, such as year and month, take their labels
 * together: those that some value of the column gives, and not every year with every month. Which
 * values there may be is declared or asked for; no row is looked at.
 */
final class CorrelatedKeys {
  private record Origin(Relation.Project made, int column) {}

  private final Relation input;
  private final List<Column> keys;
  private final ExpressionImage image;
  private final Map<Origin, List<Integer>> groups = new LinkedHashMap<>();

  /**
   * @param some which keys may be taken together with others
   */
  CorrelatedKeys(Relation input, List<Column> keys, ExpressionImage image, IntPredicate some) {
    this.input = input;
    this.keys = keys;
    this.image = image;
    for (int i = 0; i < keys.size(); i++) {
      int key = i;
      if (some.test(i)) {
        origin(keys.get(i))
            .ifPresent(o -> groups.computeIfAbsent(o, ignored -> new ArrayList<>()).add(key));
      }
    }
    // A column that is a key by itself is not made anywhere above its table.
    Set<Integer> bare = new HashSet<>();
    groups.forEach(
        (origin, members) -> {
          for (int i = 0; i < keys.size(); i++) {
            boolean same = keys.get(i).id() == origin.column() && isKept(origin);
            if (same && some.test(i) && bare.add(i)) {
              members.add(i);
            }
          }
          Collections.sort(members);
        });
  }

  private Optional<Origin> origin(Column key) {
    Lineage lineage = Lineage.of(input, key.id());
    if (lineage.isPublic() || !(lineage.relation() instanceof Relation.Project project)) {
      return Optional.empty();
    }
    Set<Integer> read = AlgebraWalker.references(expr(key, project));
    return read.size() == 1
        ? Optional.of(new Origin(project, read.iterator().next()))
        : Optional.empty();
  }

  private static boolean isKept(Origin origin) {
    return origin.made().outputs().stream()
        .anyMatch(
            o ->
                o.column().id() == origin.column()
                    && o.expr() instanceof Expr.Ref ref
                    && ref.column() == origin.column());
  }

  private static Expr expr(Column key, Relation.Project project) {
    return project.outputs().stream()
        .filter(o -> o.column().id() == key.id())
        .findFirst()
        .orElseThrow()
        .expr();
  }

  /** The labels of several keys each. */
  List<LabelSource.Constants> sources() {
    List<LabelSource.Constants> sources = new ArrayList<>();
    groups.forEach(
        (origin, members) -> {
          if (members.size() > 1) {
            labels(origin, members)
                .filter(rows -> isLessThanAll(rows, members.size()))
                .ifPresent(rows -> sources.add(new LabelSource.Constants(members, rows)));
          }
        });
    return sources;
  }

  private Optional<List<List<Object>>> labels(Origin origin, List<Integer> members) {
    Relation below = origin.made().input();
    Column of =
        below.columns().stream().filter(c -> c.id() == origin.column()).findFirst().orElseThrow();
    List<Expr> exprs = members.stream().map(m -> expr(keys.get(m), origin.made())).toList();
    boolean padded =
        members.stream()
            .map(m -> Lineage.of(input, keys.get(m).id()))
            .anyMatch(l -> l.relation() == origin.made() && l.padded());
    return image.together(exprs, of, below).map(rows -> padded ? orNull(rows, members) : rows);
  }

  /** Every hour of every day of the week is what the keys have each by itself. */
  private static boolean isLessThanAll(List<List<Object>> rows, int keys) {
    long product = 1;
    for (int key = 0; key < keys; key++) {
      Set<Object> values = new HashSet<>();
      for (List<Object> row : rows) {
        values.add(ValueOrdering.canonical(row.get(key)));
      }
      product *= values.size();
    }
    return rows.size() < product;
  }

  private static List<List<Object>> orNull(List<List<Object>> rows, List<Integer> members) {
    List<List<Object>> more = new ArrayList<>(rows);
    more.add(Collections.nCopies(members.size(), null));
    return more;
  }
}
