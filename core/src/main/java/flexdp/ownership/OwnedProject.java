package flexdp.ownership;

import flexdp.algebra.Column;
import flexdp.algebra.Relation;
import flexdp.algebra.Relation.Project.Output;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * O-PROJECT: each row becomes one row; its owner travels along. A column that is passed on as it is
 * keeps its tag.
 */
final class OwnedProject {
  private OwnedProject() {}

  static OwnedRelation of(OwnedRelations rules, Relation.Project project) {
    OwnedRelation input = rules.part(project.input());
    if (input.owned().isEmpty()) {
      return OwnedRelation.nobodys(new Relation.Project(input.relation(), project.outputs()));
    }
    RelationOwner below = input.owned().get();
    Map<Integer, OwnerDeterminant> tags = new HashMap<>();
    Map<Integer, SameOwner> kinships = new HashMap<>();
    for (Output output : project.outputs()) {
      RelationOwner.column(output.expr())
          .map(below.tags()::get)
          .ifPresent(determinant -> tags.put(output.column().id(), determinant));
      RelationOwner.column(output.expr())
          .map(below.kinships()::get)
          .ifPresent(sameOwner -> kinships.put(output.column().id(), sameOwner));
    }
    List<Output> outputs = new ArrayList<>(project.outputs());
    Column owner = carried(outputs, below.owner());
    return OwnedRelation.of(
        new Relation.Project(input.relation(), outputs), new RelationOwner(owner, tags, kinships));
  }

  /** The owner among the outputs, or beside them. */
  private static Column carried(List<Output> outputs, Column owner) {
    for (Output output : outputs) {
      if (RelationOwner.column(output.expr()).filter(id -> id == owner.id()).isPresent()) {
        return output.column();
      }
    }
    outputs.add(new Output(owner, owner.ref()));
    return owner;
  }
}
