package flexdp.gateway.policydraft;

import flexdp.document.NearestName;
import flexdp.failure.ConfigurationError;
import flexdp.gateway.catalog.PhysicalColumn;
import flexdp.gateway.catalog.PhysicalTable;
import flexdp.gateway.catalog.PhysicalTable.ForeignKey;
import flexdp.gateway.policydraft.PolicyDraft.PeopleDraft.OwnerPaths.People;
import flexdp.policy.Type;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Proposes a policy. Every table is protected; keys, NOT NULL, ranges and domains come from
 * constraints that the database enforces, and never from values that happen to be in it: a
 * neighbouring database need not have those. The rest stands in comments for the owner.
 */
public final class PolicyDraft {
  private static final String HEAD =
      """
      # Proposed by "flexdp policy init" from what the database enforces; no value was read.
      # Read every line: answers are only as private as it is right who owns what, what is public,
      # and what you add as "trusted", "maxFrequencyAtMost" or "static". Ranges and domains may be
      # chosen freely: values outside of them are clamped or left out (docs/assumptions.md).
      # GROUP BY shows the labels that a column lists, as in domain: [a, b], or a public table has.
      flexdp: 1
      database: %s
      privacy:
        neighbors: add-remove-one
        epsilon: 0.1
        delta: 1e-10
        budget: {epsilon: 10, delta: 1e-8, composition: %s
      """;

  /** With it many groups of people are clipped in L2, which costs a fraction of the noise. */
  private static final String ZCDP =
      """
      zcdp}
        # zcdp adds up ρ = ε²/2 of every answer, which is best for many questions with groups; below
        # forty questions of single numbers basic gives them more.\
      """;

  private final List<PhysicalTable> present;
  private final boolean files;
  private final List<String> left = new ArrayList<>();

  private PolicyDraft(List<PhysicalTable> present, boolean files) {
    this.present = present;
    this.files = files;
  }

  /** The text of a policy file for the database at that address, which protects rows. */
  public static String of(String url, List<PhysicalTable> present) {
    return of(url, present, List.of());
  }

  /**
   * The text of a policy file for the database at that address.
   *
   * @param people the tables whose rows, or the columns whose values, are people; none if each row
   *     is to stand for itself
   */
  public static String of(String url, List<PhysicalTable> present, List<String> people) {
    PolicyDraft draft = new PolicyDraft(present, url.startsWith("files:"));
    List<PhysicalTable> tables = draft.drafted();
    ForeignReferences references = new ForeignReferences(present);
    PeopleDraft whose = new PeopleDraft(references, tables, people);
    return HEAD.formatted(YamlScalars.text(url), people.isEmpty() ? "basic}" : ZCDP)
        + whose.head()
        + "tables:\n"
        + draft.text(tables, references, whose);
  }

  /** A policy without tables would look like a success and answer nothing. */
  private ConfigurationError nothing() {
    long unreadable =
        present.stream().filter(t -> t.kind() == PhysicalTable.Kind.UNREADABLE).count();
    return ConfigurationError.of(
        ConfigurationError.Code.BAD_USAGE,
        unreadable > 0
            ? "the database user may read none of the " + unreadable + " tables"
            : "the database has no tables that its user may read",
        unreadable > 0 || left.isEmpty()
            ? "Check the address, and grant SELECT on the tables to the user of flexdp."
            : "What it has: " + String.join("; ", left) + ".");
  }

  /** The tables that a policy can name. */
  private List<PhysicalTable> drafted() {
    List<PhysicalTable> tables = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (PhysicalTable table : present) {
      String name = table.policyName();
      if (table.kind() != PhysicalTable.Kind.TABLE) {
        left.add(name + " is " + table.kind().words());
      } else if (table.columns().isEmpty()) {
        left.add(name + " has no columns");
      } else if (!names.add(name.toLowerCase(Locale.ROOT))) {
        left.add(name + " differs from another table in upper and lower case only");
      } else {
        tables.add(table);
      }
    }
    if (tables.isEmpty()) {
      throw nothing();
    }
    return tables;
  }

  private String text(List<PhysicalTable> tables, ForeignReferences references, PeopleDraft whose) {
    StringBuilder text = new StringBuilder();
    for (PhysicalTable table : tables) {
      text.append(new TableDraft(table, references, files, whose.of(table)).text());
    }
    left.forEach(l -> text.append("  # left out: ").append(YamlScalars.comment(l)).append('\n'));
    return text.toString();
  }

  /**
   * What a proposed policy says of people. Whether the rows of a table are people no database
   * knows: unless the owner named such tables, those that references lead to are listed in a
   * comment. A table that no reference connects with the people who were named is left open, so
   * that the policy is refused until somebody has said what its rows are. Where no table has a row
   * for each person, the owner names the column instead.
   */
  static final class PeopleDraft {
    /** How columns that name rows elsewhere, or sessions, are called. */
    private static final Pattern IS_ID = Pattern.compile("(_id|_ID|_Id|(?<=[a-z])I[dD])$");

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
                              + NearestName.question(name, named().toList())));
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
                  .append(YamlScalars.text(kind))
                  .append(": ")
                  .append(
                      switch (people) {
                        case People.Rows rows ->
                            "{key: " + YamlScalars.text(key(rows.table())) + "}   # ";
                        case People.Values values ->
                            "{}   # whoever has the same "
                                + YamlScalars.comment(values.column().name())
                                + " is the same person; ";
                      })
                  .append("nobody: [0] if ids stand for no person\n"));
      return text.toString();
    }

    private static String key(PhysicalTable table) {
      return table.policyName() + "." + OwnerPaths.key(table).orElseThrow().name();
    }

    /**
     * Columns of ids beside that of the owner, as of a session or a visit. Whether their values
     * stand in rows of one person each is not looked up, since no value is read here; "policy
     * check" counts.
     */
    private void kin(StringBuilder text, PhysicalTable table, List<OwnerPaths.Path> paths) {
      List<String> written = paths.stream().map(OwnerPaths.Path::written).toList();
      List<String> kin = new ArrayList<>();
      for (PhysicalColumn column : table.columns()) {
        boolean id = IS_ID.matcher(column.name()).find() && OwnerPaths.names(column.type());
        boolean names = written.contains(column.name());
        boolean onward =
            written.stream().skip(1).anyMatch(path -> path.startsWith(column.name() + "."));
        boolean free = !names && references.of(table, column).isEmpty();
        boolean notNull = column.notNull() && !table.keys().contains(List.of(column.name()));
        if (id && (onward || free) && notNull && !column.computed()) {
          kin.add(YamlScalars.text(column.name()));
        }
      }
      if (!kin.isEmpty() && paths.stream().map(OwnerPaths.Path::kind).distinct().count() == 1) {
        text.append("    # sameOwner: [")
            .append(YamlScalars.comment(String.join(", ", kin)))
            .append("]   # where rows with the same value are always one person's")
            .append(
                paths.size() > 1
                    ? "; then one owner is enough: " + YamlScalars.comment(written.getFirst())
                    : "")
            .append('\n');
      }
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
          text.append("#   ").append(YamlScalars.comment(table.policyName())).append(" own ");
          text.append(YamlScalars.comment(String.join(", ", owned))).append('\n');
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
        text.append(YamlScalars.comment(YamlScalars.text(kinds.keySet().iterator().next())));
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
        kin(text, table, ways.paths());
      }
      ways.notes().forEach(n -> text.append("    # ").append(YamlScalars.comment(n)).append('\n'));
      return text.toString();
    }

    /**
     * Ways from the rows of tables to people, over foreign keys. A row that passes another one
     * inherits every owner of it, or the policy would be refused; ways that lead back to where they
     * were are left to the owner, and so is what else the rows of people refer to.
     */
    static final class OwnerPaths {
      /** A row with more owners than this is hardly meant. */
      private static final int MOST = 8;

      private final ForeignReferences references;
      private final Map<String, People> kinds;

      /**
       * @param kinds who people are, by the name of their kind
       */
      OwnerPaths(ForeignReferences references, Map<String, People> kinds) {
        this.references = references;
        this.kinds = kinds;
      }

      /** Who people are. */
      sealed interface People {
        /** The rows of a table. */
        record Rows(PhysicalTable table) implements People {}

        /**
         * The values of a column, in all tables that have one of its name; no table has a row for
         * each.
         *
         * @param column as the first of these tables has it
         */
        record Values(PhysicalColumn column) implements People {}
      }

      /** A path of a kind, as a policy writes it. */
      record Path(String kind, String written) {}

      /**
       * @param paths none when no reference leads to people
       * @param notes what the owner has to look at
       */
      record Ways(List<Path> paths, List<String> notes) {
        /** The value of {@code owners}. */
        String written() {
          Map<String, List<String>> byKind = new LinkedHashMap<>();
          for (Path path : paths) {
            byKind.computeIfAbsent(path.kind(), k -> new ArrayList<>()).add(path.written());
          }
          List<String> fields = new ArrayList<>();
          byKind.forEach(
              (kind, all) ->
                  fields.add(
                      YamlScalars.text(kind)
                          + ": "
                          + (all.size() == 1 ? scalar(all.getFirst()) : list(all))));
          return "{" + String.join(", ", fields) + "}";
        }

        private static String list(List<String> paths) {
          return "[" + String.join(", ", paths.stream().map(Ways::scalar).toList()) + "]";
        }

        /** Paths of plain names need no quotes. */
        private static String scalar(String path) {
          boolean plain =
              List.of(path.split("\\.", -1)).stream().allMatch(p -> p.equals(YamlScalars.text(p)));
          return plain ? path : YamlScalars.text(path);
        }
      }

      /** The only column that can name the rows of a table as people. */
      static Optional<PhysicalColumn> key(PhysicalTable table) {
        return table.columns().stream()
            .filter(c -> isKey(table, c.name()) && names(c.type()) && isWritable(c))
            .findFirst();
      }

      static boolean isKey(PhysicalTable table, String column) {
        return table.keys().contains(List.of(column))
            && table.column(column).filter(PhysicalColumn::notNull).isPresent();
      }

      static boolean names(Type type) {
        return switch (type.kind()) {
          case SMALLINT, INTEGER, BIGINT, DECIMAL, VARCHAR, DATE, TIMESTAMP, UUID -> true;
          case BOOLEAN, DOUBLE, TIME, OPAQUE, INTERVAL_MONTHS, INTERVAL_MICROS, NULL -> false;
        };
      }

      /** Paths are written with dots between their columns. */
      static boolean isWritable(PhysicalColumn column) {
        return !column.name().contains(".") && !column.computed();
      }

      Ways of(PhysicalTable table) {
        List<String> notes = new ArrayList<>();
        List<Path> paths = paths(table, notes);
        for (PhysicalTable.ForeignKey key : table.foreignKeys()) {
          if (key.columns().size() > 1) {
            notes.add(
                "a path goes over single columns, not over ("
                    + String.join(", ", key.columns())
                    + ")");
          }
        }
        return new Ways(paths, notes);
      }

      private List<Path> paths(PhysicalTable table, List<String> notes) {
        Optional<String> kind = kind(table);
        List<Path> paths = new ArrayList<>();
        kind.ifPresent(k -> paths.add(new Path(k, key(table).orElseThrow().name())));
        paths.addAll(named(table, notes));
        Set<String> own = new HashSet<>(paths.stream().map(Path::kind).toList());
        for (PhysicalColumn column : table.columns()) {
          Optional<ForeignReferences.Target> target = references.of(table, column);
          if (target.isEmpty()) {
            continue;
          }
          PhysicalTable to = target.get().table();
          boolean circle = reaches(to, table, new HashSet<>());
          List<Path> onward = circle ? List.of() : onward(to, target.get().key());
          boolean twice =
              onward.stream().anyMatch(p -> own.contains(p.kind()) && isValues(p.kind()));
          if (circle || twice || kind.isPresent() && !onward.isEmpty()) {
            notes.add(
                column.name() + " also leads to " + to.policyName() + "; are they owners, too?");
          } else if (!onward.isEmpty()) {
            open(column, target.get())
                .ifPresentOrElse(
                    notes::add,
                    () -> onward.forEach(p -> paths.add(new Path(p.kind(), through(column, p)))));
          }
        }
        if (paths.size() > MOST) {
          notes.add(paths.size() + " ways lead to people; which of them own a row?");
          return List.of();
        }
        return paths;
      }

      private Optional<String> kind(PhysicalTable table) {
        return kinds.keySet().stream().filter(k -> isRows(k, table)).findFirst();
      }

      private boolean isRows(String kind, PhysicalTable table) {
        return kinds.get(kind) instanceof People.Rows rows && rows.table().equals(table);
      }

      private boolean isValues(String kind) {
        return kinds.get(kind) instanceof People.Values;
      }

      /** The columns of a table that name people of whom no table is. */
      private List<Path> named(PhysicalTable table, List<String> notes) {
        List<Path> paths = new ArrayList<>();
        kinds.forEach(
            (kind, people) -> {
              if (people instanceof People.Values values) {
                for (PhysicalColumn column : table.columns()) {
                  if (!column.name().equalsIgnoreCase(values.column().name())) {
                    continue;
                  }
                  if (column.namesAlike(values.column())
                      && column.type().equals(values.column().type())
                      && isWritable(column)) {
                    paths.add(new Path(kind, column.name()));
                  } else {
                    notes.add(
                        column.name()
                            + " is stored as "
                            + column.typeName()
                            + " here and as "
                            + values.column().typeName()
                            + " elsewhere; make them alike, or the same person would be two");
                  }
                }
              }
            });
        return paths;
      }

      /** Whether references lead from one table to another; those of people are not followed. */
      private boolean reaches(PhysicalTable from, PhysicalTable to, Set<PhysicalTable> seen) {
        if (from.equals(to)) {
          return true;
        }
        if (kind(from).isPresent() || !seen.add(from)) {
          return false;
        }
        return from.columns().stream()
            .flatMap(c -> references.of(from, c).stream())
            .anyMatch(next -> reaches(next.table(), to, seen));
      }

      /** What is left of paths behind a reference; the key of people names them by itself. */
      private List<Path> onward(PhysicalTable to, String key) {
        return paths(to, new ArrayList<>()).stream()
            .map(p -> p.written().equals(key) && isRows(p.kind(), to) ? direct(p) : p)
            .toList();
      }

      private static Path direct(Path path) {
        return new Path(path.kind(), "");
      }

      private static String through(PhysicalColumn column, Path onward) {
        return onward.written().isEmpty() ? column.name() : column.name() + "." + onward.written();
      }

      /** Why a path over a reference does not close. */
      private static Optional<String> open(PhysicalColumn column, ForeignReferences.Target to) {
        Type type = to.table().column(to.key()).map(PhysicalColumn::type).orElse(Type.OPAQUE);
        if (!type.equals(column.type())) {
          return Optional.of(
              column.name()
                  + " is of type "
                  + column.type()
                  + " and "
                  + to.written()
                  + " of type "
                  + type
                  + "; declare both alike to follow it");
        }
        if (!isKey(to.table(), to.key())) {
          return Optional.of(
              to.written() + " is not enforced as unique and NOT NULL, so it names no owner");
        }
        return isWritable(column)
            ? Optional.empty()
            : Optional.of(column.name() + " has a dot in its name, so no path can go over it");
      }
    }
  }

  /** Which table's key a column refers to, as the database's foreign keys say. */
  static final class ForeignReferences {
    private final List<PhysicalTable> present;

    ForeignReferences(List<PhysicalTable> present) {
      this.present = present;
    }

    /** The column of a table that another refers to. */
    record Target(PhysicalTable table, String key) {
      String written() {
        return table.policyName() + "." + key;
      }
    }

    Optional<Target> of(PhysicalTable table, PhysicalColumn column) {
      return table.foreignKeys().stream()
          .filter(f -> f.columns().equals(List.of(column.name())))
          .findFirst()
          .flatMap(f -> target(table, f));
    }

    private Optional<Target> target(PhysicalTable table, ForeignKey key) {
      return present.stream()
          .filter(t -> t.name().equals(key.table()) && t.kind() == PhysicalTable.Kind.TABLE)
          .filter(t -> t.schema().equals(table.schema()))
          .findFirst()
          .map(t -> new Target(t, key.referenced().getFirst()));
    }
  }
}
