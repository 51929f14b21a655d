package flexdp.decompose;

import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.FreshColumns;
import flexdp.algebra.Relation;
import flexdp.failure.Position;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import flexdp.properties.Lineage;
import flexdp.query.LabelSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Labels that public tables supply: their own columns, what is computed from them, references. */
final class PublicLabels {
  private final Relation input;
  private final List<Column> keys;
  private final Policy policy;
  private final FreshColumns fresh;

  PublicLabels(Relation input, List<Column> keys, Policy policy, FreshColumns fresh) {
    this.input = input;
    this.keys = keys;
    this.policy = policy;
    this.fresh = fresh;
  }

  /** A key computed from columns of one public relation takes its labels from there. */
  Optional<LabelSource> computed(int index, Lineage lineage) {
    if (!(lineage.relation() instanceof Relation.Project project)) {
      return Optional.empty();
    }
    Expr expr = null;
    for (Relation.Project.Output output : project.outputs()) {
      if (output.column().id() == keys.get(index).id()) {
        expr = output.expr();
      }
    }
    Relation source = null;
    boolean padded = lineage.padded();
    for (int id : expr == null ? Set.<Integer>of() : AlgebraWalker.references(expr)) {
      Lineage of = Lineage.of(project.input(), id);
      if (!of.isPublic() || source != null && source != of.relation()) {
        return Optional.empty();
      }
      source = of.relation();
      padded |= of.padded();
    }
    if (source == null) {
      return Optional.empty();
    }
    Column label = fresh.column(keys.get(index).name(), expr.type(), true);
    Relation tuples =
        new Relation.Distinct(
            new Relation.Project(source, List.of(new Relation.Project.Output(label, expr))));
    // Padding turns the columns into NULL before the key is computed, so nothing is padded here.
    return padded
        ? Optional.empty()
        : Optional.of(new LabelSource.FromPublic(List.of(index), tuples, List.of(label), false));
  }

  /** A column that references a unique column of a public table takes its labels from there. */
  Optional<LabelSource> referenced(int index, Lineage lineage) {
    return lineage
        .spec()
        .flatMap(spec -> spec.references())
        .flatMap(
            reference ->
                policy
                    .table(reference.table())
                    .filter(Table::isPublic)
                    .flatMap(table -> table.column(reference.column()).map(c -> table))
                    .map(
                        table -> {
                          List<Column> columns = new ArrayList<>();
                          table
                              .columns()
                              .forEach(
                                  c -> columns.add(fresh.column(c.name(), c.type(), c.nullable())));
                          Relation scan = new Relation.Scan(table, columns, Position.START);
                          Column of =
                              columns.stream()
                                  .filter(c -> c.name().equals(reference.column()))
                                  .findFirst()
                                  .orElseThrow();
                          return distinct(scan, List.of(of), List.of(index), lineage.padded());
                        }));
  }

  /** The distinct rows of one public relation, for the keys that come from it. */
  LabelSource tuples(Relation relation, List<Integer> indexes) {
    List<Column> columns = new ArrayList<>();
    boolean padded = false;
    for (int index : indexes) {
      Lineage lineage = Lineage.of(input, keys.get(index).id());
      columns.add(lineage.column());
      padded |= lineage.padded();
    }
    return distinct(relation, columns, indexes, padded);
  }

  /** Every key of a relation that is public as a whole. */
  LabelSource allOf(Relation relation) {
    List<Integer> indexes = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      indexes.add(i);
    }
    return distinct(relation, keys, indexes, false);
  }

  private static LabelSource distinct(
      Relation relation, List<Column> columns, List<Integer> indexes, boolean orNull) {
    List<Relation.Project.Output> outputs = new ArrayList<>();
    columns.forEach(c -> outputs.add(new Relation.Project.Output(c, c.ref())));
    Relation tuples = new Relation.Distinct(new Relation.Project(relation, outputs));
    return new LabelSource.FromPublic(List.copyOf(indexes), tuples, List.copyOf(columns), orNull);
  }
}
