package flexdp.policy;

import flexdp.tree.Node;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Whether the owners of all tables fit together. A row is somebody's because another row is, so the
 * other must not leave without her, and whoever takes the other away takes this one, too.
 */
final class OwnersCheck {
  private final Map<String, Table> tables;
  private final Map<String, Node> places;

  /**
   * @param places where each table's owners are written
   */
  OwnersCheck(Map<String, Table> tables, Map<String, Node> places) {
    this.tables = tables;
    this.places = places;
  }

  void check() {
    for (Table table : tables.values()) {
      if (table.ownership().owners().isEmpty()) {
        continue;
      }
      refuseCircles(table, table, new HashSet<>());
      for (Owner owner : table.ownership().owners()) {
        for (int hop = 0; hop < owner.hops().size(); hop++) {
          requirePassable(table, owner, hop);
          requireInherited(table, owner, hop);
        }
      }
    }
  }

  private void refuseCircles(Table start, Table table, Set<String> seen) {
    for (Owner owner : table.ownership().owners()) {
      for (Owner.Hop hop : owner.hops()) {
        if (hop.table().equals(start.name())) {
          throw places
              .get(start.name())
              .error(
                  "the path '" + owner.path() + "' goes in a circle, so it never closes",
                  "Name the owner by a column that does not lead back to the table.");
        }
        if (seen.add(hop.table())) {
          refuseCircles(start, tables.get(hop.table()), seen);
        }
      }
    }
  }

  /** One row of a table that is nobody's would move many rows from person to person. */
  private void requirePassable(Table table, Owner owner, int hop) {
    Table passed = tables.get(owner.hops().get(hop).table());
    if (passed.isPublic()) {
      return;
    }
    Owner rest = owner.from(hop);
    if (!passed.ownership().owners().contains(rest)) {
      throw places
          .get(table.name())
          .error(
              "the path '"
                  + owner.path()
                  + "' passes table '"
                  + passed.name()
                  + "', whose rows are not owned by "
                  + owner.kind()
                  + " over '"
                  + rest.path()
                  + "'",
              "Give table '"
                  + passed.name()
                  + "' the owners {"
                  + owner.kind()
                  + ": "
                  + rest.path()
                  + "}.");
    }
  }

  private void requireInherited(Table table, Owner owner, int hop) {
    Table passed = tables.get(owner.hops().get(hop).table());
    List<Owner> own = table.ownership().owners();
    for (Owner other : passed.ownership().owners()) {
      String path = owner.through(hop, other);
      if (own.stream().noneMatch(o -> o.kind().equals(other.kind()) && o.path().equals(path))) {
        throw places
            .get(table.name())
            .error(
                "the path '"
                    + owner.path()
                    + "' passes table '"
                    + passed.name()
                    + "', whose rows are also owned by "
                    + other.kind()
                    + "; they leave with that person, and these with them",
                "Add the owner {" + other.kind() + ": " + path + "}.");
      }
    }
  }

  /** The columns that tell whose a row is, unless public rows say what they mean. */
  Set<String> naming(Table table, Map<String, Kind> kinds) {
    Set<String> names = new LinkedHashSet<>();
    for (Owner owner : table.ownership().owners()) {
      if (owner.hops().isEmpty() || tables.get(owner.hops().getFirst().table()).isProtected()) {
        names.add(owner.column());
      }
    }
    for (Kind kind : kinds.values()) {
      kind.key().filter(k -> k.table().equals(table.name())).ifPresent(k -> names.add(k.column()));
    }
    for (Table other : tables.values()) {
      for (Owner owner : other.ownership().owners()) {
        for (Owner.Hop hop : owner.hops()) {
          if (hop.table().equals(table.name())) {
            names.add(hop.key());
          }
        }
      }
    }
    return table.isPublic() ? Set.of() : names;
  }
}
