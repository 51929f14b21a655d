package flexdp.gateway.propose;

import flexdp.failure.ConfigurationError;
import flexdp.gateway.catalog.PhysicalColumn;
import flexdp.gateway.catalog.PhysicalTable;
import flexdp.gateway.propose.OwnerPaths.People;
import flexdp.tree.Nearest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a proposed policy says of people. Whether the rows of a table are people no database knows:
 * unless the owner named such tables, those that references lead to are listed in a comment. A
 * table that no reference connects with the people who were named is left open, so that the policy
 * is refused until somebody has said what its rows are. Where no table has a row for each person,
 * the owner names the column instead.
 */
final class PeopleDraft {
  private final ForeignReferences references;
  private final List<PhysicalTable> tables;
  private final Map<String, People> kinds;

  /**
   * @param names of tables whose rows are people, or of columns whose values are; none if rows
   *     stand for themselves
   */
  PeopleDraft(ForeignReferences references, List<PhysicalTable> tables, List<String> names) {
    this.references = references;
    this.tables = tables;
    this.kinds = new LinkedHashMap<>();
    for (String name : names) {
      Optional<PhysicalTable> table =
          tables.stream().filter(t -> t.policyName().equalsIgnoreCase(name)).findFirst();
      People people = table.isPresent() ? rows(table.get()) : values(name);
      String kind = table.map(PhysicalTable::name).orElseGet(() -> kind(name));
      if (!kinds.getOrDefault(kind, people).equals(people)) {
        throw ConfigurationError.of(
            ConfigurationError.Code.BAD_USAGE,
            "two of the names given stand for people '" + kind + "'",
            "Leave one of them out.");
      }
      kinds.put(kind, people);
    }
  }

  private static People rows(PhysicalTable table) {
    if (OwnerPaths.key(table).isEmpty()) {
      throw ConfigurationError.of(
          ConfigurationError.Code.BAD_USAGE,
          "the database keeps no single column of table '"
              + table.policyName()
              + "' unique and NOT NULL",
          "Name the column that says whose row it is instead, as in --people patient_id: its values"
              + " are the people, and no key is needed. Or make the column a key.");
    }
    return new People.Rows(table);
  }

  /** People of whom there is no table: the values of a column, wherever it stands. */
  private People values(String name) {
    PhysicalColumn column =
        tables.stream()
            .flatMap(t -> t.columns().stream())
            .filter(c -> c.name().equalsIgnoreCase(name))
            .findFirst()
            .orElseThrow(
                () ->
                    ConfigurationError.of(
                        ConfigurationError.Code.BAD_USAGE,
                        "the database has no table '"
                            + name
                            + "', and no table has such a column."
                            + Nearest.question(name, named().toList())));
    if (!OwnerPaths.names(column.type()) || !OwnerPaths.isWritable(column)) {
      throw ConfigurationError.of(
          ConfigurationError.Code.BAD_USAGE,
          "a column of type " + column.typeName() + " cannot name people",
          "Name them by a stored column of whole numbers, text or UUIDs, without a dot in its"
              + " name.");
    }
    return new People.Values(column);
  }

  private Stream<String> named() {
    return Stream.concat(
        tables.stream().map(PhysicalTable::policyName),
        tables.stream().flatMap(t -> t.columns().stream()).map(PhysicalColumn::name));
  }

  /** What a column of ids calls people: user_id, userId and UserID are of users. */
  private static String kind(String column) {
    String kind = column.replaceFirst("(_id|_ID|_Id|(?<=[a-z])I[dD])$", "");
    return kind.isEmpty() ? column : kind;
  }

  /** What stands before the tables. */
  String head() {
    if (kinds.isEmpty()) {
      return candidates();
    }
    StringBuilder text = new StringBuilder("people:\n");
    kinds.forEach(
        (kind, people) ->
            text.append("  ")
                .append(Yaml.text(kind))
                .append(": ")
                .append(
                    switch (people) {
                      case People.Rows rows -> "{key: " + Yaml.text(key(rows.table())) + "}   # ";
                      case People.Values values ->
                          "{}   # whoever has the same "
                              + Yaml.comment(values.column().name())
                              + " is the same person; ";
                    })
                .append("nobody: [0] if ids stand for no person\n"));
    return text.toString();
  }

  private static String key(PhysicalTable table) {
    return table.policyName() + "." + OwnerPaths.key(table).orElseThrow().name();
  }

  private String candidates() {
    StringBuilder text = new StringBuilder();
    for (PhysicalTable table : tables) {
      Optional<PhysicalColumn> key = OwnerPaths.key(table);
      if (key.isEmpty()) {
        continue;
      }
      OwnerPaths paths = new OwnerPaths(references, Map.of(table.name(), new People.Rows(table)));
      List<String> owned = new ArrayList<>();
      for (PhysicalTable other : tables) {
        if (!other.equals(table)) {
          paths.of(other).paths().forEach(p -> owned.add(other.policyName() + "." + p.written()));
        }
      }
      if (!owned.isEmpty()) {
        text.append("#   ").append(Yaml.comment(table.policyName())).append(" own ");
        text.append(Yaml.comment(String.join(", ", owned))).append('\n');
      }
    }
    return text.isEmpty()
        ? ""
        : """
        # Rows or people? As it stands, one row is protected, and whoever owns many is protected less.
        # "policy init --people TABLE" proposes to protect all that a person owns, where these are people:
        """
            + text;
  }

  /** What a table says of its owners. */
  String of(PhysicalTable table) {
    if (kinds.isEmpty()) {
      return "";
    }
    OwnerPaths.Ways ways = new OwnerPaths(references, kinds).of(table);
    StringBuilder text = new StringBuilder();
    if (ways.paths().isEmpty()) {
      text.append("    # no reference leads to people: say owners: {");
      text.append(Yaml.comment(Yaml.text(kinds.keySet().iterator().next())));
      text.append(": COLUMN}, public: true, or\n");
      text.append("    # unit: row      # each row stands for itself, whoever it is about\n");
    } else {
      text.append("    owners: ").append(ways.written());
      text.append(
          ways.paths().size() > 1
              ? "   # several owners: counts and sums only; declare those that are meant\n"
              : "\n");
      if (ways.paths().size() == 1) {
        text.append(
            "    # rowsPerPerson: 100   # to read so many where rows of people are mixed\n");
      }
    }
    ways.notes().forEach(n -> text.append("    # ").append(Yaml.comment(n)).append('\n'));
    return text.toString();
  }
}
