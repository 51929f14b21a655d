package flexdp.ownership;

import flexdp.algebra.Column;
import flexdp.algebra.Relation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A relation that shows whose its rows are, where it is owned.
 *
 * @param relation the columns it had, and the owner among them or beside them
 * @param owned absent where rows depend on several people's
 */
record OwnedRelation(Relation relation, Optional<RelationOwner> owned) {
  static OwnedRelation nobodys(Relation relation) {
    return new OwnedRelation(relation, Optional.empty());
  }

  static OwnedRelation of(Relation relation, RelationOwner owned) {
    return new OwnedRelation(relation, Optional.of(owned));
  }

  /** These columns and no others. */
  static Relation only(Relation relation, List<Column> columns) {
    if (relation.columns().size() == columns.size()) {
      return relation;
    }
    List<Relation.Project.Output> outputs = new ArrayList<>();
    columns.forEach(c -> outputs.add(new Relation.Project.Output(c, c.ref())));
    return new Relation.Project(relation, outputs);
  }
}
