package flexdp.sensitivity;

import flexdp.algebra.Relation;

/** The mistake of choosing which rows are kept by looking at everybody's. */
final class OrderOfAll {
  private OrderOfAll() {}

  static Relation in(Relation relation) {
    return switch (relation) {
      case Relation.TopRows top when top.input() instanceof Relation.Project ->
          new Relation.TopRows(
              top.input(), java.util.List.of(), top.order(), 2 * top.count(), top.at());
      case Relation.Project project -> new Relation.Project(in(project.input()), project.outputs());
      case Relation.Filter filter -> new Relation.Filter(in(filter.input()), filter.predicate());
      default -> relation;
    };
  }
}
