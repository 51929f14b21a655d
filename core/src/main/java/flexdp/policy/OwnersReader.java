package flexdp.policy;

import flexdp.tree.Nearest;
import flexdp.tree.Node;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads whose rows those of one table are, once all tables and kinds of people are known. */
final class OwnersReader {
  private final Map<String, Table> tables;
  private final Map<String, Kind> kinds;

  OwnersReader(Map<String, Table> tables, Map<String, Kind> kinds) {
    this.tables = tables;
    this.kinds = kinds;
  }

  Ownership read(Table table, Node node, Map<String, Node> fields) {
    Optional<Node> owners = Node.optional(fields, "owners");
    Optional<Node> unit = Node.optional(fields, "unit");
    unit.ifPresent(u -> u.word(List.of("row")));
    if (owners.isEmpty()) {
      alone(fields, "unowned");
      alone(fields, "rowsPerPerson");
      if (!kinds.isEmpty() && unit.isEmpty() && table.isProtected()) {
        throw node.error(
            "the policy protects people, but does not say whose the rows of this table are",
            "Write owners: {"
                + kinds.keySet().iterator().next()
                + ": COLUMN}, or unit: row if each row is to stand for itself.");
      }
      return Ownership.ROWS;
    }
    if (kinds.isEmpty()) {
      throw owners
          .get()
          .error("the policy names no people", "Write people: {customer: {key: customer.id}}.");
    }
    if (unit.isPresent()) {
      throw unit.get()
          .error(
              "a table has owners or unit: row, not both",
              "Leave unit: row out if people own its rows, owners if each stands for itself.");
    }
    if (table.isPublic()) {
      throw owners
          .get()
          .error(
              "a public table has no owners: everyone knows its rows",
              "Leave out owners, or public: true if its rows are to be protected.");
    }
    List<Owner> all = owners(table, owners.get());
    return new Ownership(all, unowned(table, all, fields), rowsPerPerson(all, fields));
  }

  private static void alone(Map<String, Node> fields, String name) {
    Node.optional(fields, name)
        .ifPresent(
            n -> {
              throw n.error(
                  "a table without owners has no " + name, "Leave it out, or name the owners.");
            });
  }

  private List<Owner> owners(Table table, Node node) {
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
              List<Node> each = paths.isList() ? paths.list() : List.of(paths);
              if (each.isEmpty()) {
                throw paths.error(
                    "a list of owners names at least one column", "Write the column, as in [id].");
              }
              for (Node path : each) {
                Owner owner = path(table, kind, path);
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

  /** A path of columns a.b.c, each but the last referring to the row that has the next. */
  private Owner path(Table start, Kind kind, Node node) {
    String[] names = node.text().split("\\.", -1);
    ColumnSpec column = PeopleReader.column(node, start, names[0]);
    Table table = start;
    List<Owner.Hop> hops = new ArrayList<>();
    for (int i = 1; i < names.length; i++) {
      ColumnSpec.Reference to = reference(node, table, column);
      table = tables.get(to.table());
      ColumnSpec key = PeopleReader.column(node, table, to.column());
      PeopleReader.requireKey(node, table, key);
      requireSame(node, column.type(), key.type(), to.table() + "." + to.column());
      column = PeopleReader.column(node, table, names[i]);
      hops.add(new Owner.Hop(to.table(), to.column(), names[i]));
    }
    requireSame(node, column.type(), kind.type(), kind.table() + "." + kind.column());
    return new Owner(kind.name(), kind.type(), names[0], hops);
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
  private static void requireSame(Node node, Type one, Type other, String name) {
    if (!one.equals(other)) {
      throw node.error(
          "the path reads a column of type "
              + one
              + " as '"
              + name
              + "', which is of type "
              + other,
          "Declare both with the same type.");
    }
  }

  /** Which of them leaves must not depend on others: each needs a name of its own. */
  private static boolean unowned(Table table, List<Owner> owners, Map<String, Node> fields) {
    Optional<Node> unowned = Node.optional(fields, "unowned");
    if (unowned.isEmpty() || unowned.get().word(List.of("drop", "keep")) == 0) {
      return false;
    }
    if (owners.size() > 1) {
      throw unowned
          .get()
          .error(
              "rows of a table with several owners cannot be kept without any",
              "Leave unowned out: rows that nobody owns are then not there for questions.");
    }
    if (RowKey.of(table).isEmpty()) {
      throw unowned
          .get()
          .error(
              "a row that is kept without an owner is a person of its own and needs a key",
              "Declare a unique key of the table whose columns are NOT NULL, of whole numbers,"
                  + " decimals, dates or UUIDs, and of one text at most.");
    }
    return true;
  }

  private static Optional<BigInteger> rowsPerPerson(List<Owner> owners, Map<String, Node> fields) {
    Optional<Node> rows = Node.optional(fields, "rowsPerPerson");
    if (rows.isPresent() && owners.size() > 1) {
      throw rows.get()
          .error(
              "rows with several owners cannot be cut to so many for each of them",
              "Leave it out, or declare one owner and thereby say that the others are not"
                  + " protected.");
    }
    return rows.map(PeopleReader::positive);
  }
}
