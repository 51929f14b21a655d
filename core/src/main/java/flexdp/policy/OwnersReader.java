package flexdp.policy;

import flexdp.document.DocumentNode;
import flexdp.document.NearestName;
import flexdp.policy.Table.RowKey;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads whose rows those of one table are, once all tables and kinds of people are known. */
final class OwnersReader {
  private final Map<String, Table> tables;
  private final Map<String, PersonKind> kinds;

  OwnersReader(Map<String, Table> tables, Map<String, PersonKind> kinds) {
    this.tables = tables;
    this.kinds = kinds;
  }

  TableOwnership read(Table table, DocumentNode node, Map<String, DocumentNode> fields) {
    Optional<DocumentNode> owners = DocumentNode.optional(fields, "owners");
    Optional<DocumentNode> unit = DocumentNode.optional(fields, "unit");
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
      return TableOwnership.ROWS;
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
    List<OwnerPath> all = new OwnerPathReader(tables).owners(table, owners.get(), kinds);
    boolean keeps = unowned(table, all, fields);
    return new TableOwnership(
        all, keeps, rowsPerPerson(all, fields), sameOwner(table, all, keeps, fields));
  }

  private static void alone(Map<String, DocumentNode> fields, String name) {
    DocumentNode.optional(fields, name)
        .ifPresent(
            n -> {
              throw n.error(
                  "a table without owners has no " + name, "Leave it out, or name the owners.");
            });
  }

  /** Which of them leaves must not depend on others: each needs a name of its own. */
  private static boolean unowned(
      Table table, List<OwnerPath> owners, Map<String, DocumentNode> fields) {
    Optional<DocumentNode> unowned = DocumentNode.optional(fields, "unowned");
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
      Table table, List<OwnerPath> owners, boolean keeps, Map<String, DocumentNode> fields) {
    Optional<DocumentNode> same = DocumentNode.optional(fields, "sameOwner");
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
    for (DocumentNode one : same.get().list()) {
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

  private static Optional<BigInteger> rowsPerPerson(
      List<OwnerPath> owners, Map<String, DocumentNode> fields) {
    Optional<DocumentNode> rows = DocumentNode.optional(fields, "rowsPerPerson");
    if (rows.isPresent() && owners.size() > 1) {
      throw rows.get()
          .error(
              "rows with several owners cannot be limited to so many for each of them",
              "Leave it out, or declare one owner and thereby say that the others are not"
                  + " protected.");
    }
    return rows.map(PeopleReader::positive);
  }

  /**
   * Reads the ways from the rows of tables to the people who own them.
   *
   * <p>All ways to one kind end in columns of one type, so that equal values are the same person.
   */
  static final class OwnerPathReader {
    private final Map<String, Table> tables;

    OwnerPathReader(Map<String, Table> tables) {
      this.tables = tables;
    }

    List<OwnerPath> owners(Table table, DocumentNode node, Map<String, PersonKind> kinds) {
      Map<String, OwnerPath> all = new LinkedHashMap<>();
      node.entries()
          .forEach(
              (name, paths) -> {
                PersonKind kind = kinds.get(name);
                if (kind == null) {
                  throw paths.error(
                      "the policy has no people '"
                          + name
                          + "'."
                          + NearestName.question(name, kinds.keySet()));
                }
                List<DocumentNode> each = each(paths);
                if (each.isEmpty()) {
                  throw paths.error(
                      "a list of owners names at least one column",
                      "Write the column, as in [id].");
                }
                for (DocumentNode path : each) {
                  OwnerPath owner = owner(table, kind, path);
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

    private static List<DocumentNode> each(DocumentNode paths) {
      return paths.isList() ? paths.list() : List.of(paths);
    }

    private OwnerPath owner(Table start, PersonKind kind, DocumentNode node) {
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
      return new OwnerPath(kind.name(), kind.type(), way.column(), way.hops());
    }

    /** The type of the first column that names people of a kind, where they have no key. */
    Optional<Type> named(String kind, Map<String, DocumentNode> owners) {
      for (Map.Entry<String, DocumentNode> entry : owners.entrySet()) {
        Optional<DocumentNode> paths = Optional.ofNullable(entry.getValue().entries().get(kind));
        Optional<DocumentNode> first = paths.flatMap(p -> each(p).stream().findFirst());
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
    private record Way(String column, List<OwnerPath.Hop> hops, ColumnSpec end) {}

    /** A path of columns a.b.c, each but the last referring to the row that has the next. */
    private Way way(Table start, DocumentNode node) {
      String[] names = node.text().split("\\.", -1);
      ColumnSpec column = PeopleReader.column(node, start, names[0]);
      Table table = start;
      List<OwnerPath.Hop> hops = new ArrayList<>();
      for (int i = 1; i < names.length; i++) {
        ColumnSpec.Reference to = reference(node, table, column);
        table = tables.get(to.table());
        ColumnSpec key = PeopleReader.column(node, table, to.column());
        PeopleReader.requireKey(node, table, key);
        if (!column.type().equals(key.type())) {
          throw mixed(node, column.type(), to.table() + "." + to.column(), key.type());
        }
        column = PeopleReader.column(node, table, names[i]);
        hops.add(new OwnerPath.Hop(to.table(), to.column(), names[i]));
      }
      return new Way(names[0], hops, column);
    }

    private static ColumnSpec.Reference reference(
        DocumentNode node, Table table, ColumnSpec column) {
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
    private static RuntimeException mixed(DocumentNode node, Type one, String name, Type other) {
      return node.error(
          "the path reads a column of type "
              + one
              + " as '"
              + name
              + "', which is of type "
              + other,
          "Declare both with the same type.");
    }
  }

  /**
   * Whether the owners of all tables fit together. A row is somebody's because another row is, so
   * the other must not leave without her, and whoever takes the other away takes this one, too.
   */
  static final class OwnersCheck {
    private final Map<String, Table> tables;
    private final Map<String, DocumentNode> places;

    /**
     * @param places where each table's owners are written
     */
    OwnersCheck(Map<String, Table> tables, Map<String, DocumentNode> places) {
      this.tables = tables;
      this.places = places;
    }

    void check() {
      for (Table table : tables.values()) {
        if (table.ownership().owners().isEmpty()) {
          continue;
        }
        refuseCircles(table, table, new HashSet<>());
        for (OwnerPath owner : table.ownership().owners()) {
          for (int hop = 0; hop < owner.hops().size(); hop++) {
            requirePassable(table, owner, hop);
            requireInherited(table, owner, hop);
          }
        }
      }
    }

    private void refuseCircles(Table start, Table table, Set<String> seen) {
      for (OwnerPath owner : table.ownership().owners()) {
        for (OwnerPath.Hop hop : owner.hops()) {
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
    private void requirePassable(Table table, OwnerPath owner, int hop) {
      Table passed = tables.get(owner.hops().get(hop).table());
      if (passed.isPublic()) {
        return;
      }
      OwnerPath rest = owner.from(hop);
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

    private void requireInherited(Table table, OwnerPath owner, int hop) {
      Table passed = tables.get(owner.hops().get(hop).table());
      List<OwnerPath> own = table.ownership().owners();
      for (OwnerPath other : passed.ownership().owners()) {
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
    Set<String> naming(Table table, Map<String, PersonKind> kinds) {
      Set<String> names = new LinkedHashSet<>();
      for (OwnerPath owner : table.ownership().owners()) {
        if (owner.hops().isEmpty() || tables.get(owner.hops().getFirst().table()).isProtected()) {
          names.add(owner.column());
        }
      }
      for (PersonKind kind : kinds.values()) {
        kind.key()
            .filter(k -> k.table().equals(table.name()))
            .ifPresent(k -> names.add(k.column()));
      }
      for (Table other : tables.values()) {
        for (OwnerPath owner : other.ownership().owners()) {
          for (OwnerPath.Hop hop : owner.hops()) {
            if (hop.table().equals(table.name())) {
              names.add(hop.key());
            }
          }
        }
      }
      return table.isPublic() ? Set.of() : names;
    }
  }

  /** Reads the kinds of people that a policy protects. */
  static final class PeopleReader {
    private static final Set<String> KIND_KEYS = Set.of("key", "nobody", "perPersonAtMost");

    private final Map<String, Table> tables;
    private final Map<String, DocumentNode> owners;

    private PeopleReader(Map<String, Table> tables, Map<String, DocumentNode> owners) {
      this.tables = tables;
      this.owners = owners;
    }

    /**
     * The kinds by name.
     *
     * @param owners where tables say whose their rows are: people without a key are known by these
     */
    static Map<String, PersonKind> read(
        DocumentNode node,
        Map<String, Table> tables,
        Map<String, DocumentNode> owners,
        Neighbors neighbors) {
      PeopleReader reader = new PeopleReader(tables, owners);
      Map<String, PersonKind> kinds = new LinkedHashMap<>();
      node.entries().forEach((name, child) -> kinds.put(name, reader.kind(name, child)));
      if (kinds.isEmpty()) {
        throw node.error("names no kind of people", "Write {customer: {key: customer.id}}.");
      }
      TableReader.refuseNamesThatDifferInCase(node, kinds.keySet());
      if (neighbors != Neighbors.ADD_REMOVE_ONE) {
        throw node.error(
            "people are protected under add-remove-one only",
            "Leave privacy.neighbors out, or protect rows and leave people out.");
      }
      return kinds;
    }

    private PersonKind kind(String name, DocumentNode node) {
      Map<String, DocumentNode> fields = node.fields(KIND_KEYS);
      Optional<DocumentNode> key = DocumentNode.optional(fields, "key");
      return key.isPresent()
          ? keyed(name, key.get(), fields)
          : kind(name, Optional.empty(), named(name, node), fields);
    }

    /** Whoever has no table of their own is the value of the columns that name owners. */
    private Type named(String name, DocumentNode node) {
      Type type =
          new OwnerPathReader(tables)
              .named(name, owners)
              .orElseThrow(
                  () ->
                      node.error(
                          "these people have no key, and no table says that they own its rows",
                          "Write owners: {"
                              + name
                              + ": COLUMN} in a table, or key: TABLE.COLUMN."));
      requireIdentity(node, type);
      return type;
    }

    private PersonKind keyed(String name, DocumentNode key, Map<String, DocumentNode> fields) {
      String text = key.text();
      int dot = text.lastIndexOf('.');
      if (dot < 1 || dot == text.length() - 1) {
        throw key.error("must be written table.column", "Write it as in customer.id.");
      }
      Table table = table(key, text.substring(0, dot));
      ColumnSpec column = column(key, table, text.substring(dot + 1));
      requireKey(key, table, column);
      requireIdentity(key, column.type());
      return kind(
          name,
          Optional.of(new PersonKind.Key(table.name(), column.name())),
          column.type(),
          fields);
    }

    private static PersonKind kind(
        String name, Optional<PersonKind.Key> key, Type type, Map<String, DocumentNode> fields) {
      return new PersonKind(
          name,
          key,
          type,
          DocumentNode.optional(fields, "nobody").map(n -> nobody(n, type)).orElse(List.of()),
          DocumentNode.optional(fields, "perPersonAtMost").map(PeopleReader::positive));
    }

    private Table table(DocumentNode node, String name) {
      return Optional.ofNullable(tables.get(name))
          .orElseThrow(
              () ->
                  node.error(
                      "the policy has no table '"
                          + name
                          + "'."
                          + NearestName.question(name, tables.keySet())));
    }

    static ColumnSpec column(DocumentNode node, Table table, String name) {
      return table
          .column(name)
          .orElseThrow(
              () ->
                  node.error(
                      "table '"
                          + table.name()
                          + "' has no column '"
                          + name
                          + "'."
                          + NearestName.question(
                              name, table.columns().stream().map(ColumnSpec::name).toList())));
    }

    /** A key that two rows share would give a row two owners, and one that is NULL none. */
    static void requireKey(DocumentNode node, Table table, ColumnSpec column) {
      if (!table.uniqueKeys().contains(Set.of(column.name())) || column.nullable()) {
        throw node.error(
            "'"
                + table.name()
                + "."
                + column.name()
                + "' is not declared unique and NOT NULL, so it does not tell whose rows are whose",
            "Declare it {unique: true, nullable: false} if that is so.");
      }
    }

    /** PolicyValues that are equal must be the same value, on every database. */
    private static void requireIdentity(DocumentNode node, Type type) {
      switch (type.kind()) {
        case SMALLINT, INTEGER, BIGINT, DECIMAL, VARCHAR, DATE, TIMESTAMP, UUID -> {}
        case BOOLEAN, DOUBLE, TIME, OPAQUE, INTERVAL_MONTHS, INTERVAL_MICROS, NULL ->
            throw node.error(
                "a column of type " + type + " cannot name people",
                "Name them by a whole number, text, or a UUID.");
      }
    }

    private static List<Object> nobody(DocumentNode node, Type type) {
      List<Object> values = new ArrayList<>();
      for (DocumentNode entry : node.list()) {
        Object value = PolicyValues.label(entry, type);
        if (value == null) {
          throw entry.error("NULL never stands for a person", "Leave it out.");
        }
        if (values.contains(value)) {
          throw entry.error("the value is listed twice", "Leave one of them out.");
        }
        values.add(value);
      }
      return values;
    }

    static BigInteger positive(DocumentNode node) {
      BigInteger count = node.count();
      if (count.signum() == 0) {
        throw node.error("must be at least 1", "Leave it out if nothing is known.");
      }
      return count;
    }
  }
}
