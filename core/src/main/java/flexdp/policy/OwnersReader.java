package flexdp.policy;

import flexdp.tree.Node;
import java.math.BigInteger;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

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
      alone(fields, "sameOwner");
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
    List<Owner> all = new OwnerPathReader(tables).owners(table, owners.get(), kinds);
    boolean keeps = unowned(table, all, fields);
    return new Ownership(
        all, keeps, rowsPerPerson(all, fields), sameOwner(table, all, keeps, fields));
  }

  private static void alone(Map<String, Node> fields, String name) {
    Node.optional(fields, name)
        .ifPresent(
            n -> {
              throw n.error(
                  "a table without owners has no " + name, "Leave it out, or name the owners.");
            });
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

  /** Rows that are each a person of its own have no session that could be one person's. */
  private static Set<String> sameOwner(
      Table table, List<Owner> owners, boolean keeps, Map<String, Node> fields) {
    Optional<Node> same = Node.optional(fields, "sameOwner");
    if (same.isEmpty()) {
      return Set.of();
    }
    if (owners.size() > 1) {
      throw same.get()
          .error(
              "rows with several owners have no column that names one of them",
              "Leave sameOwner out, or declare one owner.");
    }
    if (keeps) {
      throw same.get()
          .error(
              "a row that is kept without an owner is a person of its own, and shares nothing with"
                  + " another",
              "Leave out sameOwner, or unowned: keep.");
    }
    Set<String> names = new LinkedHashSet<>();
    for (Node one : same.get().list()) {
      String name = one.text();
      ColumnSpec column =
          table.column(name).orElseThrow(() -> one.error("the table has no column '" + name + "'"));
      if (column.type().kind() == Type.Kind.OPAQUE) {
        throw one.error(
            "the values of column '" + name + "' cannot be compared",
            "Declare the column with a type.");
      }
      names.add(name);
    }
    return names;
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
