package flexdp.owned;

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

  static OwnedPart of(OwnedRelations rules, Relation.Project project) {
    OwnedPart input = rules.part(project.input());
    if (input.owned().isEmpty()) {
      return OwnedPart.nobodys(new Relation.Project(input.relation(), project.outputs()));
    }
    Owned below = input.owned().get();
    Map<Integer, Tag> tags = new HashMap<>();
    Map<Integer, Kinship> kinships = new HashMap<>();
    for (Output output : project.outputs()) {
      Owned.column(output.expr())
          .map(below.tags()::get)
          .ifPresent(tag -> tags.put(output.column().id(), tag));
      Owned.column(output.expr())
          .map(below.kinships()::get)
          .ifPresent(kinship -> kinships.put(output.column().id(), kinship));
    }
    List<Output> outputs = new ArrayList<>(project.outputs());
    Column owner = carried(outputs, below.owner());
    return OwnedPart.of(
        new Relation.Project(input.relation(), outputs), new Owned(owner, tags, kinships));
  }

  /** The owner among the outputs, or beside them. */
  private static Column carried(List<Output> outputs, Column owner) {
    for (Output output : outputs) {
      if (Owned.column(output.expr()).filter(id -> id == owner.id()).isPresent()) {
        return output.column();
      }
    }
    outputs.add(new Output(owner, owner.ref()));
    return owner;
  }
}
