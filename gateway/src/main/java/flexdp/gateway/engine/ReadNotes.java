package flexdp.gateway.engine;

import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Column;
import flexdp.algebra.Relation;
import flexdp.gateway.catalog.PhysicalCatalog;
import flexdp.query.DpQuery;
import flexdp.query.NoisyAggregate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Which columns that a question uses are read otherwise than the database itself would, by the
 * types that they are stored in.
 */
final class ReadNotes {
  private ReadNotes() {}

  static List<String> of(DpQuery query, PhysicalCatalog catalog) {
    Set<String> notes = new LinkedHashSet<>();
    for (NoisyAggregate point : query.releases()) {
      Set<Integer> used = used(point);
      AlgebraWalker.visit(
          point.input(),
          r -> {
            if (r instanceof Relation.Scan scan) {
              scan.columns().stream()
                  .filter(column -> used.contains(column.id()))
                  .forEach(column -> note(scan, column, catalog, notes));
            }
          });
    }
    return new ArrayList<>(notes);
  }

  private static void note(
      Relation.Scan scan, Column column, PhysicalCatalog catalog, Set<String> notes) {
    scan.table().columns().stream()
        .filter(spec -> spec.name().equals(column.name()))
        .findFirst()
        .flatMap(spec -> catalog.readAs(scan.table(), spec))
        .ifPresent(how -> notes.add(column.name() + " " + how));
  }

  private static Set<Integer> used(NoisyAggregate point) {
    Set<Integer> used = new HashSet<>();
    point.keys().forEach(key -> used.add(key.id()));
    AlgebraWalker.visit(
        point.input(),
        r -> AlgebraWalker.expressions(r, e -> AlgebraWalker.references(e, used::add)));
    point
        .measurements()
        .forEach(
            m -> {
              m.argument().ifPresent(e -> AlgebraWalker.references(e, used::add));
              m.filter().ifPresent(e -> AlgebraWalker.references(e, used::add));
            });
    return used;
  }
}
