package flexdp.policy;

import flexdp.tree.Nearest;
import flexdp.tree.Node;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the ways from the rows of tables to the people who own them.
 *
 * <p>All ways to one kind end in columns of one type, so that equal values are the same person.
 */
final class OwnerPathReader {
  private final Map<String, Table> tables;

  OwnerPathReader(Map<String, Table> tables) {
    this.tables = tables;
  }

  List<Owner> owners(Table table, Node node, Map<String, Kind> kinds) {
    Map<String, Owner> all = new LinkedHashMap<>();
    node.entries()
        .forEach(
            (name, paths) -> {
              Kind kind = kinds.get(name);
              if (kind == null) {
                throw paths.error(
                    "the policy has no people '"
                        + name
                        + "'."
                        + Nearest.question(name, kinds.keySet()));
              }
              List<Node> each = each(paths);
              if (each.isEmpty()) {
                throw paths.error(
                    "a list of owners names at least one column", "Write the column, as in [id].");
              }
              for (Node path : each) {
                Owner owner = owner(table, kind, path);
                if (all.putIfAbsent(name + " " + owner.path(), owner) != null) {
                  throw path.error("the owner is listed twice", "Leave one of them out.");
                }
              }
            });
    if (all.isEmpty()) {
      throw node.error("names no owner", "Write {" + kinds.keySet().iterator().next() + ": …}.");
    }
    return List.copyOf(all.values());
  }

  private static List<Node> each(Node paths) {
    return paths.isList() ? paths.list() : List.of(paths);
  }

  private Owner owner(Table start, Kind kind, Node node) {
    Way way = way(start, node);
    if (!way.end().type().equals(kind.type())) {
      throw kind.key()
          .map(key -> mixed(node, way.end().type(), key.toString(), kind.type()))
          .orElseGet(
              () ->
                  node.error(
                      "the people '"
                          + kind.name()
                          + "' are named by columns of type "
                          + kind.type()
                          + " elsewhere, and by one of type "
                          + way.end().type()
                          + " here: the same person would be two",
                      "Declare all columns that name them with the same type."));
    }
    return new Owner(kind.name(), kind.type(), way.column(), way.hops());
  }

  /** The type of the first column that names people of a kind, where they have no key. */
  Optional<Type> named(String kind, Map<String, Node> owners) {
    for (Map.Entry<String, Node> entry : owners.entrySet()) {
      Optional<Node> paths = Optional.ofNullable(entry.getValue().entries().get(kind));
      Optional<Node> first = paths.flatMap(p -> each(p).stream().findFirst());
      if (first.isPresent()) {
        return first.map(path -> way(tables.get(entry.getKey()), path).end().type());
      }
    }
    return Optional.empty();
  }

  /**
   * From a column of a table to the one that names a person.
   *
   * @param end the column that names her
   */
  private record Way(String column, List<Owner.Hop> hops, ColumnSpec end) {}

  /** A path of columns a.b.c, each but the last referring to the row that has the next. */
  private Way way(Table start, Node node) {
    String[] names = node.text().split("\\.", -1);
    ColumnSpec column = PeopleReader.column(node, start, names[0]);
    Table table = start;
    List<Owner.Hop> hops = new ArrayList<>();
    for (int i = 1; i < names.length; i++) {
      ColumnSpec.Reference to = reference(node, table, column);
      table = tables.get(to.table());
      ColumnSpec key = PeopleReader.column(node, table, to.column());
      PeopleReader.requireKey(node, table, key);
      if (!column.type().equals(key.type())) {
        throw mixed(node, column.type(), to.table() + "." + to.column(), key.type());
      }
      column = PeopleReader.column(node, table, names[i]);
      hops.add(new Owner.Hop(to.table(), to.column(), names[i]));
    }
    return new Way(names[0], hops, column);
  }

  private static ColumnSpec.Reference reference(Node node, Table table, ColumnSpec column) {
    return column
        .references()
        .orElseThrow(
            () ->
                node.error(
                    "the path goes on from '"
                        + table.name()
                        + "."
                        + column.name()
                        + "', which refers to no table",
                    "Declare it {references: TABLE.KEY}."));
  }

  /** Converted values may become one, or NULL. */
  private static RuntimeException mixed(Node node, Type one, String name, Type other) {
    return node.error(
        "the path reads a column of type " + one + " as '" + name + "', which is of type " + other,
        "Declare both with the same type.");
  }
}
