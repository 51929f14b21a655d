package flexdp.algebra;

import flexdp.policy.Type;

/**
 * A column of a relation. Ids are unique within one question: two scans of one table have different
 * ids, and an operator that passes a column through keeps its id. Above an outer join the same id
 * reappears with {@code nullable} set.
 */
public record Column(int id, String name, Type type, boolean nullable) {
  public Column {
    NodeChecks.that(id >= 0, "a column without an id");
  }

  public Column asNullable() {
    return nullable ? this : new Column(id, name, type, true);
  }

  public Expr.Ref ref() {
    return new Expr.Ref(id, type);
  }
}
